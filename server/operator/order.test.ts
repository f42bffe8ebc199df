import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TownOrder } from '../../contract/operator/orders.ts';
import { DELIVERY_EXCEPTIONS } from '../../domain/process/delivery.ts';
import { ORDER_TOWN_ROWS } from '../../domain/process/order.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, raiseLimits, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

const REASON = 'They have telephoned';
const byOperator = (
  rows: readonly { readonly action: string; readonly by: string; readonly from: string }[],
  from: string,
) => [...new Set(rows.filter((row) => row.by === 'Operator' && row.from === from).map(({ action }) => action))];

describe.each(RULE_DATABASES)('an order in the console, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['see', 'dispatch'], fullname: 'Ada Operator' });
    await raiseLimits(testServer);
  });
  afterAll(() => testServer?.close());

  const read = (id: string) => ada.api.readTownOrder({ params: { id } });
  const openActions = ({ actions }: Pick<TownOrder, 'actions'>) =>
    actions.filter(({ hint }) => hint === null).map(({ action }) => action);
  /** An accepted order and its delivery, of which the Duber has taken some steps. */
  const accepted = async (steps = 0) => {
    const order = await createOrderInStatus(people, 'Accepted');
    const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
    await advanceDelivery(people.duber, deliveryId, steps);
    return { id: order.id, deliveryId };
  };

  test('shows who did what, and nothing of how to reach them', async () => {
    const { id } = await placeOrder(people, { loadSize: 'Small' });
    await people.scrub.api['accept-order']({ params: { id } });
    const order = await read(id);
    expect(order).toMatchObject({
      status: 'Accepted',
      number: expect.stringMatching(/^R-\d+$/),
      bud: { role: 'Bud', fullname: 'Ada Bud' },
      scrub: { role: 'Scrub', fullname: 'Grace Scrub' },
      custody: { holder: { role: 'Bud', fullname: 'Ada Bud' }, since: null, bags: null, handovers: [] },
      payment: { card: expect.stringContaining('···'), refunded: 0 },
      audit: [],
    });
    expect(order.steps.map(({ action, by }) => [action, by.role, by.name])).toEqual([
      ['place-order', 'Bud', 'Ada Bud'],
      ['accept-order', 'Scrub', 'Grace Scrub'],
    ]);
    expect(order.deliveries.map(({ type, status }) => [type, status])).toEqual([['Bud_To_Scrub', 'Pending']]);
    const text = JSON.stringify(order);
    for (const { user } of [people.bud, people.scrub]) {
      expect(text).not.toContain(user.email);
      expect(text).not.toContain(user.phone ?? 'no phone');
    }
    await ada.api['order-cancel-by-operator']({ params: { id }, body: { why: 'asked', reason: REASON } });
  });

  test('follows the laundry from hand to hand, and its money', async () => {
    const { id, deliveryId } = await accepted(5);
    expect((await read(id)).custody).toMatchObject({
      holder: { role: 'Scrub', fullname: 'Grace Scrub' },
      handovers: [
        { giver: { role: 'Bud' }, taker: { role: 'Duber' }, deliveryId },
        { giver: { role: 'Duber' }, taker: { role: 'Scrub' }, deliveryId },
      ],
    });
    for (const action of ['start-order', 'complete-order'] as const) await people.scrub.api[action]({ params: { id } });
    const { ledger, deliveries } = await waitFor(async () => {
      const order = await read(id);
      expect(order.ledger.map((entry) => entry.kind)).toEqual(
        expect.arrayContaining(['captured', 'delivered', 'completed']),
      );
      return order;
    });
    for (const { lines } of ledger)
      expect(lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(0);
    const lines = ledger.flatMap((entry) => entry.lines.map(({ account, party }) => `${account} ${party?.name}`));
    expect(lines).toEqual(expect.arrayContaining(['card-clearing Ada Bud', 'scrub Grace Scrub', 'duber Alan Duber']));
    expect(deliveries.map(({ type }) => type)).toEqual(['Bud_To_Scrub', 'Scrub_To_Bud']);
  });

  test('offers the rows of an operator at each status, and says why one cannot be taken now', async () => {
    const { id, deliveryId } = await accepted();
    const expectRows = async (...[orderStatus, deliveryStatus]: [string, string]) => {
      const { actions, deliveries } = await read(id);
      expect(actions.map(({ action }) => action)).toEqual(byOperator(ORDER_TOWN_ROWS, orderStatus));
      expect(deliveries[0]?.actions.map(({ action }) => action)).toEqual(
        byOperator(DELIVERY_EXCEPTIONS, deliveryStatus),
      );
      return { order: actions, delivery: deliveries[0]?.actions ?? [] };
    };
    expect(openActions({ actions: (await expectRows('Accepted', 'Pending')).order })).toEqual([
      'give-back',
      'cancel-by-operator',
    ]);
    await advanceDelivery(people.duber, deliveryId, 2);
    await expectRows('Accepted', 'Way_To_Pick');
    await people.duber.api.collected({ params: { id: deliveryId } });
    const collected = await expectRows('Accepted', 'Collected');
    expect(collected.order).toMatchObject([
      { action: 'give-back', hint: 'The laundry is on its way already' },
      {
        action: 'cancel-by-operator',
        hint: 'The Duber still has the laundry',
        needsPayer: false,
        waysHome: ['fetch', 'lost'],
      },
    ]);
    expect(collected.delivery).toMatchObject([
      { action: 'mark-delivered', hint: null, needsPlace: false, reasons: ['no-phone', 'asked', 'other'] },
      { action: 'relay', hint: null, needsPlace: true, reasons: ['breakdown', 'ill', 'unsafe', 'other'] },
      { action: 'correct', hint: null, needsPlace: false },
      { action: 'report-lost', hint: null, needsWords: false, reasons: ['silent', 'stolen', 'other'] },
    ]);
    // The words are the same as those of the refusal.
    const cancel = { why: 'asked', wayHome: 'fetch', reason: REASON } as const;
    const refused = await expectFailure(ada.api['order-cancel-by-operator']({ params: { id }, body: cancel }));
    expect(refused).toMatchObject({ status: 409, message: 'The Duber still has the laundry' });
    for (const action of ['way-to-drop', 'delivered'] as const)
      await people.duber.api[action]({ params: { id: deliveryId } });
  });

  test('takes a Duber off in the name of the operator, once, with one row in the audit', async () => {
    const { id, deliveryId } = await accepted(1);
    const takeOff = (more: object) =>
      ada.api['delivery-take-off']({ params: { id: deliveryId }, body: { why: 'silent', reason: REASON, ...more } });
    expect(await expectFailure(takeOff({ why: 'breakdown' }))).toMatchObject({ status: 400 });
    expect((await expectFailure(takeOff({ why: 'other' }))).message).toBe('Say in words what it is');
    await takeOff({ words: 'He does not answer' });
    const order = await read(id);
    const [delivery] = order.deliveries;
    expect(delivery).toMatchObject({ status: 'Pending', attempt: 2, duber: null });
    expect(delivery?.steps.at(-1)).toMatchObject({
      action: 'take-off',
      by: { role: 'Operator', id: ada.session.operator.id, name: 'Ada Operator' },
      reason: 'silent',
      words: 'He does not answer',
    });
    expect(order.audit).toMatchObject([
      {
        action: 'delivery-take-off',
        by: { name: 'Ada Operator' },
        subject: { kind: 'delivery', id: deliveryId },
        orderNumber: order.number,
        reason: REASON,
        details: { why: 'silent', words: 'He does not answer', status: 'Pending', attempt: 2 },
      },
    ]);
    // The people of the order read that it was the town, and the words.
    const seen = await people.bud.api.readOrder({ params: { id } });
    expect(seen.deliveries[0]).toMatchObject({ status: 'Pending' });
    expect(JSON.stringify(seen)).not.toContain(REASON);
    expect(await expectFailure(takeOff({}))).toMatchObject({ status: 409 });
    expect((await read(id)).audit).toHaveLength(1);
    await ada.api['order-cancel-by-operator']({ params: { id }, body: { why: 'nobody-can', reason: REASON } });
    expect(await read(id)).toMatchObject({ status: 'Cancelled', actions: [], deliveries: [{ status: 'Called_Off' }] });
  });

  test('an operator and a Duber who press at the same moment both get an answer, and the audit says what happened', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, deliveryId } = await accepted(2);
      const params = { id: deliveryId };
      const takeOff = { why: 'asked', reason: REASON };
      const results = await Promise.allSettled([
        ada.api['delivery-take-off']({ params, body: takeOff }),
        people.duber.api['arrived-at-pickup']({ params, body: { place: pointAt(300, 0) } }),
        ada.api['delivery-take-off']({ params, body: takeOff }),
      ]);
      const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.statusCode] : []));
      for (const status of refusals) expect([404, 409]).toContain(status);
      const order = await read(id);
      expect(order.deliveries[0]).toMatchObject({ status: 'Pending', attempt: 2 });
      expect(order.audit.map(({ action }) => action)).toEqual(['delivery-take-off']);
      await ada.api['order-cancel-by-operator']({ params: { id }, body: { why: 'asked', reason: REASON } });
    }
  });

  test('shows the photos of steps, and none that nobody has used', async () => {
    const { id, deliveryId } = await accepted(2);
    const [used, unused] = [await sendPhoto(people.duber), await sendPhoto(people.duber)];
    await people.duber.api['arrived-at-pickup']({ params: { id: deliveryId }, body: { fileIds: [used] } });
    expect((await read(id)).deliveries[0]?.steps.at(-1)).toMatchObject({
      action: 'arrived-at-pickup',
      fileIds: [used],
    });
    expect((await ada.api.readTownFile({ params: { id: used } })).size).toBeGreaterThan(0);
    expect((await expectFailure(ada.api.readTownFile({ params: { id: unused } }))).status).toBe(404);
    await ada.api['order-cancel-by-operator']({ params: { id }, body: { why: 'asked', reason: REASON } });
  });

  test('has the laundry of a broken-down Duber handed on, and a lost bag called off', async () => {
    const { id, deliveryId } = await accepted(4);
    const params = { id: deliveryId };
    const relay = { why: 'breakdown', reason: REASON };
    expect((await expectFailure(ada.api['delivery-relay']({ params, body: relay }))).status).toBe(400);
    await ada.api['delivery-relay']({ params, body: { ...relay, place: pointAt(600, 0) } });
    // Others come first for a while.
    const bob = await testServer.createUser('Duber', { fullname: 'Bob Duber', east: 600 });
    await advanceDelivery(bob, deliveryId, 3);
    await bob.api['report-lost']({ params, body: { words: 'The bag is gone' } });
    const lost = await read(id);
    expect(lost.cases).toMatchObject([{ kind: 'lost', status: 'with-town', number: expect.stringMatching(/^C-\d+$/) }]);
    expect(openActions(lost.deliveries[0] ?? { actions: [] })).toContain('call-off');
    await ada.api['delivery-call-off']({ params, body: { why: 'lost', reason: REASON } });
    const cancel = { why: 'lost', wayHome: 'lost', words: 'The bag was not found', reason: REASON } as const;
    await ada.api['order-cancel-by-operator']({ params: { id }, body: cancel });
    expect((await read(id)).audit.map(({ action }) => action)).toEqual([
      'order-cancel-by-operator',
      'delivery-call-off',
      'delivery-relay',
    ]);
  });

  test('has the laundry of a Duber who has vanished reported as lost', async () => {
    const { id, deliveryId } = await accepted(4);
    const { db } = testServer.server;
    const userId = people.duber.user.id;
    expect(openActions((await read(id)).deliveries[0] ?? { actions: [] })).toContain('report-lost');
    await ada.api['delivery-report-lost']({ params: { id: deliveryId }, body: { why: 'silent', reason: REASON } });
    const lost = await read(id);
    expect(lost.deliveries[0]).toMatchObject({ status: 'Failed', duber: { id: userId }, hasLaundry: true });
    expect(lost.cases).toMatchObject([{ kind: 'lost', status: 'with-town', priority: 'high' }]);
    const about = db.selectFrom('cases').select(['about_user', 'reason']).where('delivery_id', '=', deliveryId);
    expect(await about.execute()).toEqual([{ about_user: userId, reason: 'silent' }]);
    const holds = db.selectFrom('payout_holds').select(['user_id', 'account', 'reason', 'ended_at']);
    expect(await holds.where('order_id', '=', id).execute()).toEqual([
      { user_id: userId, account: 'duber', reason: 'lost', ended_at: null },
    ]);
    const notices = db
      .selectFrom('notifications')
      .select('user_id')
      .where('about', '=', deliveryId)
      .where('channel', '=', 'mail');
    const notified = await notices.where('kind', '=', 'failed-drop').execute();
    expect(notified.map((row) => row.user_id).sort()).toEqual(
      [people.bud.user.id, people.scrub.user.id, userId].sort(),
    );
    await ada.api['delivery-call-off']({ params: { id: deliveryId }, body: { why: 'lost', reason: REASON } });
    const cancel = { why: 'lost', wayHome: 'lost', words: 'The bag was not found', reason: REASON } as const;
    await ada.api['order-cancel-by-operator']({ params: { id }, body: cancel });
  });

  /** An order whose laundry a Duber has brought to its Scrub. */
  const atScrub = async () => {
    const { id, deliveryId } = await accepted(5);
    const cancel = (more: object) =>
      ada.api['order-cancel-by-operator']({ params: { id }, body: { why: 'asked', reason: REASON, ...more } });
    return { id, deliveryId, cancel };
  };
  const mailsAbout = async (id: string, userId: string) => {
    const rows = await testServer.server.db
      .selectFrom('notifications')
      .select('kind')
      .where('about', '=', id)
      .where('user_id', '=', userId)
      .where('channel', '=', 'mail')
      .execute();
    return rows.map(({ kind }) => kind);
  };

  test('cancels an order whose laundry is at the Scrub only with a way home and somebody who pays for it', async () => {
    const { id, cancel } = await atScrub();
    expect((await read(id)).actions).toContainEqual(
      expect.objectContaining({ action: 'cancel-by-operator', hint: null, waysHome: ['bring', 'fetch', 'lost'] }),
    );
    expect((await expectFailure(cancel({}))).message).toBe(
      'Say how the laundry gets home: wayHome must be one of bring, fetch, lost',
    );
    expect((await expectFailure(cancel({ wayHome: 'bring' }))).message).toBe(
      'Say who pays the Duber who brings the laundry home',
    );
    expect((await read(id)).status).toBe('Accepted');
    await cancel({ wayHome: 'fetch' });
  });

  test('has a Duber bring the laundry of a cancelled order home, which its Bud reads', async () => {
    const { id, cancel } = await atScrub();
    await cancel({ wayHome: 'bring', waysPaidBy: 'bud' });
    const params = { id };
    const seen = await people.bud.api.readOrder({ params });
    expect(seen).toMatchObject({ status: 'Cancelled', wayHome: 'bring' });
    expect(await mailsAbout(id, people.bud.user.id)).toContain('cancelled');
    // Nobody but the Duber takes it from the Scrub now.
    expect(await people.bud.api.readCustody({ params })).toMatchObject({ canConfirm: false, pin: expect.any(String) });
    const deliveryId = findDeliveryId(seen, 'Scrub_To_Bud');
    await advanceDelivery(people.duber, deliveryId);
    expect(await people.bud.api.readCustody({ params })).toMatchObject({ holder: { role: 'Bud' } });
    expect(await people.bud.api.readOrder({ params })).not.toHaveProperty('wayHome');
    const { payment, ledger } = await read(id);
    // The Bud pays the two ways that were driven, and nobody else does.
    const sums = new Map<string, number>();
    for (const { lines } of ledger)
      for (const { account, amount } of lines) sums.set(account, (sums.get(account) ?? 0) + Math.round(amount * 100));
    expect(sums.get('refund-costs') ?? 0).toBe(0);
    expect(sums.get('duber')).toBe(-Math.round((seen.price.pickup + seen.price.delivery) * 100));
    expect(payment?.state).toBe('captured');
  });

  test('leaves the laundry of a cancelled order to its Bud when the Duber who was to bring it is called off', async () => {
    const { id, cancel } = await atScrub();
    await cancel({ wayHome: 'bring', waysPaidBy: 'platform' });
    const params = { id };
    const deliveryId = findDeliveryId(await people.bud.api.readOrder({ params }), 'Scrub_To_Bud');
    await ada.api['delivery-call-off']({ params: { id: deliveryId }, body: { why: 'asked', reason: REASON } });
    expect(await people.bud.api.readCustody({ params })).toMatchObject({ holder: { role: 'Scrub' }, canConfirm: true });
    await people.bud.api.confirmReceived({ params, body: { bags: 2 } });
    expect(await people.bud.api.readCustody({ params })).toMatchObject({ holder: { role: 'Bud' } });
  });

  test('opens an urgent case when the laundry of a cancelled order is lost at the Scrub', async () => {
    const { id, cancel } = await atScrub();
    await cancel({ wayHome: 'lost' });
    expect((await read(id)).cases).toMatchObject([{ kind: 'lost', status: 'with-town' }]);
  });

  test('has laundry that a Duber could not drop off reported as lost too, once', async () => {
    const { id, deliveryId } = await accepted(4);
    const params = { id: deliveryId };
    const lose = () => ada.api['delivery-report-lost']({ params, body: { why: 'silent', reason: REASON } });
    await people.duber.api['drop-failed']({ params, body: { reason: 'unsafe' } });
    expect(openActions((await read(id)).deliveries[0] ?? { actions: [] })).toContain('report-lost');
    await lose();
    const lost = await read(id);
    expect(lost.deliveries[0]).toMatchObject({ status: 'Failed', attempt: 2, hasLaundry: true });
    expect(lost.cases.map(({ kind }) => kind).toSorted()).toEqual(['failed-drop', 'lost']);
    const again = await expectFailure(lose());
    expect(again).toMatchObject({ status: 409, message: 'The laundry is reported as lost' });
    await ada.api['delivery-call-off']({ params, body: { why: 'lost', reason: REASON } });
    const cancel = { why: 'lost', wayHome: 'lost', words: 'The bag was not found', reason: REASON } as const;
    await ada.api['order-cancel-by-operator']({ params: { id }, body: cancel });
  });

  test('lists the orders of the town, newest first, in pages, and by status', async () => {
    const sameMoment = await placeOrder(people);
    const all = await ada.api.listTownOrders();
    expect(all.items[0]).toMatchObject({
      id: sameMoment.id,
      status: 'Requested',
      bud: 'Ada Bud',
      scrub: 'Grace Scrub',
    });
    expect(all.next).toBeNull();
    const [, second] = all.items;
    const query = { before: all.items[0]?.placedAt ?? '', beforeNumber: all.items[0]?.number.slice(2) ?? '' };
    expect((await ada.api.listTownOrders({ query: query as never })).items[0]).toEqual(second);
    const cancelled = await ada.api.listTownOrders({ query: { status: 'Cancelled' } });
    expect(cancelled.items.length).toBeGreaterThan(0);
    expect(new Set(cancelled.items.map(({ status }) => status))).toEqual(new Set(['Cancelled']));
    await people.bud.api['cancel-order']({ params: { id: sameMoment.id } });
  });
});
