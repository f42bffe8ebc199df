import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServerDatabase } from '../../server/db/database.ts';
import { createOrderInStatus, createParticipants } from '../../testing/orderSteps.ts';
import { createTestDatabase, PASSWORD, waitForMail } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { launchServer } from '../processes.ts';
import { openServerPair, type ServerPair } from '../serverPair.ts';
import { shiftClock } from '../wrongClock.ts';

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
      const wrong = await launchServer({ ...pair.env, NODE_OPTIONS: shiftClock(days) });
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

  test('sends no mail, and another server does', async () => {
    const env = { ...pair.env, DATABASE_URL: await createTestDatabase() };
    const email = 'newcomer@rubadub.test';
    const wrong = await launchServer({ ...env, NODE_OPTIONS: shiftClock(45) });
    await wrong.api().sendOtpForEmail({ body: { email } });
    // Its worker was told of the mail at once, and is waited for.
    await wrong.end();
    const { db, close } = openServerDatabase(env.DATABASE_URL, 1);
    const mails = db.selectFrom('notifications').select('tries').where('recipient', '=', email);
    expect(await mails.where('state', '=', 'due').execute().finally(close)).toEqual([{ tries: 0 }]);
    const next = await launchServer(env);
    await waitForMail(pair.standIns.url, email, 'Your Rubadub sign-up code');
    await next.end();
  });
});
