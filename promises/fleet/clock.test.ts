import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrderInStatus, createParticipants } from '../../testing/orderSteps.ts';
import { PASSWORD } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { launchServer } from '../processes.ts';
import { openServerPair, type ServerPair } from '../serverPair.ts';

/** Makes the clock of a new process wrong by some days. */
const shiftClock = (days: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const shift = ${days * 86_400_000}; const real = Date.now.bind(Date); const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...all) { super(...(all.length > 0 ? all : [real() + shift])); }
      static now() { return real() + shift; }
    };`)}`,
});

describe('a server whose clock is wrong', () => {
  let pair: ServerPair;
  beforeAll(async () => {
    pair = await openServerPair();
  });
  afterAll(() => pair?.close());

  test.each([45, -45])(
    'by %i days is not ready, says so, and neither expires nor dates anything wrongly',
    async (days) => {
      const people = await createParticipants(pair);
      const order = await createOrderInStatus(people, 'Requested');
      const wrong = await launchServer({ ...pair.env, ...shiftClock(days) });
      try {
        const ready = await fetch(`${wrong.apiUrl}/health/ready`);
        expect([ready.status, await ready.json()]).toMatchObject([
          503,
          {
            message: expect.stringMatching(
              days > 0 ? /^The clock of this server is \d+ seconds ahead of/ : /seconds behind/,
            ),
          },
        ]);
        // The log comes through a pipe of its own, so it can be later than the answer.
        await waitFor(() => expect(wrong.log.join('\n')).toMatch(/The clock of this server is \d+ seconds/));
        // What it does all the same has the right time.
        const { authToken } = await wrong.api().login({ body: { email: people.bud.user.email, password: PASSWORD } });
        const later = await createOrderInStatus(
          { ...people, bud: { ...people.bud, token: authToken, api: wrong.api(authToken) } },
          'Requested',
        );
        expect(Math.abs(Date.parse(later.createdAt) - Date.now())).toBeLessThan(3_600_000);
        const params = { id: order.id };
        expect((await people.bud.api.readOrder({ params })).status).toBe('Requested');
        for (const { api } of [people.bud, people.scrub]) await api.session();
        expect((await pair.first.api(authToken).session()).user.id).toBe(people.bud.user.id);
      } finally {
        expect(await wrong.end()).toBe(0);
      }
    },
  );
});
