import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  firstAddressId,
  type Participants,
  placeOrder,
  REVIEW,
} from '../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, pointAt, type TestServer } from '../testing/testServer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe.each(DATABASE_KINDS)('what the people of an order see, on %s', (kind) => {
  let world: TestServer;
  let cast: Participants;

  beforeAll(async () => {
    world = await openTestServer(kind);
    cast = await createParticipants(world);
  });
  afterAll(() => world?.close());

  const contact = ({ user: { id, fullname, email, phone } }: Participants['bud']) => ({ id, fullname, email, phone });
  const nameless = ({ user: { id, fullname } }: Participants['bud']) => ({ id, fullname, email: null, phone: null });

  describe('contacts', () => {
    test('of the bud are the scrub’s from the request on; the bud reads the scrub’s name alone', async () => {
      const { id } = await placeOrder(cast);
      const asScrub = await cast.scrub.api.readOrder({ params: { id } });
      expect(asScrub.bud).toEqual(contact(cast.bud));
      const asBud = await cast.bud.api.readOrder({ params: { id } });
      expect(asBud.scrub).toEqual({ id: cast.scrub.user.id, fullname: 'Grace Scrub', addresses: [expect.any(Object)] });
      expect(JSON.stringify(asBud)).not.toContain(cast.scrub.user.email);
    });

    test('of a duber are the bud’s and the scrub’s once there is one', async () => {
      const duber = await world.createUser('Duber');
      const id = findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub');
      for (const { api } of [cast.bud, cast.scrub]) {
        expect((await api.readDelivery({ params: { id } })).duber).toBeNull();
      }
      await advanceDelivery(duber, id, 1);
      for (const { api } of [cast.bud, cast.scrub]) {
        expect((await api.readDelivery({ params: { id } })).duber).toEqual(contact(duber));
      }
      expect(JSON.stringify(await cast.bud.api.readDelivery({ params: { id } }))).not.toContain(cast.scrub.user.email);
    });

    test('are a duber’s only while the delivery is theirs, and for seven days after it', async () => {
      const [duber, other] = [await world.createUser('Duber', { east: 300 }), await world.createUser('Duber')];
      const { id: orderId } = await placeOrder(cast, { orderInstructions: 'The key lies under the third pot.' });
      await cast.scrub.api['accept-order']({ params: { id: orderId } });
      const id = findLegId(await cast.scrub.api.readOrder({ params: { id: orderId } }), 'Bud_To_Scrub');
      const read = () => duber.api.readDelivery({ params: { id } });

      const pending = await read();
      expect([pending.bud, pending.order.bud]).toEqual([nameless(cast.bud), nameless(cast.bud)]);
      expect(pending.scrub).toEqual({ ...nameless(cast.scrub), addresses: [expect.any(Object)] });
      expect(pending.order).toMatchObject({ loadSize: 'Medium', price: null, orderInstructions: null });
      expect(pending.order.budAddress.address).toBe('12 Heron Street, Soapwick');
      expect(pending.price).toBe(5.99);

      await advanceDelivery(duber, id, 1);
      const theirs = await read();
      expect([theirs.bud, theirs.order.bud]).toEqual([contact(cast.bud), contact(cast.bud)]);
      expect(theirs.scrub).toMatchObject(contact(cast.scrub));
      expect(theirs.order).toMatchObject({ price: null, orderInstructions: 'The key lies under the third pot.' });
      expect(await expectFailure(other.api.readDelivery({ params: { id } }))).toEqual({
        status: 404,
        message: 'Not found',
      });

      for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
        await duber.api[step]({ params: { id } });
      }
      world.advanceClock(7 * DAY_MS - 60_000);
      expect((await read()).bud).toEqual(contact(cast.bud));
      world.advanceClock(61_000);
      expect((await read()).bud).toEqual(nameless(cast.bud));
      const [listed] = (await duber.api.listDeliveries()).data.items;
      expect(listed?.bud).toEqual(nameless(cast.bud));
      const { latestDeliveries } = await duber.api.duberDashboard();
      expect(JSON.stringify(latestDeliveries)).not.toContain(cast.bud.user.email);
      // Its Bud and its Scrub still know who carried it.
      expect((await cast.bud.api.readDelivery({ params: { id } })).duber).toEqual(contact(duber));
    });

    test('of nobody stand in a search or on a dashboard’s waiting list', async () => {
      const duber = await world.createUser('Duber', { east: 300 });
      await createOrderInStatus(cast, 'Accepted');
      const near = await duber.api.findDeliveriesNearby({ query: { addressId: firstAddressId(duber) } });
      const { pendingDeliveries } = await duber.api.duberDashboard();
      expect(near.length).toBeGreaterThan(0);
      expect(pendingDeliveries).toEqual(near);
      const scrubs = await cast.bud.api.findScrubsNearby({ query: { addressId: firstAddressId(cast.bud) } });
      expect(JSON.stringify([near, scrubs])).not.toContain('@');
      expect(JSON.stringify([near, scrubs])).not.toContain('+1202');
    });

    test('a duber reads of the reviews those of the own delivery only', async () => {
      const order = await createOrderInStatus(cast, 'Completed');
      const { id } = order;
      const duber = await world.createUser('Duber');
      const leg = findLegId(order, 'Bud_To_Scrub');
      await advanceDelivery(duber, leg);
      await cast.bud.api.reviewToScrub({ params: { id }, body: { ...REVIEW, scrubId: cast.scrub.user.id } });
      await cast.bud.api.reviewToDuber({ params: { id: leg }, body: { ...REVIEW, duberId: duber.user.id } });
      const { reviews } = (await duber.api.readDelivery({ params: { id: leg } })).order;
      expect(reviews.map(({ type }) => type)).toEqual(['Bud_To_Duber']);
      const back = await world
        .createUser('Duber')
        .then((other) => other.api.readDelivery({ params: { id: findLegId(order, 'Scrub_To_Bud') } }));
      expect(back.order.reviews).toEqual([]);
    });
  });

  test('an order keeps its addresses, price and distance as they were', async () => {
    const bud = await world.createUser('Bud', { north: 100 });
    const scrub = await world.createUser('Scrub', { north: 1100 });
    const { id } = await placeOrder({ bud, scrub });
    const before = await bud.api.readOrder({ params: { id } });
    const moved = { label: 'Moved', address: '99 Weir Street', ...pointAt(-2000, 0) };
    await bud.api.updateAddress({ body: { ...moved, id: firstAddressId(bud) } });
    await scrub.api.updateAddress({ body: { ...moved, id: firstAddressId(scrub) } });
    await scrub.api['accept-order']({ params: { id } });
    const after = await bud.api.readOrder({ params: { id } });
    expect([after.budAddress, after.scrub, after.price]).toEqual([before.budAddress, before.scrub, before.price]);
    expect(after.deliveries[0]?.distanceInMeters).toBe(1000);
    // The pickup is where the laundry is said to be, not where the Bud has moved since.
    const duber = await world.createUser('Duber', { north: 100 });
    const near = await duber.api.findDeliveriesNearby({
      query: { addressId: firstAddressId(duber), maxDistanceMeters: '10' },
    });
    expect(near.map(({ delivery }) => delivery.orderId)).toEqual([id]);
  });

  describe('deliveries', () => {
    test.each([
      [false, false, ['Bud_To_Scrub'], ['Bud_To_Scrub', 'Scrub_To_Bud']],
      [true, false, [], ['Scrub_To_Bud']],
      [false, true, ['Bud_To_Scrub'], ['Bud_To_Scrub']],
      [true, true, [], []],
    ])(
      'with selfDelivery %s and selfPickup %s are %j when accepted and %j when completed',
      async (selfDelivery, selfPickup, accepted, completed) => {
        const { id, price } = await placeOrder(cast, { selfDelivery, selfPickup });
        expect([price.pickup, price.delivery]).toEqual([selfDelivery ? 0 : 5.99, selfPickup ? 0 : 5.99]);
        const types = async () =>
          (await cast.bud.api.readOrder({ params: { id } })).deliveries.map((leg) => leg.deliveryType);
        expect(await types()).toEqual([]);
        await cast.scrub.api['accept-order']({ params: { id } });
        expect(await types()).toEqual(accepted);
        // Starting and completing do not wait for the delivery.
        await cast.scrub.api['start-order']({ params: { id } });
        expect(await types()).toEqual(accepted);
        await cast.scrub.api['complete-order']({ params: { id } });
        expect(await types()).toEqual(completed);
        const { deliveries } = await cast.bud.api.readOrder({ params: { id } });
        for (const leg of deliveries)
          expect(leg).toMatchObject({ status: 'Pending', price: 5.99, distanceInMeters: 900 });
      },
    );

    test('there are none of an order that was cancelled or rejected', async () => {
      for (const status of ['Cancelled', 'Rejected'] as const)
        expect((await createOrderInStatus(cast, status)).deliveries).toEqual([]);
    });

    test('a pending one is no duber’s to bring on, and says so', async () => {
      const id = findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub');
      const duber = await world.createUser('Duber');
      for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
        expect(await expectFailure(duber.api[step]({ params: { id } }))).toEqual({
          status: 409,
          message: 'This delivery is Pending',
        });
      }
      await advanceDelivery(duber, id, 1);
      expect(await expectFailure(duber.api.delivered({ params: { id } }))).toEqual({
        status: 409,
        message: 'This delivery is Accepted',
      });
    });
  });

  describe('reviews', () => {
    test('are refused before their time, about the wrong person and a second time', async () => {
      const order = await createOrderInStatus(cast, 'In_Progress');
      const params = { id: order.id };
      const toScrub = (scrubId: string) => cast.bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId } });
      const toBud = (budId: string) => cast.scrub.api.reviewToBud({ params, body: { ...REVIEW, budId } });
      const early = { status: 409, message: 'It is too early to review this' };
      expect(await expectFailure(toScrub(cast.scrub.user.id))).toEqual(early);
      expect(await expectFailure(toBud(cast.bud.user.id))).toEqual(early);
      await cast.scrub.api['complete-order']({ params });
      expect((await expectFailure(toScrub(cast.duber.user.id))).status).toBe(400);
      expect((await expectFailure(toBud(cast.scrub.user.id))).status).toBe(400);
      const written = await toScrub(cast.scrub.user.id);
      expect(written).toMatchObject({ ...REVIEW, type: 'Bud_To_Scrub', orderId: order.id, deliveryId: null });
      expect([written.fromUserId, written.toUserId]).toEqual([cast.bud.user.id, cast.scrub.user.id]);
      await toBud(cast.bud.user.id);
      const twice = { status: 409, message: 'You have already reviewed this' };
      expect(await expectFailure(toScrub(cast.scrub.user.id))).toEqual(twice);
      expect(await expectFailure(toBud(cast.bud.user.id))).toEqual(twice);
    });

    test('of a duber want one, and a delivery that was made; the bud and the scrub write one each a delivery', async () => {
      const order = await createOrderInStatus(cast, 'Completed');
      const duber = await world.createUser('Duber');
      for (const leg of order.deliveries) {
        const review = (by: 'bud' | 'scrub', duberId: string) =>
          cast[by].api.reviewToDuber({ params: { id: leg.id }, body: { ...REVIEW, duberId } });
        expect((await expectFailure(review('bud', duber.user.id))).status).toBe(409);
        await advanceDelivery(duber, leg.id, 4);
        expect((await expectFailure(review('scrub', duber.user.id))).status).toBe(409);
        expect((await expectFailure(review('bud', cast.duber.user.id))).status).toBe(400);
        await duber.api.delivered({ params: { id: leg.id } });
        expect((await review('bud', duber.user.id)).type).toBe('Bud_To_Duber');
        expect(await review('scrub', duber.user.id)).toMatchObject({ type: 'Scrub_To_Duber', deliveryId: leg.id });
        expect((await expectFailure(review('bud', duber.user.id))).status).toBe(409);
        expect((await expectFailure(review('scrub', duber.user.id))).status).toBe(409);
      }
      expect((await cast.bud.api.readOrder({ params: { id: order.id } })).reviews).toHaveLength(4);
    });
  });
});
