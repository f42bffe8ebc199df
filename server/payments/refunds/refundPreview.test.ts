import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerLine } from '../../../domain/ledger.ts';
import { explained } from '../../../testing/explained.ts';
import { findTracedProblems, traceOrder } from '../../../testing/orderTrace.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { createRandom } from '../../../testing/random.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRows } from '../../db/database.ts';
import { deliveryHandlers } from '../../deliveries/deliveries.ts';
import { previewRefund, type RefundTerms, requestRefund } from './refunds.ts';

const ORDERS = 24;

describe.each(RULE_DATABASES)('the preview of a refund, on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness?.close());

  const deliverOne = async (orderId: string) => {
    const { db } = harness.context;
    const open = db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', orderId)
      .where('status', '=', 'Pending');
    const params = await open.orderBy('id').executeTakeFirst();
    if (!params) return;
    for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
      await deliveryHandlers(harness.context)[step]({ caller: harness.users.dubers[0], params } as never);
  };
  const linesOf = (refundId: string) =>
    queryRows<LedgerLine>(
      harness.context.db,
      sql`select l.account, l.party, l.amount from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where e.refund_id = ${refundId} order by l.position`,
    );

  test('has the lines that are then written, and costs nothing itself', async () => {
    const seed = Number(process.env.STORM_SEED ?? 19);
    const random = createRandom(seed);
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    let compared = 0;
    for (let n = 0; n < ORDERS; n += 1) {
      const orderId = await harness.createOrder(oneOf(['Accepted', 'Completed', 'Completed', 'Delivered']), {
        loadSize: oneOf(['Small', 'Medium', 'Large']),
      });
      await harness.runPaymentJobs();
      if (random() < 0.4) await deliverOne(orderId);
      const refundAndCompare = async () => {
        const terms: RefundTerms = {
          orderId,
          liable: oneOf(['platform', 'scrub', 'duber']),
          ...(random() < 0.8 ? { amount: 1 + Math.floor(random() * 1_500) } : {}),
        };
        const preview = await previewRefund(harness.context.db, terms);
        const refund = await requestRefund(harness.context, { ...terms, reason: 'late' });
        expect(preview.ok, `order ${n}`).toBe(refund.ok);
        if (!preview.ok || !refund.ok) return;
        // Sometimes another one is under way: it is made first.
        const later = random() < 0.3 ? await previewRefund(harness.context.db, { ...terms, amount: 1 }) : undefined;
        const next = later?.ok
          ? await requestRefund(harness.context, { ...terms, amount: 1, reason: 'late' })
          : undefined;
        await harness.runPaymentJobs();
        // A refund that is asked for before it is made may take over a cent of its taxes.
        if (!next) expect(await linesOf(refund.id), `order ${n}, ${JSON.stringify(terms)}`).toEqual(preview.lines);
        if (later?.ok && next?.ok) expect(await linesOf(next.id), `order ${n}, the second`).toEqual(later.lines);
        compared += 1;
      };
      const explain = async () => `STORM_SEED=${seed}, ${await traceOrder(harness.context.db, orderId)}`;
      for (let refunds = 0; refunds < 3; refunds += 1) await explained(explain, refundAndCompare);
    }
    expect(compared).toBeGreaterThan(ORDERS);
    expect(await findTracedProblems(harness.context.db)).toEqual([]);
  });
});
