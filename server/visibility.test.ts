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

describe.each(DATABASE_KINDS)('what each participant of an order sees, on %s', (kind) => {
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

    test('the Bud and the Scrub see the Duber’s contacts once a Duber has accepted the delivery', async () => {
      const duber = await testServer.createUser('Duber');
      const id = findLegId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub');
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
      const id = findLegId(await participants.scrub.api.readOrder({ params: { id: orderId } }), 'Bud_To_Scrub');
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
      const leg = findLegId(order, 'Bud_To_Scrub');
      await advanceDelivery(duber, leg);
      await participants.bud.api.reviewToScrub({
        params: { id },
        body: { ...REVIEW, scrubId: participants.scrub.user.id },
      });
      await participants.bud.api.reviewToDuber({ params: { id: leg }, body: { ...REVIEW, duberId: duber.user.id } });
      const { reviews } = (await duber.api.readDelivery({ params: { id: leg } })).order;
      expect(reviews.map(({ type }) => type)).toEqual(['Bud_To_Duber']);
      const back = await testServer
        .createUser('Duber')
        .then((other) => other.api.readDelivery({ params: { id: findLegId(order, 'Scrub_To_Bud') } }));
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
});
