import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Order } from '../../contract/orders.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { approximatePoint, distanceInMeters, type Point } from '../../domain/places.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  firstAddressId,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { defaultValue } from '../../testing/partialSchema.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { setPolicy } from '../town/policies.sql.ts';

const roundToFourDigits = (degrees: number) => Math.round(degrees * 10_000) / 10_000;
/** What answers show of a place that is not shown exactly. */
function approximatelyAt(point: Point): Point {
  const { latitude, longitude } = approximatePoint(point);
  return { latitude: roundToFourDigits(latitude), longitude: roundToFourDigits(longitude) };
}

describe.each(RULE_DATABASES)('what each participant of an order sees, on %s', (kind) => {
  let testServer: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    participants = await createParticipants(testServer);
  });
  afterAll(() => testServer?.close());

  const contact = ({ user: { id, fullname, email, phone } }: Participants['bud']) => ({ id, fullname, email, phone });
  const nameOnly = ({ user: { id, fullname } }: Participants['bud']) => ({ id, fullname, email: null, phone: null });

  describe('contacts', () => {
    test('the Scrub sees the Bud’s contacts from the request on; the Bud sees only the Scrub’s name', async () => {
      const { id } = await placeOrder(participants);
      const asScrub = await participants.scrub.api.readOrder({ params: { id } });
      expect(asScrub.bud).toEqual(contact(participants.bud));
      const asBud = await participants.bud.api.readOrder({ params: { id } });
      expect(asBud.scrub).toEqual({
        id: participants.scrub.user.id,
        fullname: 'Grace Scrub',
        addresses: [expect.any(Object)],
      });
      expect(JSON.stringify(asBud)).not.toContain(participants.scrub.user.email);
    });

    test.each(['Cancelled', 'Rejected'] as const)(
      'a Scrub no longer sees the contacts, the house and the instructions of a Bud whose order is %s',
      async (status) => {
        const { bud, scrub } = participants;
        const instructions = { orderInstructions: 'The key lies under the third pot.' };
        const { id, bud: person } = await createOrderInStatus(participants, status, instructions);
        const read = await scrub.api.readOrder({ params: { id } });
        expect(person).toEqual(nameOnly(bud));
        expect(read).toMatchObject({ bud: nameOnly(bud), orderInstructions: null });
        const { id: addressId, latitude, longitude } = bud.user.addresses[0] ?? expect.fail();
        expect(read.budAddress).toEqual({
          ...{ id: addressId, label: 'Approximate', address: 'Heron Street, Soapwick' },
          ...approximatelyAt({ latitude, longitude }),
        });
        const [listed] = (await scrub.api.listOrders({ query: { pageSize: '1' } })).data.items;
        // A list has optional facts only when they are asked for.
        const statusHistory = read.statusHistory.map(({ action: _action, by: _by, ...step }) => step);
        expect(listed).toEqual(defaultValue({ ...read, statusHistory }, Order));
        const { latestJobs } = await scrub.api.scrubDashboard();
        expect(latestJobs.find((job) => job.id === id)?.bud).toEqual(nameOnly(bud));
        // The Bud still sees their own order as it was.
        expect(await bud.api.readOrder({ params: { id } })).toMatchObject({
          ...{ bud: contact(bud), budAddress: { address: '12 Heron Street, Soapwick', latitude } },
          ...instructions,
        });
      },
    );

    test('the Bud and the Scrub see the Duber’s contacts once a Duber has accepted the delivery', async () => {
      const duber = await testServer.createUser('Duber');
      const id = findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub');
      for (const { api } of [participants.bud, participants.scrub]) {
        expect((await api.readDelivery({ params: { id } })).duber).toBeNull();
      }
      await advanceDelivery(duber, id, 1);
      for (const { api } of [participants.bud, participants.scrub]) {
        expect((await api.readDelivery({ params: { id } })).duber).toEqual(contact(duber));
      }
      expect(JSON.stringify(await participants.bud.api.readDelivery({ params: { id } }))).not.toContain(
        participants.scrub.user.email,
      );
    });

    test('a Duber sees the contacts only while the delivery is theirs, and for seven days after it', async () => {
      const [duber, other] = [
        await testServer.createUser('Duber', { east: 300 }),
        await testServer.createUser('Duber'),
      ];
      const { id: orderId } = await placeOrder(participants, {
        orderInstructions: 'The key lies under the third pot.',
      });
      await participants.scrub.api['accept-order']({ params: { id: orderId } });
      const id = findDeliveryId(await participants.scrub.api.readOrder({ params: { id: orderId } }), 'Bud_To_Scrub');
      const read = () => duber.api.readDelivery({ params: { id } });

      const pending = await read();
      expect([pending.bud, pending.order.bud]).toEqual([nameOnly(participants.bud), nameOnly(participants.bud)]);
      expect(pending.scrub).toEqual({ ...nameOnly(participants.scrub), addresses: [expect.any(Object)] });
      expect(pending.order).toMatchObject({ loadSize: 'Medium', price: null, orderInstructions: null });
      expect(pending.order.budAddress.address).toBe('12 Heron Street, Soapwick');
      expect(pending.price).toBe(5.99);

      await advanceDelivery(duber, id, 1);
      const accepted = await read();
      expect([accepted.bud, accepted.order.bud]).toEqual([contact(participants.bud), contact(participants.bud)]);
      expect(accepted.scrub).toMatchObject(contact(participants.scrub));
      expect(accepted.order).toMatchObject({ price: null, orderInstructions: 'The key lies under the third pot.' });
      expect(await expectFailure(other.api.readDelivery({ params: { id } }))).toEqual({
        status: 404,
        message: 'Not found',
      });

      for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
        await duber.api[step]({ params: { id } });
      }
      testServer.advanceClock(7 * DAY_MS - 60_000);
      expect((await read()).bud).toEqual(contact(participants.bud));
      testServer.advanceClock(61_000);
      expect((await read()).bud).toEqual(nameOnly(participants.bud));
      const [listed] = (await duber.api.listDeliveries()).data.items;
      expect(listed?.bud).toEqual(nameOnly(participants.bud));
      const { latestDeliveries } = await duber.api.duberDashboard();
      expect(JSON.stringify(latestDeliveries)).not.toContain(participants.bud.user.email);
      // The Bud and the Scrub still see the Duber's contacts.
      expect((await participants.bud.api.readDelivery({ params: { id } })).duber).toEqual(contact(duber));
    });

    test('a search and the dashboard’s list of pending deliveries contain no contacts', async () => {
      const duber = await testServer.createUser('Duber', { east: 300 });
      await createOrderInStatus(participants, 'Accepted');
      const near = await duber.api.findDeliveriesNearby({ query: { addressId: firstAddressId(duber) } });
      const { pendingDeliveries } = await duber.api.duberDashboard();
      expect(near.length).toBeGreaterThan(0);
      expect(pendingDeliveries).toEqual(near);
      const scrubs = await participants.bud.api.findScrubsNearby({
        query: { addressId: firstAddressId(participants.bud) },
      });
      expect(JSON.stringify([near, scrubs])).not.toContain('@');
      expect(JSON.stringify([near, scrubs])).not.toContain('+1202');
    });

    test('a Duber sees only the reviews of their own delivery', async () => {
      const order = await createOrderInStatus(participants, 'Completed');
      const { id } = order;
      const duber = await testServer.createUser('Duber');
      const delivery = findDeliveryId(order, 'Bud_To_Scrub');
      await advanceDelivery(duber, delivery);
      await participants.bud.api.reviewToScrub({
        params: { id },
        body: { ...REVIEW, scrubId: participants.scrub.user.id },
      });
      await participants.bud.api.reviewToDuber({
        params: { id: delivery },
        body: { ...REVIEW, duberId: duber.user.id },
      });
      const { reviews } = (await duber.api.readDelivery({ params: { id: delivery } })).order;
      expect(reviews.map(({ type }) => type)).toEqual(['Bud_To_Duber']);
      const back = await testServer
        .createUser('Duber')
        .then((other) => other.api.readDelivery({ params: { id: findDeliveryId(order, 'Scrub_To_Bud') } }));
      expect(back.order.reviews).toEqual([]);
    });
  });

  test('an order keeps its addresses, price and distance when the people move', async () => {
    const bud = await testServer.createUser('Bud', { north: 100 });
    const scrub = await testServer.createUser('Scrub', { north: 1100 });
    const { id } = await placeOrder({ bud, scrub });
    const before = await bud.api.readOrder({ params: { id } });
    const moved = { label: 'Moved', address: '99 Weir Street', ...pointAt(-2000, 0) };
    await bud.api.updateAddress({ body: { ...moved, id: firstAddressId(bud) } });
    await scrub.api.updateAddress({ body: { ...moved, id: firstAddressId(scrub) } });
    await scrub.api['accept-order']({ params: { id } });
    const after = await bud.api.readOrder({ params: { id } });
    expect([after.budAddress, after.scrub, after.price]).toEqual([before.budAddress, before.scrub, before.price]);
    expect(after.deliveries[0]?.distanceInMeters).toBe(1000);
    // The pickup is at the order's address, not at the Bud's new one.
    const duber = await testServer.createUser('Duber', { north: 100 });
    const near = await duber.api.findDeliveriesNearby({
      query: { addressId: firstAddressId(duber), maxDistanceMeters: '10' },
    });
    expect(near.map(({ delivery }) => delivery.orderId)).toEqual([id]);
  });

  describe('under the policy careful', () => {
    const decide = async (value: 'open' | 'careful') => {
      await setPolicy(testServer.server.db, { name: 'privacy', value, setBy: 'a test' }, testServer.now());
    };
    afterEach(() => decide('open'));

    test('a Duber who has not accepted a delivery sees approximate places, distances and names', async () => {
      const { bud, scrub } = participants;
      const id = findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub');
      const duber = await testServer.createUser('Duber', { east: 40 });
      const byId = () => duber.api.readDelivery({ params: { id } });
      const nearby = async () => {
        const found = await duber.api.findDeliveriesNearby({ query: { addressId: firstAddressId(duber) } });
        return found.find(({ delivery }) => delivery.id === id) ?? expect.fail();
      };
      const before = [await byId(), await nearby()] as const;
      expect(before[0].distanceInMeters).toBe(900);
      expect(await duber.api.readConfig()).not.toHaveProperty('roundsPlaces');
      await decide('careful');
      // So that its screens do not write rough distances as exact ones.
      expect(await duber.api.readConfig()).toMatchObject({ roundsPlaces: true });
      const seen = await byId();
      const [from, to] = [approximatelyAt(pointAt(300, 0)), approximatelyAt(pointAt(1200, 0))];
      expect(seen.order.budAddress).toMatchObject({ label: 'Approximate', address: 'Heron Street, Soapwick', ...from });
      expect(seen.scrub.addresses).toMatchObject([{ label: 'Approximate', address: 'Heron Street, Soapwick', ...to }]);
      expect([seen.bud.fullname, seen.scrub.fullname, seen.order.bud.fullname]).toEqual([
        'Ada B.',
        'Grace S.',
        'Ada B.',
      ]);
      expect(seen.distanceInMeters).toBe(Math.round(distanceInMeters(from, to) / 100) * 100);
      const found = await nearby();
      expect([found.bud.fullname, found.scrub.fullname]).toEqual(['Ada B.', 'Grace S.']);
      expect(found.distanceMeters).toBe(Math.round(distanceInMeters(pointAt(0, 40), from) / 100) * 100);
      // A delivery by itself says more.
      expect(seen).toMatchObject(found.delivery);
      expect((await duber.api.duberDashboard()).pendingDeliveries).toContainEqual(found);
      await advanceDelivery(duber, id, 1);
      expect(await byId()).toMatchObject({
        ...{ bud: contact(bud), scrub: contact(scrub), distanceInMeters: 900 },
        order: { budAddress: { address: '12 Heron Street, Soapwick', ...pointAt(300, 0) } },
      });
      await decide('open');
      const { status: _status, statusHistory: _history, ...rest } = before[0];
      expect(rest.order.budAddress).toEqual((await byId()).order.budAddress);
    });

    test('a search cannot find out where a Scrub is by narrowing its radius', async () => {
      const { bud } = participants;
      const scrub = await testServer.createUser('Scrub', { fullname: 'Grace Hopper', north: 1340 });
      const shown = approximatelyAt(pointAt(1340, 0));
      const search = (maxDistanceMeters: number) =>
        bud.api.findScrubsNearby({
          query: { addressId: firstAddressId(bud), maxDistanceMeters: String(maxDistanceMeters) },
        });
      const isFound = async (radius: number) =>
        (await search(radius)).some((found) => found.scrub.id === scrub.user.id);
      expect([await isFound(1039), await isFound(1040)]).toEqual([false, true]);
      await decide('careful');
      const meters = distanceInMeters(pointAt(300, 0), shown);
      expect(Math.abs(meters - 1040)).toBeGreaterThan(100);
      expect([await isFound(meters - 15), await isFound(meters + 15)]).toEqual([false, true]);
      const found = (await search(5000)).find((one) => one.scrub.id === scrub.user.id);
      expect(found).toEqual({
        scrub: { id: scrub.user.id, fullname: 'Grace Hopper' },
        distanceMeters: Math.round(meters / 100) * 100,
        address: { address: 'Heron Street, Soapwick', ...shown },
        rating: expect.any(Number),
      });
    });

    test('a Scrub and a Bud see each other’s exact place from the acceptance until 7 days after the order', async () => {
      const { bud, scrub } = participants;
      await decide('careful');
      const duber = await testServer.createUser('Duber', { east: 60 });
      const { id } = await placeOrder(participants);
      const asScrub = () => scrub.api.readOrder({ params: { id } });
      const asBud = () => bud.api.readOrder({ params: { id } });
      const coarse = { label: 'Approximate', address: 'Heron Street, Soapwick' };
      const exact = { label: 'Default', address: '12 Heron Street, Soapwick' };
      expect(await asScrub()).toMatchObject({
        bud: { ...nameOnly(bud), fullname: 'Ada B.' },
        budAddress: { ...coarse, ...approximatelyAt(pointAt(300, 0)) },
      });
      expect((await asBud()).scrub).toMatchObject({ fullname: 'Grace Scrub', addresses: [coarse] });
      for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
        await scrub.api[step]({ params: { id } });
      const out = findDeliveryId(await asBud(), 'Bud_To_Scrub');
      await advanceDelivery(duber, out);
      // One delivery is still to come, so the order has not ended.
      testServer.advanceClock(8 * DAY_MS);
      expect(await asScrub()).toMatchObject({ bud: contact(bud), budAddress: exact });
      expect((await asBud()).deliveries[0]).toMatchObject({ duber: contact(duber), scrub: { addresses: [exact] } });
      await advanceDelivery(duber, findDeliveryId(await asBud(), 'Scrub_To_Bud'));
      testServer.advanceClock(7 * DAY_MS - 60_000);
      expect((await asScrub()).bud).toEqual(contact(bud));
      testServer.advanceClock(61_000);
      expect(await asScrub()).toMatchObject({ bud: nameOnly(bud), budAddress: coarse, orderInstructions: null });
      const after = await asBud();
      expect(after.scrub).toMatchObject({ fullname: 'Grace Scrub', addresses: [coarse] });
      expect(after.deliveries.map((one) => one.duber)).toEqual([nameOnly(duber), nameOnly(duber)]);
      expect(after.bud).toEqual(contact(bud));
      await decide('open');
      expect((await asScrub()).bud).toEqual(contact(bud));
    });
  });
});
