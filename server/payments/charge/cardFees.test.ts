import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { createFastSquareCards } from '../../../testing/paymentStress/killableServer.ts';
import { type SquareSandbox, startSquareSandbox } from '../../../testing/squareSandbox.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { waitUntil } from '../../../testing/waits.ts';
import { readSpending } from '../../dashboards/tallies.sql.ts';
import { queryRows } from '../../db/database.ts';
import type { Cards } from '../card/cards.ts';
import { FEE_AFTER_MS } from '../card/retry.ts';
import { findAuditProblems } from '../ledger/audit.sql.ts';
import { reconcileDuePayment } from '../reconcile/reconciliation.ts';
import { requestRefund } from '../refunds/refunds.ts';

const NOON = '2026-11-18T12:00:00Z';
const at = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString();

describe.each(RULE_DATABASES)('card fees on %s', (kind) => {
  let sandbox: SquareSandbox;
  let harness: PaymentHarness;
  let feeOf: (paid: number) => number = (fee) => fee;
  beforeAll(async () => {
    sandbox = await startSquareSandbox();
    sandbox.setClock(NOON);
    const cards = createFastSquareCards(sandbox.url);
    const findPayment: Cards['findPayment'] = async (squareId) => {
      const payment = await cards.findPayment(squareId);
      return payment?.fee === undefined ? payment : { ...payment, fee: feeOf(payment.fee) };
    };
    harness = await openPaymentHarness(kind, { ...cards, findPayment });
  });
  afterAll(async () => {
    await harness.close();
    await sandbox.stop();
  });

  const order = () => harness.createOrder('Accepted', { paymentSourceId: 'cnon:card-nonce-ok' });
  const look = (orderId: string) =>
    sql`update payments set look_at = ${harness.context.now()} where order_id = ${orderId}`.execute(
      harness.database.db,
    );
  const feesOf = async (orderId: string) =>
    (
      await queryRows<{ amount: number }>(
        harness.database.db,
        sql`select l.amount from ledger_entries e join ledger_lines l on l.entry_id = e.id
          where e.order_id = ${orderId} and e.kind = 'card-fee' and l.account = 'card-fees' order by e.id`,
      )
    ).map(({ amount }) => amount);

  test('the fee of a payment is in the ledger some time after the capture, and once', async () => {
    harness.setClock(NOON);
    const orderId = await order();
    await harness.runPaymentJobs();
    expect(await feesOf(orderId)).toEqual([]);
    harness.setClock(at(FEE_AFTER_MS));
    await harness.runPaymentJobs();
    // 2.9 % of $26.83, and 30 cents.
    expect(await feesOf(orderId)).toEqual([108]);
    for (let looks = 0; looks < 2; looks += 1) {
      await look(orderId);
      await harness.runPaymentJobs();
    }
    expect(await feesOf(orderId)).toEqual([108]);
    expect(await findAuditProblems(harness.database.db)).toEqual([]);
  });

  test('the fee of a payment is the town’s cost, and not what the Bud has spent', async () => {
    const spending = () => readSpending(harness.database.db, harness.users.buds[0]?.id as never);
    const before = await spending();
    const orderId = await order();
    await harness.runPaymentJobs();
    expect(await spending()).toBe(before + 2683);
    await look(orderId);
    await harness.runPaymentJobs();
    expect(await feesOf(orderId)).toEqual([108]);
    expect(await spending()).toBe(before + 2683);
  });

  test('two workers that read the fee at the same time write it once', async () => {
    const orderId = await order();
    await harness.runPaymentJobs();
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const { findPayment } = harness.context.cards;
    const cards: Cards = {
      ...harness.context.cards,
      findPayment: async (squareId) => {
        const payment = await findPayment(squareId);
        waiting += 1;
        if (waiting === 2) both.resolve();
        await both.promise;
        return payment;
      },
    };
    const reconcile = async () => {
      await look(orderId);
      return reconcileDuePayment({ ...harness.context, cards });
    };
    const first = reconcile();
    await waitUntil(() => waiting === 1);
    await Promise.all([first, reconcile()]);
    expect(await feesOf(orderId)).toEqual([108]);
  });

  test('a fee that changes is written as its difference', async () => {
    const orderId = await order();
    await harness.runPaymentJobs();
    await look(orderId);
    await harness.runPaymentJobs();
    feeOf = (fee) => fee - 30;
    await look(orderId);
    await harness.runPaymentJobs();
    feeOf = (fee) => fee;
    expect(await feesOf(orderId)).toEqual([108, -30]);
    expect(await findAuditProblems(harness.database.db)).toEqual([]);
  });

  test('a fee stays when the payment is refunded, and the ledger stays right', async () => {
    const orderId = await order();
    await harness.runPaymentJobs();
    await look(orderId);
    await requestRefund(harness.context, { orderId, liable: 'platform', reason: 'torn' });
    await harness.runPaymentJobs();
    await look(orderId);
    await harness.runPaymentJobs();
    expect(await feesOf(orderId)).toEqual([108]);
    expect(await findAuditProblems(harness.database.db)).toEqual([]);
  });
});
