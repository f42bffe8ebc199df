import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventStreamListener, listenToEvents } from '../../testing/eventListener.ts';
import {
  advanceDelivery,
  createParticipants,
  findLegId,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitUntil } from '../../testing/waits.ts';
import { openServerDatabase, queryRow, queryRows, type Tx } from '../db/database.ts';

// What the promise needs: 4 steps of the order, 6 of each delivery, and 4 reviews. One row for each.
const ROWS_PER_ORDER = 4 + 2 * 6 + 4;
const EVENTS_FOR_BUD = ROWS_PER_ORDER;
const EVENTS_FOR_DUBER = 2 * 6 + 2;

describe.each(DATABASE_KINDS)('the events of an order on %s', (kind) => {
  let server: TestServer;
  let people: Participants;
  const listeners: EventStreamListener[] = [];
  beforeAll(async () => {
    server = await openTestServer(kind);
    people = await createParticipants(server);
  });
  afterAll(async () => {
    for (const listener of listeners) listener.disconnect();
    await server?.close();
  });

  const listen = async ({ token }: TestUser, lastId?: string) => {
    const listener = await listenToEvents(server.apiUrl, token, lastId === undefined ? {} : { lastId });
    listeners.push(listener);
    return listener;
  };

  /** From placing to the last review. */
  async function completeOrder(): Promise<string> {
    const { bud, scrub, duber } = people;
    const { id } = await placeOrder(people);
    const params = { id };
    await scrub.api['accept-order']({ params });
    const legIn = findLegId(await scrub.api.readOrder({ params }), 'Bud_To_Scrub');
    await advanceDelivery(duber, legIn);
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    const legOut = findLegId(await scrub.api.readOrder({ params }), 'Scrub_To_Bud');
    await advanceDelivery(duber, legOut);
    const aboutDuber = { ...REVIEW, duberId: duber.user.id };
    await bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId: scrub.user.id } });
    await scrub.api.reviewToBud({ params, body: { ...REVIEW, budId: bud.user.id } });
    await bud.api.reviewToDuber({ params: { id: legIn }, body: aboutDuber });
    await scrub.api.reviewToDuber({ params: { id: legOut }, body: aboutDuber });
    return id;
  }

  async function countRows(): Promise<{ shared: number; perPerson: number }> {
    const count = (tx: Tx) =>
      queryRow<{ shared: number; perPerson: number }>(
        tx,
        sql`select (select count(*)::int from live_events) as shared, (select count(*)::int from events) as "perPerson"`,
      );
    return (await count(server.server.db)) ?? { shared: 0, perPerson: 0 };
  }

  const summarize = ({ events }: EventStreamListener) => events.map(({ entity, id, status }) => [entity, id, status]);

  test('an order from placing to the last review writes one row for each of its 20 steps and reviews, and everyone receives them', async () => {
    const { bud, scrub, duber } = people;
    const live = await Promise.all([bud, scrub, duber].map((user) => listen(user)));
    const cursors = live.map(({ headers }) => String(headers['x-events-cursor']));
    const before = await countRows();
    await completeOrder();
    const after = await countRows();
    expect([after.shared - before.shared, after.perPerson]).toEqual([ROWS_PER_ORDER, 0]);
    const expected = [EVENTS_FOR_BUD, EVENTS_FOR_BUD, EVENTS_FOR_DUBER];
    await waitUntil(() => live.every(({ events }, index) => events.length >= (expected[index] ?? 0)));
    const resumed = await Promise.all([bud, scrub, duber].map((user, index) => listen(user, cursors[index])));
    await waitUntil(() => resumed.every(({ events }, index) => events.length >= (expected[index] ?? 0)));
    expect(live.map(({ events }) => events.length)).toEqual(expected);
    expect(resumed.map(summarize)).toEqual(live.map(summarize));
  });

  test.runIf(kind === 'postgres')(
    'for a day after the upgrade, a server of the previous release can read every event',
    async () => {
      const { bud, scrub, duber } = people;
      const { db, close } = openServerDatabase(server.databaseUrl ?? '', 1);
      const live = await Promise.all([bud, scrub, duber].map((user) => listen(user)));
      const setWindow = (until: string) =>
        queryRows(db, sql`update events_cleared set per_person_until = now() + ${until}::interval`);
      try {
        const before = await countRows();
        await setWindow('1 day');
        await completeOrder();
        const during = await countRows();
        // For the Bud, the Scrub, and the Duber, and for the Dubers nearby: 56 rows.
        expect([during.shared - before.shared, during.perPerson]).toEqual([
          0,
          2 * EVENTS_FOR_BUD + EVENTS_FOR_DUBER + 2,
        ]);
        const expected = [EVENTS_FOR_BUD, EVENTS_FOR_BUD, EVENTS_FOR_DUBER];
        await waitUntil(() => live.every(({ events }, index) => events.length >= (expected[index] ?? 0)));
        expect(live.map(({ events }) => events.length)).toEqual(expected);
        await setWindow('-1 second');
        await placeOrder(people);
        const afterwards = await countRows();
        expect([afterwards.shared - during.shared, afterwards.perPerson]).toEqual([1, during.perPerson]);
      } finally {
        await close();
      }
    },
  );
});
