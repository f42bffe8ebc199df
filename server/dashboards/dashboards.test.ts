import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUD_DASHBOARD_FIELDS, DUBER_DASHBOARD_FIELDS, SCRUB_DASHBOARD_FIELDS } from '../../contract/screenFields.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { queryAt } from '../../testing/databaseConnection.ts';
import { createOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('dashboards on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;
  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  test('a new user’s dashboard has zeros in exactly the fields of the spec', async () => {
    expect(await participants.bud.api.budDashboard()).toStrictEqual({
      totalScrubOrders: 0,
      totalSpent: 0,
      totalActiveScrubOrders: 0,
      totalCompletedScrubOrders: 0,
      latestScrubOrders: [],
    });
    expect(await participants.scrub.api.scrubDashboard()).toStrictEqual({
      totalEarning: 0,
      todayEarning: 0,
      totalActiveScrubOrders: 0,
      totalCompletedScrubOrders: 0,
      averageScrubOrdersRating: 0,
      latestJobs: [],
    });
    expect(await participants.duber.api.duberDashboard()).toStrictEqual({
      stats: { totalEarning: 0, totalDeliveries: 0, totalDelivered: 0, totalDistanceTraveled: 0 },
      latestDeliveries: [],
      pendingDeliveries: [],
      activeDelivery: null,
    });
  });

  test('a dashboard counts orders, deliveries, spending and earnings', async () => {
    // Starts at noon, so that the day does not end during the test.
    const now = server.now();
    server.advanceClock(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 12) - now.getTime());
    await createOrderInStatus(participants, 'Requested');
    await createOrderInStatus(participants, 'Cancelled');
    await createOrderInStatus(participants, 'Rejected');
    await createOrderInStatus(participants, 'Accepted', { loadSize: 'Small', selfDelivery: true });
    await createOrderInStatus(participants, 'In_Progress', { loadSize: 'Large', selfDelivery: true });
    const completed = await createOrderInStatus(participants, 'Completed');
    await advanceDelivery(participants.duber, findDeliveryId(completed, 'Bud_To_Scrub'));
    await advanceDelivery(participants.duber, findDeliveryId(completed, 'Scrub_To_Bud'), 3);

    const bud = await participants.bud.api.budDashboard();
    expect(bud).toMatchObject({ totalScrubOrders: 6, totalActiveScrubOrders: 1, totalCompletedScrubOrders: 1 });
    // The captured orders: a Small (11.93) and a Large (29.75) without the pickup, and a Medium.
    expect(bud.totalSpent).toBe(Math.round((11.93 + 29.75 + 26.83) * 100) / 100);
    expect(await participants.bud.api.totalSpending()).toEqual({ totalSpending: bud.totalSpent });
    expect(bud.latestScrubOrders[0]?.id).toBe(completed.id);
    for (const latest of bud.latestScrubOrders) {
      expect(Object.keys(latest)).toEqual(['id', 'scrub', 'status', 'loadSize', 'createdAt', 'price']);
    }

    const scrub = await participants.scrub.api.scrubDashboard();
    expect(scrub).toMatchObject({ totalEarning: 12.5, todayEarning: 12.5 });
    expect(scrub).toMatchObject({ totalActiveScrubOrders: 1, totalCompletedScrubOrders: 1 });
    for (const latest of scrub.latestJobs) {
      expect(Object.keys(latest)).toEqual(['id', 'bud', 'status', 'loadSize', 'createdAt', 'scrubEarning']);
    }

    const duber = await participants.duber.api.duberDashboard();
    expect(duber.stats).toEqual({
      totalEarning: 5.99,
      totalDeliveries: 2,
      totalDelivered: 1,
      totalDistanceTraveled: 900,
    });
    expect(duber.activeDelivery).toMatchObject({ id: findDeliveryId(completed, 'Scrub_To_Bud'), status: 'Collected' });
    expect(duber.latestDeliveries).toHaveLength(2);

    server.advanceClock(24 * 60 * 60 * 1000);
    expect(await participants.scrub.api.scrubDashboard()).toMatchObject({ totalEarning: 12.5, todayEarning: 0 });
  });

  test('a Bud’s dashboard has the orders under way, until the laundry is back, where `fields` names them', async () => {
    const others = await createParticipants(server);
    const { bud, duber } = others;
    const readOpen = async () =>
      (await bud.api.budDashboard({ query: { fields: ['openOrders.id'] } })).openOrders?.map(({ id }) => id);
    expect(await readOpen()).toEqual([]);
    const requested = await createOrderInStatus(others, 'Requested');
    await createOrderInStatus(others, 'Rejected');
    await createOrderInStatus(others, 'Completed', { selfDelivery: true, selfPickup: true });
    const doing = await createOrderInStatus(others, 'In_Progress', { selfDelivery: true });
    const done = await createOrderInStatus(others, 'Completed', { selfDelivery: true });
    expect(await readOpen()).toEqual([done.id, doing.id, requested.id]);

    const shown = await bud.api.budDashboard({ query: { fields: BUD_DASHBOARD_FIELDS } });
    const whole = await bud.api.readOrder({ params: { id: done.id } });
    const [{ situation, budAddress } = expect.fail()] = shown.openOrders ?? [];
    expect(whole).toMatchObject({ situation, budAddress });
    // A set that no screen asks for.
    const names = ['totalSpent', 'openOrders.deliveries.order.bud.email', 'openOrders.id'] as const;
    const { openOrders } = await bud.api.budDashboard({ query: { fields: names } });
    expect(openOrders?.[0]).toEqual({ id: done.id, deliveries: [{ order: { bud: { email: bud.user.email } } }] });

    await advanceDelivery(duber, findDeliveryId(done, 'Scrub_To_Bud'), 4);
    expect(await readOpen()).toContain(done.id);
    await duber.api.delivered({ params: { id: findDeliveryId(done, 'Scrub_To_Bud') } });
    expect(await readOpen()).toEqual([doing.id, requested.id]);
  });

  test('a Scrub’s dashboard has the jobs that are open or still to be collected, where `fields` names them', async () => {
    const others = await createParticipants(server);
    const { scrub, duber } = others;
    const readOpen = async () =>
      (await scrub.api.scrubDashboard({ query: { fields: SCRUB_DASHBOARD_FIELDS } })).openJobs?.map(({ id }) => id);
    expect(await readOpen()).toEqual([]);
    const requested = await createOrderInStatus(others, 'Requested', { orderInstructions: 'Cold wash' });
    await createOrderInStatus(others, 'Rejected');
    const doing = await createOrderInStatus(others, 'In_Progress', { selfDelivery: true });
    const done = await createOrderInStatus(others, 'Completed', { selfDelivery: true });
    expect(await readOpen()).toEqual([done.id, doing.id, requested.id]);
    const { openJobs } = await scrub.api.scrubDashboard({ query: { fields: SCRUB_DASHBOARD_FIELDS } });
    expect(openJobs?.at(-1)).toMatchObject({ number: requested.number, orderInstructions: 'Cold wash' });
    await advanceDelivery(duber, findDeliveryId(done, 'Scrub_To_Bud'), 5);
    expect(await readOpen()).toEqual([doing.id, requested.id]);
  });

  test('a Duber’s dashboard has what is under way apart from what they have accepted ahead, and offers what is due first', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => createParticipants(server)));
    if (!first || !second || !third) throw new Error('no participants');
    const { duber } = first;
    const soon = server.now().getTime() + DAY_MS;
    const openFor = async (people: typeof first, days: number | undefined) => {
      const id = findDeliveryId(await createOrderInStatus(people, 'Accepted'), 'Bud_To_Scrub');
      if (days === undefined) return id;
      const from = new Date(soon + days * DAY_MS);
      const until = new Date(from.getTime() + DAY_MS / 12);
      await queryAt(
        server.databaseUrl ?? '',
        `update deliveries set due_from = '${from.toISOString()}', due_until = '${until.toISOString()}' where id = '${id}'`,
      );
      return id;
    };
    const [now, later, next] = [await openFor(first, undefined), await openFor(second, 2), await openFor(third, 1)];
    const read = async () =>
      duber.api.duberDashboard({ query: { fields: DUBER_DASHBOARD_FIELDS, pendingLimit: '50' } });
    const offered = (await read()).pendingDeliveries.map(({ delivery }) => delivery.id);
    expect(offered.filter((id) => [now, later, next].includes(id))).toEqual([next, later, now]);
    for (const id of [now, later, next]) await duber.api['accept-delivery']({ params: { id } });
    const { activeDelivery, aheadDeliveries } = await read();
    expect([activeDelivery?.id, activeDelivery?.window]).toEqual([now, undefined]);
    expect(aheadDeliveries?.map(({ id }) => id)).toEqual([next, later]);
    expect(aheadDeliveries?.[0]?.window?.from).toBe(new Date(soon + DAY_MS).toISOString());
    await expect(duber.api['way-to-pickup']({ params: { id: next } })).rejects.toMatchObject({ statusCode: 409 });
  });

  test('a Duber’s dashboard has what they carry for the next one, until that one has it, where `fields` names it', async () => {
    const [first, second] = [await createParticipants(server), await createParticipants(server)];
    const { api: operator } = await createOperator(server);
    const readCarried = async (duber = first.duber) =>
      (await duber.api.duberDashboard({ query: { fields: DUBER_DASHBOARD_FIELDS } })).carriedDeliveries;
    const id = findDeliveryId(await createOrderInStatus(first, 'Accepted'), 'Bud_To_Scrub');
    const params = { id };
    await advanceDelivery(first.duber, id, 4);
    expect(await readCarried()).toEqual([]);
    const { latitude, longitude } = first.bud.user.addresses[0] ?? expect.fail('no address');
    const relay = { why: 'breakdown', reason: 'A flat tyre', place: { latitude, longitude } } as const;
    const isCarrier = async ({ duber }: Participants) => (await duber.api.readDelivery({ params })).isCarrier ?? false;
    await operator['delivery-relay']({ params, body: relay });
    expect(await readCarried()).toEqual([{ id, status: 'Pending', duber: null, isNextHere: false }]);
    expect([await isCarrier(first), await isCarrier(second)]).toEqual([true, false]);
    await second.duber.api['accept-delivery']({ params });
    expect(await readCarried()).toMatchObject([{ id, status: 'Accepted', duber: { fullname: expect.any(String) } }]);
    expect(await readCarried(second.duber)).toEqual([]);
    await second.duber.api['way-to-pickup']({ params });
    const isNextHere = async () => (await first.duber.api.readDelivery({ params })).isNextHere ?? false;
    expect(await readCarried()).toMatchObject([{ status: 'Way_To_Pick', isNextHere: false }]);
    expect(await isNextHere()).toBe(false);
    await second.duber.api['arrived-at-pickup']({ params, body: { place: relay.place } });
    expect(await readCarried()).toMatchObject([{ status: 'Way_To_Pick', isNextHere: true }]);
    expect(await isNextHere()).toBe(true);
    expect(await second.duber.api.readDelivery({ params })).not.toHaveProperty('isNextHere');
    await second.duber.api.collected({ params });
    expect(await readCarried()).toEqual([]);

    await operator['delivery-relay']({ params, body: relay });
    expect(await readCarried(second.duber)).toMatchObject([{ id }]);
    expect([await isCarrier(first), await isCarrier(second)]).toEqual([false, true]);
    server.advanceClock(31 * 60_000);
    await second.duber.api['accept-delivery']({ params });
    const again = await second.duber.api.duberDashboard({ query: { fields: DUBER_DASHBOARD_FIELDS } });
    expect(again).toMatchObject({ activeDelivery: { id }, carriedDeliveries: [] });
    expect(await isCarrier(second)).toBe(false);
  });

  test('a dashboard lists the ten latest orders', async () => {
    for (let index = 0; index < 11; index += 1) await placeOrder(participants);
    expect((await participants.bud.api.budDashboard()).latestScrubOrders).toHaveLength(10);
    expect((await participants.scrub.api.scrubDashboard()).latestJobs).toHaveLength(10);
  });
});
