import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness, SHIRT } from '../../testing/caseHarness.ts';
import { openEarningTests } from '../../testing/earningTests.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow } from '../db/database.ts';
import { orderHandlers } from '../orders/orders.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';

const WAYS = 1198;
const LOAD = 1250;
const CLEAN_AGAIN = { offer: 'clean-again', words: 'Bring it back.' };
const giveBack = (amount: number) => ({ offer: 'give-back', amount, words: 'The bleach was mine.' });

describe.each(RULE_DATABASES)('an offer is covered by the one who makes it, on %s', (kind) => {
  let harness: CaseHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  beforeEach(async () => {
    await harness?.close();
    harness = await openCaseHarness(kind);
    earnings = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  const claimNew = async (more = {}) => {
    const orderId = await harness.createOrder('Delivered');
    await harness.runPaymentJobs();
    return { orderId, id: (await harness.claim(orderId, more)).id };
  };
  const answer = async (id: string, offer: object) =>
    (await harness.step(harness.scrub, id, 'answer', offer as never)).status;
  const accept = async (id: string) => (await harness.step(harness.bud, id, 'accept-offer')).status;
  const balanced = async () => expect(await findAuditProblems(harness.context.db)).toEqual([]);
  const reserved = async () =>
    (
      await queryRow<{ cents: number }>(
        harness.context.db,
        sql`select coalesce(-sum(l.amount), 0)::int as cents from payout_holds h
          join ledger_lines l on l.entry_id = h.entry_id and l.amount < 0 where h.reason = 'ways' and h.ended_at is null`,
      )
    )?.cents;
  /** A refund that the Scrub bears, and that the card network has not made yet. */
  const bearRefund = (orderId: string, amount: number) =>
    sql`insert into refunds (id, order_id, amount, taxes, liable, liable_user, reason, state, created_at, updated_at)
      values (${crypto.randomUUID()}, ${orderId}, ${amount}, 0, 'scrub', ${harness.scrub.id}, 'late', 'stuck', now(), now())`.execute(
      harness.context.db,
    );
  const cleanAgain = async (orderId: string) => {
    await earnings.carryAll(orderId);
    const request = { caller: harness.scrub, params: { id: orderId } } as never;
    await orderHandlers(harness.context)['complete-order'](request);
    await earnings.carryAll(orderId);
  };

  test('a Scrub cleans again once with what one order has earned, and the town decides about a second time', async () => {
    const { orderId, id } = await claimNew({ items: [{ ...SHIRT, asked: 1 }] });
    expect(await harness.read(harness.scrub, id)).toMatchObject({ covered: 12.5, cleanAgainCosts: 11.98 });
    expect(await harness.read(harness.bud, id)).toMatchObject({ covered: 0, cleanAgainCosts: 0 });
    expect(await answer(id, CLEAN_AGAIN)).toBe('with-bud');
    expect(await accept(id)).toBe('decided');
    await cleanAgain(orderId);
    const { id: second } = await harness.claim(orderId, { items: [{ ...SHIRT, asked: 1 }] });
    expect(await harness.read(harness.scrub, second)).toMatchObject({ covered: 0.52 });
    expect(await answer(second, CLEAN_AGAIN)).toBe('with-town');
    expect((await earnings.earningsOf('scrub')).balance).toBe(0.52);
    await balanced();
  });

  test.each(['accepted', 'not answered'])('money that is taken since does not cover it when it is %s', async (what) => {
    const { id, orderId } = await claimNew();
    expect(await answer(id, CLEAN_AGAIN)).toBe('with-bud');
    await bearRefund(orderId, 100);
    if (what === 'accepted') expect(await accept(id)).toBe('with-town');
    else {
      await harness.passHours(72);
      expect((await harness.read(harness.bud, id)).status).toBe('with-town');
    }
    expect(await reserved()).toBe(0);
  });

  test('an amount above what a worker has earned and not been paid goes to the town', async () => {
    const [first, second] = [await claimNew(), await claimNew()];
    await earnings.passDays(8);
    await earnings.payOut('scrub');
    // Of each order, 1250 are held by its claim.
    expect(await answer(first.id, giveBack(12.51))).toBe('with-town');
    expect(await answer(second.id, giveBack(12.5))).toBe('with-bud');
    expect(await accept(second.id)).toBe('decided');
    expect(await harness.refundsOf(second.orderId)).toEqual(['scrub 1250 asking']);
    await harness.runPaymentJobs();
    await balanced();
  });

  test('the cost of the ways is in no payout until they are paid, and then the rest is', async () => {
    await harness.createOrder('Delivered');
    const { orderId, id } = await claimNew();
    await answer(id, CLEAN_AGAIN);
    await accept(id);
    expect(await reserved()).toBe(WAYS);
    // The first order is payable, and the second one is not.
    expect(await earnings.payOut('scrub')).toBe(0);
    expect(await earnings.payOut('scrub')).toBe(LOAD - WAYS);
    await cleanAgain(orderId);
    expect(await reserved()).toBe(0);
    // The second order has paid for its own deliveries.
    expect(await earnings.payOut('scrub')).toBe(WAYS);
    expect(await earnings.payOut('scrub')).toBe(LOAD - WAYS);
    expect((await earnings.earningsOf('scrub')).balance).toBe(0);
    await harness.runPaymentJobs();
    await balanced();
  });

  test('money reserved for ways is free again when the order is cancelled instead', async () => {
    const { orderId, id } = await claimNew();
    await answer(id, CLEAN_AGAIN);
    await accept(id);
    expect(await reserved()).toBe(WAYS);
    await earnings.callOff(orderId);
    expect(await reserved()).toBe(0);
    await harness.runPaymentJobs();
    await balanced();
  });

  test('two offers that are accepted at once are not covered by the same money', async () => {
    const items = [{ ...SHIRT, asked: 1 }];
    const [first, second] = [await claimNew({ items }), await claimNew({ items })];
    for (const { id } of [first, second]) expect(await answer(id, CLEAN_AGAIN)).toBe('with-bud');
    await bearRefund(first.orderId, 200);
    const statuses = await Promise.all([accept(first.id), accept(second.id)]);
    expect(statuses.toSorted()).toEqual(['decided', 'with-town']);
    expect(await reserved()).toBe(WAYS);
  });
});
