import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventStreamListener, listenToEvents } from '../../testing/eventListener.ts';
import {
  advanceDelivery,
  createParticipants,
  findDeliveryId,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitUntil } from '../../testing/waits.ts';
import { queryRow } from '../db/database.ts';

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
    const deliveryIn = findDeliveryId(await scrub.api.readOrder({ params }), 'Bud_To_Scrub');
    await advanceDelivery(duber, deliveryIn);
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    const deliveryOut = findDeliveryId(await scrub.api.readOrder({ params }), 'Scrub_To_Bud');
    await advanceDelivery(duber, deliveryOut);
    const aboutDuber = { ...REVIEW, duberId: duber.user.id };
    await bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId: scrub.user.id } });
    await scrub.api.reviewToBud({ params, body: { ...REVIEW, budId: bud.user.id } });
    await bud.api.reviewToDuber({ params: { id: deliveryIn }, body: aboutDuber });
    await scrub.api.reviewToDuber({ params: { id: deliveryOut }, body: aboutDuber });
    return id;
  }

  const countRows = async () =>
    (await queryRow<{ count: number }>(server.server.db, sql`select count(*)::int as count from live_events`))?.count ??
    0;

  const summarize = ({ events }: EventStreamListener) => events.map(({ entity, id, status }) => [entity, id, status]);

  test('an order from placing to the last review writes one row for each of its 20 steps and reviews, and everyone receives them', async () => {
    const { bud, scrub, duber } = people;
    const live = await Promise.all([bud, scrub, duber].map((user) => listen(user)));
    const cursors = live.map(({ headers }) => String(headers['x-events-cursor']));
    const before = await countRows();
    await completeOrder();
    const after = await countRows();
    expect(after - before).toBe(ROWS_PER_ORDER);
    const expected = [EVENTS_FOR_BUD, EVENTS_FOR_BUD, EVENTS_FOR_DUBER];
    await waitUntil(() => live.every(({ events }, index) => events.length >= (expected[index] ?? 0)));
    const resumed = await Promise.all([bud, scrub, duber].map((user, index) => listen(user, cursors[index])));
    await waitUntil(() => resumed.every(({ events }, index) => events.length >= (expected[index] ?? 0)));
    expect(live.map(({ events }) => events.length)).toEqual(expected);
    expect(resumed.map(summarize)).toEqual(live.map(summarize));
  });
});
