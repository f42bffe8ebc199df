import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { captureOutcome } from '../../promises/callOutcome.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('deliveries on %s', (kind) => {
  let server: TestServer;
  let secondServer: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    secondServer = kind === 'postgres' ? await openTestServer(kind, { beside: server }) : server;
    participants = await createParticipants(server);
  });
  afterAll(async () => {
    if (secondServer !== server) await secondServer?.close();
    await server?.close();
  });

  test.each([
    [false, false, ['Bud_To_Scrub'], ['Bud_To_Scrub', 'Scrub_To_Bud']],
    [true, false, [], ['Scrub_To_Bud']],
    [false, true, ['Bud_To_Scrub'], ['Bud_To_Scrub']],
    [true, true, [], []],
  ])(
    'an order with selfDelivery %s and selfPickup %s opens %j when accepted and has %j when completed',
    async (selfDelivery, selfPickup, accepted, completed) => {
      const { id, price } = await placeOrder(participants, { selfDelivery, selfPickup });
      expect([price.pickup, price.delivery]).toEqual([selfDelivery ? 0 : 5.99, selfPickup ? 0 : 5.99]);
      const types = async () =>
        (await participants.bud.api.readOrder({ params: { id } })).deliveries.map((delivery) => delivery.deliveryType);
      expect(await types()).toEqual([]);
      await participants.scrub.api['accept-order']({ params: { id } });
      expect(await types()).toEqual(accepted);
      // The Scrub may start and complete before the delivery has arrived.
      await participants.scrub.api['start-order']({ params: { id } });
      expect(await types()).toEqual(accepted);
      await participants.scrub.api['complete-order']({ params: { id } });
      expect(await types()).toEqual(completed);
      const { deliveries } = await participants.bud.api.readOrder({ params: { id } });
      for (const delivery of deliveries)
        expect(delivery).toMatchObject({ status: 'Pending', price: 5.99, distanceInMeters: 900 });
    },
  );

  test('a step that is sent again with the same key gets the first answer again, on any server, and happens once', async () => {
    const { bud, scrub, duber } = participants;
    const { id } = await placeOrder(participants);
    const elsewhere = <T extends { token: string }>({ token }: T) => secondServer.api(token);
    const accept = (api: typeof scrub.api, idempotencyKey?: string) =>
      captureOutcome(() => api['accept-order']({ params: { id }, ...(idempotencyKey ? { idempotencyKey } : {}) }));
    const [taken, ...repeats] = [
      ...(await Promise.all([accept(scrub.api, 'tap-1'), accept(elsewhere(scrub), 'tap-1')])),
      await accept(scrub.api, 'tap-1'),
    ];
    for (const repeat of repeats) expect(repeat).toMatchObject({ status: 200, answer: taken?.answer });
    for (const key of ['tap-2', undefined]) expect(await accept(scrub.api, key)).toMatchObject({ status: 409 });
    // Nobody else can use the key, and it is not one for another step.
    expect(
      await captureOutcome(() => bud.api['cancel-order']({ params: { id }, idempotencyKey: 'tap-1' })),
    ).toMatchObject({
      status: 409,
    });
    const order = await bud.api.readOrder({ params: { id } });
    expect(order.statusHistory.map(({ status }) => status)).toEqual(['Requested', 'Accepted']);

    const delivery = { params: { id: findDeliveryId(order, 'Bud_To_Scrub') }, idempotencyKey: 'tap-3' };
    const first = await duber.api['accept-delivery'](delivery);
    expect(await elsewhere(duber)['accept-delivery'](delivery)).toEqual(first);
    await duber.api['way-to-pickup']({ params: delivery.params });
    // Also when the delivery has moved on.
    expect(await duber.api['accept-delivery'](delivery)).toEqual(first);
    expect(await captureOutcome(() => duber.api['accept-delivery']({ params: delivery.params }))).toMatchObject({
      status: 409,
    });
    const other = await server.createUser('Duber', { east: 600 });
    expect(await captureOutcome(() => other.api['accept-delivery'](delivery))).toMatchObject({ status: 409 });
    const { statusHistory } = await bud.api.readDelivery({ params: delivery.params });
    expect(statusHistory.map(({ status }) => status)).toEqual(['Pending', 'Accepted', 'Way_To_Pick']);
    for (const action of ['collected', 'way-to-drop', 'delivered'] as const)
      await duber.api[action]({ params: delivery.params });
  });

  test('a cancelled or rejected order opens no deliveries', async () => {
    for (const status of ['Cancelled', 'Rejected'] as const)
      expect((await createOrderInStatus(participants, status)).deliveries).toEqual([]);
  });

  test('no Duber can skip a step: the answer is 409 and names the status', async () => {
    const id = findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub');
    const duber = await server.createUser('Duber');
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

  test('a Duber cannot accept a second delivery, nor one that another Duber has accepted', async () => {
    const [duber, other] = [await server.createUser('Duber'), await server.createUser('Duber')];
    const open = async () => ({
      params: { id: findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub') },
    });
    const [one, two] = [await open(), await open()];
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
      'You have accepted this delivery before',
    );
  });

  test('a delivery that was called off is not said to be accepted', async () => {
    const [duber, other] = [await server.createUser('Duber'), await server.createUser('Duber')];
    const order = await createOrderInStatus(participants, 'Accepted');
    const params = { id: findDeliveryId(order, 'Bud_To_Scrub') };
    await duber.api['accept-delivery']({ params });
    await participants.bud.api['cancel-accepted']({ params: { id: order.id }, body: { reason: 'changed-mind' } });
    for (const { api } of [duber, other])
      expect(await expectFailure(api['accept-delivery']({ params }))).toEqual({
        status: 409,
        message: 'This delivery was called off',
      });
  });

  test('four parallel requests to finish a delivery finish it once and pay the Duber once', async () => {
    const duber = await server.createUser('Duber');
    const id = findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub');
    await advanceDelivery(duber, id, 4);
    const elsewhere = secondServer.api(duber.token);
    const outcomes = await Promise.all(
      [duber.api, elsewhere, duber.api, elsewhere].map((api) =>
        captureOutcome(() => api.delivered({ params: { id } })),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await duber.api.duberDashboard()).stats).toMatchObject({ totalEarning: 5.99, totalDelivered: 1 });
  });

  describe('a step that the device sends later', () => {
    let params: { id: string };

    beforeAll(async () => {
      params = { id: findDeliveryId(await createOrderInStatus(participants, 'Accepted'), 'Bud_To_Scrub') };
      await participants.duber.api['accept-delivery']({ params });
    });

    const ago = (ms: number) => new Date(server.now().getTime() - ms).toISOString();
    const send = (action: string, takenAt: string) =>
      sendRequest(server.apiUrl, 'GET', `/deliveries/${params.id}/${action}`, {
        token: participants.duber.token,
        headers: { [TAKEN_AT_HEADER]: takenAt },
      });

    test('a time that is in the future, too old or malformed is refused with 400, and the step is not taken', async () => {
      const bad = [
        [ago(-6 * MINUTE_MS), 'isPast'],
        [ago(DAY_MS + MINUTE_MS), 'isRecent'],
        ['yesterday', 'isTime'],
        ['', 'isTime'],
        ['2026-11-21 10:00:00', 'isTime'],
        ['1700000000000', 'isTime'],
      ] as const;
      for (const [takenAt, rule] of bad) {
        const { status, body } = await send('way-to-pickup', takenAt);
        expect([status, body.message[0].property, Object.keys(body.message[0].constraints)], takenAt).toEqual([
          400,
          TAKEN_AT_HEADER,
          [rule],
        ]);
      }
      expect((await participants.duber.api.readDelivery({ params })).status).toBe('Accepted');
    });

    test('everybody sees in the history when the Duber took the step, besides when the server recorded it', async () => {
      const takenAt = ago(DAY_MS - MINUTE_MS);
      const step = await participants.duber.api['way-to-pickup']({ params, takenAt });
      expect(step.takenAt).toBe(takenAt);
      expect(Date.parse(step.createdAt) - Date.parse(takenAt)).toBeGreaterThanOrEqual(DAY_MS - MINUTE_MS);
      await participants.duber.api.collected({ params });
      for (const { api } of [participants.bud, participants.scrub, participants.duber]) {
        const { statusHistory } = await api.readDelivery({ params });
        expect(statusHistory.map((one) => one.takenAt)).toEqual([null, null, takenAt, null]);
      }
    });

    test('a time that is a little ahead counts as now', async () => {
      const { status, body } = await send('way-to-drop', ago(-MINUTE_MS));
      expect(status).toBe(200);
      expect(Date.parse(body.takenAt)).toBeLessThanOrEqual(Date.parse(body.createdAt));
    });
  });
});
