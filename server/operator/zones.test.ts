import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { nextLocalDate, startOfLocalDay } from '../../domain/localDays.ts';
import { type Corners, circleAround, type ZoneItem } from '../../domain/zones.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { firstAddressId, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';

const REASON = 'Because of the test';
/** A Medium with both deliveries at the prices of a new installation, and in the zones of these tests. */
const [TOWN, FAR, DEAR] = [26.83, 30.83, 40.83];
const FAR_PRICES: Prices = [{ item: 'pickup', value: 9.99 }];
const DEAR_PRICES: Prices = [{ item: 'delivery', value: 19.99 }];

type Prices = { item: ZoneItem; value: number }[];

/** Zones with prices of their own. The tests run one after the other, and end the zones that they have drawn. */
describe.each(RULE_DATABASES)('zones, on %s', (kind) => {
  let testServer: TestServer;
  let scrub: TestUser;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    scrub = await testServer.createUser('Scrub', { north: 1200 });
    // Before the first order, changes hold at once.
    await placeOrder({ bud: await createBud(0), scrub });
  });
  afterAll(() => testServer?.close());

  /** Operators who have just signed in: days pass in these tests. */
  const createTwo = () => Promise.all([createOperator(testServer), createOperator(testServer)]);
  /** Asks as one operator, approves as another, and waits until the day after. */
  const takeFromTomorrow = async (ask: (ada: TestOperator) => Promise<{ approvalId: string | null }>) => {
    const [ada, grace] = await createTwo();
    const { approvalId } = await ask(ada);
    expect(approvalId, 'one operator is not enough').not.toBeNull();
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
  };
  const passDay = () => {
    const tomorrow = startOfLocalDay(nextLocalDate(testServer.now(), 'UTC'), 'UTC');
    testServer.advanceClock(tomorrow.getTime() - testServer.now().getTime());
  };
  const listZones = async () => (await (await createOperator(testServer)).api.listZones()).items;
  const findId = async (name: string) => (await listZones()).find((zone) => zone.name === name)?.id ?? '';
  const addZone = async (name: string, corners: Corners, prices: Prices) => {
    await takeFromTomorrow((ada) => ada.api.addZone({ body: { name, corners: [...corners], prices, reason: REASON } }));
    passDay();
    return findId(name);
  };
  const endZone = (id: string) =>
    takeFromTomorrow((ada) => ada.api.drawZone({ params: { id }, body: { corners: null, reason: REASON } }));
  const createBud = (north: number) => testServer.createUser('Bud', { north });
  const quote = async (bud: TestUser, more: object = { budAddressId: firstAddressId(bud) }) =>
    (await bud.api.calculatePrice({ body: { loadSize: 'Medium', ...more } })).totalPrice;
  const place = (bud: TestUser, more: object = {}) => placeOrder({ bud, scrub }, more);
  /** What a new Bud who lives there is shown, and then pays. */
  const priceAt = async (north: number) => {
    const bud = await createBud(north);
    const shownTotal = await quote(bud);
    const { price } = await place(bud, { shownTotal });
    expect(price.totalPrice).toBe(shownTotal);
    return shownTotal;
  };

  test('a zone has its own prices from the next day on, and orders keep theirs', async () => {
    const bud = await createBud(0);
    expect(await quote(bud)).toBe(TOWN);
    const corners = circleAround(pointAt(0, 0), 0.5);
    await takeFromTomorrow((ada) => ada.api.addZone({ body: { name: 'Far', corners, reason: REASON } }));
    const id = await findId('Far');
    await takeFromTomorrow((ada) =>
      ada.api.setZonePrices({ params: { id }, body: { prices: FAR_PRICES, reason: REASON } }),
    );
    const [zone] = await listZones();
    expect(zone).toMatchObject({ corners: null, nextAreas: [{ corners }], prices: [] });
    expect(zone?.nextPrices).toMatchObject([{ prices: FAR_PRICES }]);
    const before = await place(bud, { shownTotal: TOWN });
    passDay();
    expect((await listZones())[0]).toMatchObject({ corners, nextAreas: [], prices: FAR_PRICES, nextPrices: [] });
    expect(await priceAt(0)).toBe(FAR);
    expect(await priceAt(400)).toBe(FAR);
    expect(await priceAt(600)).toBe(TOWN);
    const visitor = await createBud(0);
    // Without an address, or with that of another.
    expect(await quote(visitor, {})).toBe(TOWN);
    expect((await expectFailure(quote(visitor, { budAddressId: firstAddressId(bud) }))).status).toBe(404);
    expect((await scrub.api.readOrder({ params: { id: before.id } })).price.totalPrice).toBe(TOWN);
    await endZone(id);
    passDay();
    expect(await listZones()).toEqual([]);
    expect(await priceAt(0)).toBe(TOWN);
  });

  test('of zones that overlap the smaller one counts, and an edge belongs to its zone', async () => {
    const [south, north] = [pointAt(-2000, 0), pointAt(2000, 0)];
    const large = await addZone(
      'Large',
      [
        { latitude: south.latitude, longitude: 66.9 },
        { latitude: north.latitude, longitude: 66.9 },
        { latitude: north.latitude, longitude: 67.1 },
        { latitude: south.latitude, longitude: 67.1 },
      ],
      FAR_PRICES,
    );
    const small = await addZone('Small', circleAround(pointAt(0, 0), 0.5), DEAR_PRICES);
    expect(await priceAt(0)).toBe(DEAR);
    expect(await priceAt(1000)).toBe(FAR);
    // Exactly on the northern side.
    expect(await priceAt(2000)).toBe(FAR);
    expect(await priceAt(2001)).toBe(TOWN);
    await endZone(small);
    passDay();
    expect(await priceAt(0)).toBe(FAR);
    await endZone(large);
    passDay();
  });

  test('when a zone ends after a Bud has looked, they pay nothing that they have not seen', async () => {
    const id = await addZone('Ends', circleAround(pointAt(0, 0), 0.5), FAR_PRICES);
    await endZone(id);
    const bud = await createBud(0);
    const shownTotal = await quote(bud);
    expect(shownTotal).toBe(FAR);
    passDay();
    const again = await createBud(0);
    expect((await expectFailure(place(again, { shownTotal }))).message).toContain('The price has changed');
    expect((await again.api.listOrders({ query: {} })).data.items).toEqual([]);
    expect((await place(again, { shownTotal: await quote(again) })).price.totalPrice).toBe(TOWN);
  });

  test('a zone that ends does not come back, even if later changes were planned', async () => {
    const corners = circleAround(pointAt(0, 0), 0.5);
    const id = await addZone('Gone', corners, FAR_PRICES);
    const inDays = (days: number) => new Date(testServer.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
    const later = { params: { id }, body: { from: inDays(4), reason: REASON } };
    const draw = (ada: TestOperator) => ada.api.drawZone({ ...later, body: { ...later.body, corners } });
    const price = (ada: TestOperator) =>
      ada.api.setZonePrices({ ...later, body: { ...later.body, prices: DEAR_PRICES } });
    await takeFromTomorrow(draw);
    await takeFromTomorrow(price);
    const [asker, decider] = await createTwo();
    const { approvalId } = await price(asker);
    await takeFromTomorrow((ada) =>
      ada.api.drawZone({ params: { id }, body: { corners: null, from: inDays(2), reason: REASON } }),
    );
    expect((await listZones())[0]).toMatchObject({ nextAreas: [{ corners: null }], nextPrices: [] });
    const ada = await createOperator(testServer);
    for (const again of [draw, price]) expect((await expectFailure(again(ada))).message).toContain('Gone ends before');
    // It was asked for while the zone did not end.
    const approve = decider.api.approve({ params: { id: approvalId ?? '' }, body: { reason: REASON } });
    expect((await expectFailure(approve)).message).toContain('Gone ends before');
    await asker.api.withdraw({ params: { id: approvalId ?? '' }, body: { reason: REASON } });
    for (let day = 0; day < 5; day += 1) passDay();
    expect(await listZones()).toEqual([]);
    expect(await priceAt(0)).toBe(TOWN);
  });

  test('the preview says what orders cost in the town, and in the zone before and after', async () => {
    const id = await addZone('Preview', circleAround(pointAt(0, 0), 0.5), FAR_PRICES);
    const ada = await createOperator(testServer, { caps: ['see'] });
    const { from, sizes } = await ada.api.previewZonePrices({ query: { zone: id, delivery: '19.99' } });
    expect(from).toBe(startOfLocalDay(nextLocalDate(testServer.now(), 'UTC'), 'UTC').toISOString());
    const medium = sizes.find(({ size }) => size === 'Medium');
    expect([medium?.town, medium?.before, medium?.after].map((price) => price?.totalPrice)).toEqual([TOWN, FAR, DEAR]);
    const notAdded = (await ada.api.previewZonePrices({ query: { delivery: '19.99' } })).sizes.find(
      ({ size }) => size === 'Medium',
    );
    expect([notAdded?.before, notAdded?.after].map((price) => price?.totalPrice)).toEqual([TOWN, DEAR]);
    await endZone(id);
    passDay();
  });

  test('what makes no sense is refused before a second operator is asked', async () => {
    const corners = circleAround(pointAt(0, 0), 0.5);
    const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;
    const add = async (body: object) => {
      const { api } = await createOperator(testServer);
      return api.addZone({ body: { name: 'Refused', corners, reason: REASON, ...body } });
    };
    expect(await messageOf(add({ corners: [corners[0], corners[12], corners[6], corners[18]] }))).toContain('cross');
    expect(await messageOf(add({ corners: corners.slice(0, 2) }))).toContain('at least 3 corners');
    const today = testServer.now().toISOString().slice(0, 10);
    expect(await messageOf(add({ prices: [{ item: 'taxes', value: 101 }] }))).toContain('From 0 to 100 %');
    expect(await messageOf(add({ from: today }))).toContain('Choose a day in the future');
    const id = await addZone('Taken', corners, FAR_PRICES);
    expect(await messageOf(add({ name: 'taken' }))).toContain('There is a zone taken already');
    const set = async (prices: Prices) => {
      const { api } = await createOperator(testServer);
      return api.setZonePrices({ params: { id }, body: { prices, reason: REASON } });
    };
    expect(await messageOf(set([{ item: 'taxes', value: 101 }]))).toContain('From 0 to 100 %');
    expect(await messageOf(set([...FAR_PRICES, ...FAR_PRICES]))).toContain('One price for each item');
  });
});
