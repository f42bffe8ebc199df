import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderSize } from '../../domain/orders.ts';
import { captureOutcome } from '../../promises/callOutcome.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { advanceDelivery, firstAddressId, orderBody, REVIEW } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

/** How often a test with parallel requests is repeated, since a race does not show every time. */
const REPEATS = 5;

describe.each(RULE_DATABASES)('orders on %s', (kind) => {
  let server: TestServer;
  // A second server on the same PostgreSQL database.
  let secondServer: TestServer;
  let bud: TestUser;
  let scrub: TestUser;
  let duber: TestUser;

  beforeAll(async () => {
    server = await openTestServer(kind);
    secondServer = kind === 'postgres' ? await openTestServer(kind, { beside: server }) : server;
    bud = await server.createUser('Bud', { fullname: 'Ada Bud', north: 300 });
    scrub = await server.createUser('Scrub', { fullname: 'Grace Scrub', north: 1200 });
    duber = await server.createUser('Duber', { fullname: 'Alan Duber', east: 500 });
  });
  afterAll(async () => {
    if (secondServer !== server) await secondServer?.close();
    await server?.close();
  });

  const place = (more = {}, key?: string) =>
    bud.api.placeOrder({
      body: orderBody({ bud, scrub }, more),
      ...(key ? { idempotencyKey: key } : {}),
    });

  /** The Bud at one server and at the other, in turn. */
  const budApis = () => [bud.api, secondServer.api(bud.token), bud.api, secondServer.api(bud.token)];
  const countCardPayments = async (orderId: string | undefined) => {
    const response = await fetch(`${server.sandboxUrl}/sandbox/square/v2/payments?limit=100`, {
      headers: { authorization: 'Bearer sandbox' },
    });
    const { payments } = (await response.json()) as { payments: { reference_id: string }[] };
    return payments.filter((payment) => payment.reference_id === orderId).length;
  };

  test('one order runs from the search for a Scrub to the last review, and everybody is paid to the cent', async () => {
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
    const quote = await bud.api.calculatePrice({ body: { loadSize: 'Medium', selfDelivery: true, withChoices: true } });
    expect(quote.choices).toMatchObject({
      pickup: 5.99,
      delivery: 5.99,
      prices: { Medium: { totalPrice: quote.totalPrice } },
    });
    for (const [size, price] of Object.entries(quote.choices?.prices ?? {})) {
      const body = { loadSize: size as OrderSize, selfDelivery: true };
      expect(await bud.api.calculatePrice({ body }), size).toEqual(price);
    }

    const order = await place({ orderInstructions: '  Cold wash, please. ' });
    expect(order).toMatchObject({ status: 'Requested', orderInstructions: 'Cold wash, please.', scrubEarning: 12.5 });
    expect(order.price.totalPrice).toBe(26.83);
    const params = { id: order.id };

    expect(await scrub.api['accept-order']({ params })).toMatchObject({ status: 'Accepted', orderId: order.id });
    // The worker of either server may be the one who charges the card.
    await waitFor(async () => expect(await bud.api.totalSpending()).toEqual({ totalSpending: 26.83 }));

    const [waiting] = await duber.api.findDeliveriesNearby({ query: { addressId: firstAddressId(duber) } });
    expect(waiting?.delivery).toMatchObject({ deliveryType: 'Bud_To_Scrub', status: 'Pending', price: 5.99 });
    expect(waiting?.delivery.bud).toEqual({ id: bud.user.id, fullname: 'Ada Bud', email: null, phone: null });
    await advanceDelivery(duber, waiting?.delivery.id ?? '');

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
    await advanceDelivery(duber, back?.id ?? '');

    await bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId: scrub.user.id } });
    await scrub.api.reviewToBud({ params, body: { ...REVIEW, budId: bud.user.id } });
    const toDuber = { params: { id: back?.id ?? '' }, body: { ...REVIEW, duberId: duber.user.id } };
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

  test('a declined card is answered with 402, and leaves no order', async () => {
    const before = (await bud.api.listOrders()).data.totalCount;
    expect(await expectFailure(place({ paymentSourceId: 'cnon:card-nonce-declined' }, 'declined-1'))).toMatchObject({
      status: 402,
    });
    expect((await bud.api.listOrders()).data.totalCount).toBe(before);
    // The Idempotency-Key can be used again.
    expect((await place({}, 'declined-1')).status).toBe('Requested');
  });

  test('the same Idempotency-Key returns the same order, charges once, and is refused with another body', async () => {
    const [first, again] = await Promise.all([place({}, 'twice'), place({}, 'twice')]);
    const later = await place({ paymentSourceId: 'cnon:another-token' }, 'twice');
    expect([again.id, later.id]).toEqual([first.id, first.id]);
    expect(await expectFailure(place({ loadSize: 'Large' }, 'twice'))).toMatchObject({ status: 409 });
    expect(await countCardPayments(first.id)).toBe(1);
  });

  test('a cancelled order cannot be accepted', async () => {
    const order = await place();
    const params = { id: order.id };
    await bud.api['cancel-order']({ params });
    expect(await expectFailure(scrub.api['accept-order']({ params }))).toEqual({
      status: 409,
      message: 'This order is Cancelled',
    });
  });

  test.runIf(kind === 'postgres')('one server reads at once what another one wrote', async () => {
    const { id } = await place();
    const params = { id };
    const scrubElsewhere = secondServer.api(scrub.token);
    expect(await scrubElsewhere.readOrder({ params })).toEqual(await scrub.api.readOrder({ params }));
    await scrubElsewhere['accept-order']({ params });
    expect((await bud.api.readOrder({ params })).status).toBe('Accepted');
    await waitFor(async () =>
      expect(await secondServer.api(bud.token).totalSpending()).toEqual(await bud.api.totalSpending()),
    );
  });

  test('parallel requests with one Idempotency-Key place one order and charge once', async () => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const request = { body: orderBody({ bud, scrub }), idempotencyKey: `parallel-${repeat}` };
      const orders = await Promise.all(budApis().map((api) => api.placeOrder(request)));
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
      expect(await countCardPayments(orders[0]?.id)).toBe(1);
    }
  });

  test('of parallel requests with one Idempotency-Key and two bodies, one body wins and the other gets 409', async () => {
    const loadSizes = ['Small', 'Large', 'Small', 'Large'];
    const outcomes = await Promise.all(
      budApis().map((api, index) =>
        captureOutcome(() =>
          api.placeOrder({
            body: orderBody({ bud, scrub }, { loadSize: loadSizes[index] }),
            idempotencyKey: 'two-bodies',
          }),
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  });

  test('a step that is sent again with its key gets the same answer, with nothing extra', async () => {
    const { id } = await place();
    const accept = () => scrub.api['accept-order']({ params: { id }, idempotencyKey: 'accept-again' });
    const first = await accept();
    expect(await accept()).toEqual(first);
    expect(Object.keys(first).toSorted()).toEqual(['createdAt', 'orderId', 'status']);
  });

  test('two Buds may use the same Idempotency-Key', async () => {
    const other = await server.createUser('Bud', { north: 200 });
    const mine = await place({}, 'shared');
    const theirs = await other.api.placeOrder({
      body: orderBody({ bud: other, scrub }),
      idempotencyKey: 'shared',
    });
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs.budId).toBe(other.user.id);
  });
});
