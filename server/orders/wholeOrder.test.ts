import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

const reviewText = { message: 'Everything came back fresh and folded.', rating: 5 };
const cardInput = { paymentSourceId: 'cnon:card-nonce-ok' };

describe.each(DATABASE_KINDS)('one order on %s', (kind) => {
  let world: TestServer;
  let bud: TestUser;
  let scrub: TestUser;
  let duber: TestUser;

  beforeAll(async () => {
    world = await openTestServer(kind);
    bud = await world.createUser('Bud', { fullname: 'Ada Bud', north: 300 });
    scrub = await world.createUser('Scrub', { fullname: 'Grace Scrub', north: 1200 });
    duber = await world.createUser('Duber', { fullname: 'Alan Duber', east: 500 });
  });
  afterAll(() => world?.close());

  const place = (more = {}, key?: string) =>
    bud.api.placeOrder({
      body: {
        budAddressId: bud.user.addresses[0]?.id ?? '',
        scrubId: scrub.user.id,
        loadSize: 'Medium',
        ...cardInput,
        ...more,
      },
      ...(key ? { idempotencyKey: key } : {}),
    });

  const carry = async (deliveryId: string) => {
    const params = { id: deliveryId };
    await duber.api['accept-delivery']({ params });
    await duber.api['way-to-pickup']({ params });
    await duber.api.collected({ params });
    await duber.api['way-to-drop']({ params });
    return duber.api.delivered({ params });
  };

  test('goes from the search for a scrub to the last review, and everybody is paid to the cent', async () => {
    const budAddress = bud.user.addresses[0];
    const near = await bud.api.findScrubsNearby({ query: { addressId: budAddress?.id ?? '' } });
    expect(near).toEqual([
      {
        scrub: { id: scrub.user.id, fullname: 'Grace Scrub' },
        distanceMeters: 900,
        address: expect.objectContaining({ address: '12 Heron Street, Soapwick' }),
        rating: 0,
      },
    ]);
    expect(await bud.api.calculatePrice({ body: { loadSize: 'Medium' } })).toEqual({
      loadPrice: 12.5,
      delivery: 5.99,
      pickup: 5.99,
      platformFee: 1.25,
      taxes: 1.1,
      totalPrice: 26.83,
    });

    const order = await place({ orderInstructions: '  Cold wash, please. ' });
    expect(order).toMatchObject({ status: 'Requested', orderInstructions: 'Cold wash, please.', scrubEarning: 12.5 });
    expect(order.price.totalPrice).toBe(26.83);
    const params = { id: order.id };

    expect(await scrub.api['accept-order']({ params })).toMatchObject({ status: 'Accepted', orderId: order.id });
    expect(await bud.api.totalSpending()).toEqual({ totalSpending: 26.83 });

    const [waiting] = await duber.api.findDeliveriesNearby({ query: { addressId: duber.user.addresses[0]?.id ?? '' } });
    expect(waiting?.delivery).toMatchObject({ deliveryType: 'Bud_To_Scrub', status: 'Pending', price: 5.99 });
    expect(waiting?.delivery.bud).toEqual({ id: bud.user.id, fullname: 'Ada Bud', email: null, phone: null });
    await carry(waiting?.delivery.id ?? '');

    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    const after = await scrub.api.readOrder({ params });
    expect(after.statusHistory.map((step) => step.status)).toEqual([
      'Requested',
      'Accepted',
      'In_Progress',
      'Completed',
    ]);
    const back = after.deliveries.find((delivery) => delivery.deliveryType === 'Scrub_To_Bud');
    await carry(back?.id ?? '');

    await bud.api.reviewToScrub({ params, body: { ...reviewText, scrubId: scrub.user.id } });
    await scrub.api.reviewToBud({ params, body: { ...reviewText, budId: bud.user.id } });
    const toDuber = { params: { id: back?.id ?? '' }, body: { ...reviewText, duberId: duber.user.id } };
    await bud.api.reviewToDuber(toDuber);
    await scrub.api.reviewToDuber(toDuber);
    expect((await bud.api.readOrder({ params })).reviews.map((review) => review.type).toSorted()).toEqual([
      'Bud_To_Duber',
      'Bud_To_Scrub',
      'Scrub_To_Bud',
      'Scrub_To_Duber',
    ]);

    expect(await bud.api.budDashboard()).toMatchObject({
      totalScrubOrders: 1,
      totalSpent: 26.83,
      totalCompletedScrubOrders: 1,
    });
    expect(await scrub.api.scrubDashboard()).toMatchObject({
      totalEarning: 12.5,
      todayEarning: 12.5,
      averageScrubOrdersRating: 5,
    });
    expect((await duber.api.duberDashboard()).stats).toEqual({
      totalEarning: 11.98,
      totalDeliveries: 2,
      totalDelivered: 2,
      totalDistanceTraveled: 1800,
    });
  });

  test('a declined card leaves no order, and says why', async () => {
    const before = (await bud.api.listOrders()).data.totalCount;
    expect(await expectFailure(place({ paymentSourceId: 'cnon:card-nonce-declined' }, 'declined-1'))).toMatchObject({
      status: 402,
    });
    expect((await bud.api.listOrders()).data.totalCount).toBe(before);
    // The key is free again.
    expect((await place({}, 'declined-1')).status).toBe('Requested');
  });

  test('the same key gives the same order, charges once, and refuses another body', async () => {
    const [first, again] = await Promise.all([place({}, 'twice'), place({}, 'twice')]);
    const later = await place({ paymentSourceId: 'cnon:another-token' }, 'twice');
    expect([again.id, later.id]).toEqual([first.id, first.id]);
    expect(await expectFailure(place({ loadSize: 'Large' }, 'twice'))).toMatchObject({ status: 409 });
    const payments = await fetch(`${world.sandboxUrl}/sandbox/square/v2/payments?limit=100`, {
      headers: { authorization: 'Bearer sandbox' },
    });
    const { payments: all } = (await payments.json()) as { payments: { reference_id: string }[] };
    expect(all.filter((payment) => payment.reference_id === first.id)).toHaveLength(1);
  });

  test('a cancelled order releases the hold, and cannot be accepted any more', async () => {
    const order = await place();
    const params = { id: order.id };
    await bud.api['cancel-order']({ params });
    expect(await expectFailure(scrub.api['accept-order']({ params }))).toEqual({
      status: 409,
      message: 'This order is Cancelled',
    });
  });

  test('a duber has one active delivery, and a taken one is gone', async () => {
    const other = await world.createUser('Duber');
    const [first, second] = [await place(), await place()];
    for (const order of [first, second]) await scrub.api['accept-order']({ params: { id: order.id } });
    const leg = async (id: string) => (await scrub.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
    const one = { params: { id: await leg(first.id) } };
    const two = { params: { id: await leg(second.id) } };
    await duber.api['accept-delivery'](one);
    expect(await expectFailure(other.api['accept-delivery'](one))).toEqual({
      status: 409,
      message: 'This delivery has already been accepted',
    });
    expect(await expectFailure(duber.api['accept-delivery'](two))).toEqual({
      status: 409,
      message: 'You already have an active delivery',
    });
    expect(await expectFailure(other.api.collected(one))).toMatchObject({ status: 404 });
    expect((await expectFailure(duber.api['accept-delivery'](one))).message).toBe(
      'This delivery has already been accepted',
    );
  });
});
