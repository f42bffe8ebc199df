import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_ZONE } from '../../domain/windows.ts';
import { circleAround } from '../../domain/zones.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { placeOrder } from '../../testing/orderSteps.ts';
import { giveTimes, planWindows, windowAt } from '../../testing/orderTimes.ts';
import { DATABASE_KINDS, openTestServer, pointAt, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { insertZone, setZoneArea } from '../payments/prices/prices.ts';

const RIVERSIDE = '0192f0c1-7a3b-7c4d-8e5f-00000000a001';
const MINUTE_MS = 60_000;

describe.each(DATABASE_KINDS)('the windows on Today, on %s', (kind) => {
  let testServer: TestServer;
  let scrub: TestUser;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { stoppedAt: new Date('2026-12-01T09:00:00Z') });
    const { db } = testServer.server;
    await insertZone(db, { id: RIVERSIDE, name: 'Riverside' }, testServer.now());
    const corners = circleAround(pointAt(2000, 0), 0.5);
    await setZoneArea(db, { zoneId: RIVERSIDE, corners, setBy: 'the test', validFrom: testServer.now() });
    scrub = await testServer.createUser('Scrub', { north: 1200 });
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  /** Operators are signed out while they do nothing. */
  const pass = async (ms: number) => {
    testServer.advanceClock(ms);
    ada = await createOperator(testServer);
  };
  const windows = async () => (await ada.api.readToday()).windows;
  const place = async (north: number, days: readonly [pickup: number, back: number], more = {}) => {
    const bud = await testServer.createUser('Bud', { north });
    const { id } = await placeOrder({ bud, scrub }, more);
    await scrub.api['accept-order']({ params: { id } });
    const [pickup, back] = days.map((day) => windowAt(testServer.now(), day, 17));
    if (!pickup || !back) throw new Error('two days');
    await giveTimes(testServer.server.db, id, testServer.now(), { pickup, return: back });
    return { id, bud };
  };
  const numbersOf = ({ days }: Awaited<ReturnType<typeof windows>>[number]) =>
    days.map(({ pickup, return: back, promised, atRisk }) => [pickup.taken, back.taken, promised, atRisk]);

  test('nothing without a plan, and with one the places, what is taken, promised and at risk, each as its list has it', async () => {
    expect(await windows()).toEqual([]);
    await planWindows(testServer.server.db, testServer.now());
    expect((await windows()).map(({ zone, closedUntil }) => [zone, closedUntil])).toEqual([
      [null, null],
      [{ id: RIVERSIDE, name: 'Riverside' }, null],
    ]);
    const [early] = [
      await place(2000, [0, 1]),
      await place(2000, [1, 1], { selfPickup: true }),
      await place(300, [0, 0]),
    ];
    const [town, riverside] = await windows();
    if (!town || !riverside) throw new Error('two zones');
    expect([numbersOf(town), numbersOf(riverside)]).toEqual([
      [
        [1, 1, 1, 0],
        [0, 0, 0, 0],
      ],
      [
        [1, 0, 0, 0],
        [1, 1, 2, 0],
      ],
    ]);
    expect(riverside.days[0]?.pickup.places).toBeGreaterThan(0);
    await early.bud.api['cancel-accepted']({ params: { id: early.id }, body: { reason: 'changed-mind' } });
    expect((await windows()).map(numbersOf)[1]).toEqual([
      [0, 0, 0, 0],
      [1, 0, 1, 0],
    ]);
    for (const row of await windows())
      for (const [index, { day, pickup, return: back, promised, atRisk }] of row.days.entries()) {
        const parts = { pickup: pickup.taken, return: back.taken, promised, 'at-risk': atRisk };
        for (const [booked, count] of Object.entries(parts)) {
          const query = { booked: booked as keyof typeof parts, day, zone: row.zone?.id ?? NO_ZONE };
          const { items } = await ada.api.listTownOrders({ query });
          expect([index, booked, items.length]).toEqual([index, booked, count]);
        }
      }
  });

  test('an order counts at risk from two hours before its promised time until it is back, also on the days after', async () => {
    const promisedAt = windowAt(testServer.now(), 0, 17).until.getTime();
    const atRisk = async () => (await windows())[0]?.days.map((day) => day.atRisk);
    await pass(promisedAt - 2 * 60 * MINUTE_MS - MINUTE_MS - testServer.now().getTime());
    expect(await atRisk()).toEqual([0, 0]);
    await pass(2 * MINUTE_MS);
    expect(await atRisk()).toEqual([1, 0]);
    await pass(24 * 60 * MINUTE_MS);
    expect(await atRisk()).toEqual([1, 0]);
    const day = testServer.now().toISOString().slice(0, 10);
    expect((await ada.api.listTownOrders({ query: { booked: 'at-risk', day, zone: NO_ZONE } })).items).toHaveLength(1);
  });

  test('a zone that is closed now says until when', async () => {
    const until = windowAt(testServer.now(), 1, 8).from.toISOString();
    await ada.api.pauseTown({ body: { until, words: 'Flood', zone: RIVERSIDE, reason: 'Flood', touched: 'keep' } });
    expect((await windows()).map(({ closedUntil }) => closedUntil)).toEqual([null, until]);
  });
});
