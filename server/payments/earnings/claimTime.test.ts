import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { createPromo } from '../../../testing/promos.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow, transact } from '../../db/database.ts';
import { orderHandlers } from '../../orders/orders.ts';
import { reopenOrder } from '../../orders/reopenOrder.ts';
import { findAuditProblems } from '../ledger/audit.sql.ts';
import { requestRefund } from '../refunds/refunds.ts';

const FEE = 599;
const LOAD = 1250;
/** With a platform fee of 100 %, each third of an order's fee is 416 cents. */
const WHOLE = 10_000;

describe.each(RULE_DATABASES)('what may still go back to a card, on %s', (kind) => {
  let harness: PaymentHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  beforeEach(async () => {
    await harness?.close();
    // A Wednesday.
    harness = await openPaymentHarness(kind);
    earnings = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  const setFee = (value: number) =>
    sql`insert into prices (item, valid_from, value) values ('platform-fee', ${harness.context.now()}, ${value})
      on conflict (item, valid_from) do update set value = excluded.value`.execute(harness.context.db);
  /** So many orders are delivered, and closed when nobody can claim any more. */
  const closeOrders = async (count: number, more: object = {}) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await harness.createOrder('Delivered', more));
    await harness.runPaymentJobs();
    await earnings.passDays(8);
    return ids;
  };
  const waitsOf = async (account: 'scrub' | 'duber') =>
    (await earnings.linesOf(account)).map(({ waitsFor, payableFrom }) => [waitsFor, payableFrom]);
  const paidFor = async (orderId: string) =>
    (
      await queryRow<{ cents: number }>(
        harness.context.db,
        sql`select coalesce(-sum(l.amount), 0)::int as cents from payout_lines k
          join ledger_lines l on l.entry_id = k.entry_id and l.position = k.position
          join ledger_entries e on e.id = l.entry_id where e.order_id = ${orderId} and l.account = 'scrub'`,
      )
    )?.cents;
  const expectNoProblems = async () => expect(await findAuditProblems(harness.context.db)).toEqual([]);

  test('is paid out once nobody can claim it, and the earnings say from when on', async () => {
    await harness.createOrder('Delivered');
    expect(await waitsOf('scrub')).toEqual([['claim-time', '2026-11-25T12:00:00.000Z']]);
    expect(await earnings.earningsOf('duber')).toMatchObject({ balance: 11.98, held: 11.98 });
    expect(await earnings.payOut('scrub')).toBe(0);
    expect((await earnings.earningsOf('duber')).paidOut).toBe(0);
    await earnings.passDays(3);
    expect(await waitsOf('scrub')).toEqual([[null, null]]);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('never leaves the platform with a loss when everything goes back on the day after the payouts', async () => {
    const id = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    await earnings.payOut('scrub');
    expect(await requestRefund(harness.context, { orderId: id, liable: 'scrub', reason: 'a claim' })).toMatchObject({
      ok: true,
    });
    await harness.runPaymentJobs();
    const row = await queryRow(harness.context.db, sql`select count(*)::int as count from payouts`);
    expect(row).toEqual({ count: 0 });
    await expectNoProblems();
  });

  test('is paid out at once up to a third of the platform fees of closed orders, oldest orders first', async () => {
    await setFee(WHOLE);
    await closeOrders(3);
    await earnings.payOut('scrub');
    await setFee(1_000);
    const { id: first, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    await earnings.complete(first);
    await earnings.passDays(2);
    const second = await harness.createOrder('Delivered');
    expect((await waitsOf('scrub')).map(([why]) => why)).toEqual([null, 'claim-time']);
    await earnings.payOut('scrub');
    expect([await paidFor(first), await paidFor(second)]).toEqual([LOAD, 0]);
    // What is paid and may still go back counts: the laundry of the first order is not back.
    await earnings.passDays(2);
    const third = await harness.createOrder('Delivered');
    await earnings.payOut('scrub');
    expect([await paidFor(second), await paidFor(third)]).toEqual([LOAD, 0]);
    await expectNoProblems();
  });

  test('earns nobody trust with fees that a promo code paid, that went back, or that the platform lost', async () => {
    await setFee(WHOLE);
    const { code } = await createPromo(harness.context, { value: 1_250 });
    await closeOrders(2, { promoCode: code });
    const [, lost] = await closeOrders(2);
    await earnings.payOut('scrub');
    await setFee(1_000);
    await requestRefund(harness.context, { orderId: lost ?? '', amount: 1_250, liable: 'platform', reason: 'late' });
    await harness.createOrder('Delivered');
    // 416 cents of the first order, and a third of the loss of the second.
    expect((await waitsOf('scrub')).map(([why]) => why)).toEqual(['claim-time']);
    await expectNoProblems();
  });

  test('does not wait for trips of orders that have ended without laundry', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await harness.runPaymentJobs();
    await earnings.carry(outbound, 0, ['accept-delivery', 'way-to-pickup']);
    await earnings.pay(outbound, { kind: 'trip', cents: FEE, borneBy: 'order' });
    expect(await waitsOf('duber')).toEqual([['claim-time', null]]);
    await earnings.callOff(id);
    expect(await waitsOf('duber')).toEqual([[null, null]]);
    expect(await earnings.payOut('duber')).toBe(FEE);
    await harness.runPaymentJobs();
    await expectNoProblems();
  });

  test('waits again while the laundry is cleaned again', async () => {
    const id = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    await earnings.passDays(6);
    const { context } = harness;
    await transact(context.db, (tx) =>
      reopenOrder(context, tx, { orderId: id, waysPaidBy: 'platform', reason: 'not-clean' }),
    );
    expect(await earnings.payOut('scrub')).toBe(0);
    expect(await waitsOf('scrub')).toEqual([['claim-time', null]]);
    await earnings.carryAll(id);
    await orderHandlers(context)['complete-order']({ caller: harness.users.scrubs[0], params: { id } } as never);
    await earnings.carryAll(id);
    expect(await earnings.payOut('scrub')).toBe(0);
    await earnings.passDays(1);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('takes what was refunded of it from it, and not from other orders', async () => {
    await closeOrders(1);
    const id = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    expect(
      await requestRefund(harness.context, { orderId: id, amount: 300, liable: 'scrub', reason: 'a claim' }),
    ).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    expect((await earnings.earningsOf('scrub')).balance).toBe(9.62);
    await expectNoProblems();
  });
});
