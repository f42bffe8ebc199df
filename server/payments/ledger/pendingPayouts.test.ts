import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRows, transact } from '../../db/database.ts';
import { holdCredits, type PendingPayout, releaseCredits } from '../earnings/earnings.ts';
import { runPayouts } from '../payouts/payouts.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { findAuditProblems } from './audit.sql.ts';

const FEE = 599;
const LOAD = 1250;

describe.each(RULE_DATABASES)('payouts on %s', (kind) => {
  let harness: PaymentHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    earnings = openEarningTests(harness);
    await earnings.earnTrust();
  });
  // What the tests before have left is paid.
  beforeEach(() => earnings.payOut('scrub'));
  afterAll(() => harness?.close());

  const scrubHold = (orderId: string, caseId?: string) => ({
    orderId,
    account: 'scrub' as const,
    userId: harness.users.scrubs[0]?.id ?? '',
    reason: caseId ? ('case' as const) : ('laundry-not-seen' as const),
    ...(caseId ? { caseId } : {}),
  });
  const hold = (asked: PendingPayout) =>
    transact(harness.context.db, (tx) => holdCredits(tx, asked, harness.context.now()));
  const release = (asked: PendingPayout) =>
    transact(harness.context.db, (tx) => releaseCredits(tx, asked, harness.context.now()));
  const expectNoProblems = async () => expect(await findAuditProblems(harness.context.db)).toEqual([]);

  test('undo a paid-out delivery to the cent, and pay it again when it is made again', async () => {
    const [before, { outbound }] = [await earnings.earningsOf('duber'), await earnings.placeOrder()];
    await earnings.carry(outbound);
    expect(await earnings.payOut('duber')).toBe(FEE);
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Way_To_Drop');
    const taken = await earnings.earningsOf('duber');
    expect([taken.balance, taken.totalEarning]).toEqual([-5.99, before.totalEarning]);
    expect(await earnings.payOut('duber')).toBe(0);
    await earnings.deliver(outbound);
    await earnings.deliver(outbound).catch(() => undefined);
    expect((await earnings.earningsOf('duber')).balance).toBe(0);
    expect(await earnings.payOut('duber')).toBe(0);
    await expectNoProblems();
  });

  test('wait until a Duber has delivered the laundry', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.complete(id);
    expect(await earnings.payOut('scrub')).toBe(0);
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 12.5, held: 12.5 });
    expect((await earnings.linesOf('scrub')).map(({ waitsFor }) => waitsFor)).toEqual(['laundry-not-seen']);
    await earnings.carry(outbound);
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 12.5, held: 0 });
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('do not wait when the laundry was there before it was done, and wait again when that was a mistake', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    await earnings.complete(id);
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 12.5, held: 0 });
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Way_To_Drop');
    expect(await earnings.payOut('scrub')).toBe(0);
    await earnings.deliver(outbound);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test.each(['before', 'after'])('do not wait once the laundry was handed over %s it was done', async (when) => {
    const { id } = await earnings.placeOrder();
    if (when === 'before') await release(scrubHold(id));
    await earnings.complete(id);
    if (when === 'after') await release(scrubHold(id));
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('wait for twelve hours when the Bud brings the laundry', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.endDelivery(outbound);
    harness.setClock(hoursBefore(await nextMonday(), 11));
    await earnings.complete(id);
    expect(await earnings.payOut('scrub')).toBe(0);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('wait for twelve hours when the Duber is called off after the laundry was done', async () => {
    const { id } = await earnings.placeOrder();
    await earnings.complete(id);
    await earnings.endDeliveries(id);
    harness.setClock(hoursBefore(await nextMonday(), 11));
    await earnings.settle(id);
    expect(await earnings.payOut('scrub')).toBe(0);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await harness.runPaymentJobs();
    await expectNoProblems();
  });

  test('keep back the part of a credit that a claim asks for, to the cent', async () => {
    const [id, caseId] = [await harness.createOrder('Delivered'), newId()];
    for (let times = 0; times < 2; times += 1) await hold({ ...scrubHold(id, caseId), cents: 500 });
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 12.5, held: 5 });
    expect(await earnings.payOut('scrub')).toBe(LOAD - 500);
    expect(await earnings.payOut('scrub')).toBe(0);
    const refund = { orderId: id, amount: 300, liable: 'scrub', reason: 'a torn shirt' } as const;
    expect(await requestRefund(harness.context, refund)).toMatchObject({ ok: true, taxes: 12 });
    await harness.runPaymentJobs();
    await release(scrubHold(id, caseId));
    await release(scrubHold(id, caseId));
    expect(await earnings.payOut('scrub')).toBe(500 - 288);
    await expectNoProblems();
  });

  test('keep back what is claimed on a Monday before the payouts of its week', async () => {
    const [id, caseId] = [await harness.createOrder('Delivered'), newId()];
    harness.setClock((await nextMonday()).toISOString());
    await hold({ ...scrubHold(id, caseId), cents: 500 });
    await runPayouts(harness.context);
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 5, held: 5 });
    await release(scrubHold(id, caseId));
    await expectNoProblems();
  });

  test('wait when a delivery was a mistake that was taken back before the laundry was done', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.carry(outbound);
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Way_To_Drop');
    await earnings.complete(id);
    expect(await earnings.payOut('scrub')).toBe(0);
    await earnings.deliver(outbound);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('wait again when the way to the Scrub was a mistake, although the way back is delivered', async () => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.complete(id);
    for (const delivery of await earnings.deliveriesOf(id)) await earnings.carry(delivery.id);
    await earnings.undo(outbound);
    await earnings.startOver(outbound, 'Pending');
    expect(await earnings.payOut('scrub')).toBe(0);
    await earnings.carry(outbound);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test.each([
    ['the way to the Scrub', 'outbound'],
    ['the way back', 'back'],
  ] as const)('wait again when both ways were mistakes, and %s is taken back first', async (_, first) => {
    const { id, outbound } = await earnings.placeOrder();
    await earnings.complete(id);
    const back =
      (await earnings.deliveriesOf(id)).map((delivery) => delivery.id).find((delivery) => delivery !== outbound) ?? '';
    for (const delivery of [outbound, back]) {
      harness.setClock(new Date(harness.context.now().getTime() + 60_000).toISOString());
      await earnings.carry(delivery);
    }
    for (const delivery of first === 'back' ? [back, outbound] : [outbound, back]) {
      await earnings.undo(delivery);
      await earnings.startOver(delivery, 'Pending');
    }
    expect(await earnings.payOut('scrub')).toBe(0);
    await earnings.carry(outbound);
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test('keep back what the Duber of lost laundry earned until it is found, and never what they owe', async () => {
    const { id, outbound } = await earnings.placeOrder();
    const paid = await harness.createOrder('Delivered');
    expect(await earnings.payOut('duber')).toBe(2 * FEE);
    await earnings.pay(outbound, { kind: 'relay', cents: 300, borneBy: 'order' });
    const userId = harness.users.dubers[0]?.id ?? '';
    for (const orderId of [id, paid]) await hold({ orderId, account: 'duber', userId, reason: 'lost' });
    const [delivery] = await harness.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', paid)
      .execute();
    const refund = {
      orderId: paid,
      amount: 300,
      liable: 'duber',
      deliveryId: delivery?.id ?? '',
      reason: 'lost',
    } as const;
    expect(await requestRefund(harness.context, refund)).toMatchObject({ ok: true, taxes: 12 });
    await harness.runPaymentJobs();
    await harness.createOrder('Delivered');
    expect(await earnings.payOut('duber')).toBe(2 * FEE - 288);
    expect(await earnings.earningsOf('duber')).toMatchObject({ balance: 3, held: 3 });
    await earnings.pay(outbound, { kind: 'return', cents: FEE, borneBy: 'platform' });
    expect(await earnings.payOut('duber')).toBe(300 + FEE);
    await expectNoProblems();
  });

  test('hold no more than what is credited and not paid out', async () => {
    const [paid, open] = [await harness.createOrder('Delivered'), newId()];
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await hold({ ...scrubHold(paid, open), cents: 500 });
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 0, held: 0 });
    const id = await harness.createOrder('Delivered');
    for (const caseId of [newId(), newId()]) await hold({ ...scrubHold(id, caseId), cents: 1000 });
    expect(await earnings.earningsOf('scrub')).toMatchObject({ balance: 12.5, held: 12.5 });
    expect(await earnings.payOut('scrub')).toBe(0);
    await queryRows(
      harness.context.db,
      sql`update payout_holds set ended_at = ${harness.context.now()} where ended_at is null`,
    );
    expect(await earnings.payOut('scrub')).toBe(LOAD);
    await expectNoProblems();
  });

  test.runIf(kind === 'postgres')('hold a part or pay it, when both happen at the same time', async () => {
    const ids: string[] = [];
    while (ids.length < 5) ids.push(await harness.createOrder('Delivered'));
    const holds = ids.map((id) => ({ ...scrubHold(id, newId()), cents: 500 }));
    const [payout] = await Promise.all([earnings.payOut('scrub'), ...holds.map((one) => hold(one))]);
    const { balance, held } = await earnings.earningsOf('scrub');
    expect(Math.round(balance * 100)).toBe(5 * LOAD - payout);
    expect(balance).toBe(held);
    for (const one of holds) await release(one);
    expect((await earnings.payOut('scrub')) + payout).toBe(5 * LOAD);
    await expectNoProblems();
  });

  const nextMonday = async () => new Date((await earnings.earningsOf('scrub')).nextPayoutAt);
});

const hoursBefore = (time: Date, hours: number) => new Date(time.getTime() - hours * 60 * 60 * 1000).toISOString();
