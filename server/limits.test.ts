import { describe, expect, test } from 'vitest';
import { ask } from './testing.checked.ts';
import { openWorld } from './testing.ts';

describe('limits by network address', () => {
  test('count per address, are scaled by RATE_LIMIT_SCALE, and say when to come back', async () => {
    const world = await openWorld('embedded', { env: { RATE_LIMIT_SCALE: '0.02', TRUST_PROXY: 'on' } });
    try {
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      const config = (address: string) => ask(world.host, 'GET', '/config', from(address));
      const statuses = [];
      for (let asked = 0; asked < 3; asked += 1) statuses.push((await config('198.51.100.1')).status);
      expect(statuses).toEqual([200, 200, 429]);
      const refused = await config('198.51.100.1');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await config('198.51.100.2')).status).toBe(200);
      world.wait(1000);
      expect((await config('198.51.100.1')).status).toBe(200);

      const code = (index: number, address: string) =>
        ask(world.host, 'POST', '/auth/send-otp-for-email', {
          ...from(address),
          body: { email: `limit-${address.replaceAll(':', '')}-${index}@rubadub.test` },
        });
      // Two codes a minute at this scale, over the whole network of an IPv6 address.
      for (let sent = 0; sent < 2; sent += 1) {
        world.wait(1000);
        expect((await code(sent, `2001:db8::${sent}`)).status).toBe(200);
      }
      const last = await code(13, '2001:db8::ffff');
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(40);
      expect((await code(14, '2001:db8:0:1::1')).status).toBe(200);
      world.wait(60_000);
      expect((await code(15, '2001:db8::1')).status).toBe(200);
    } finally {
      await world.close();
    }
  });
});
