import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { OPERATOR, useDeliveries } from '../../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { proposeAdjustment } from '../ledger/adjustments.ts';
import { findAuditProblems } from '../ledger/audit.sql.ts';
import { processDueRefund, requestRefund } from './refunds.ts';

describe.each(RULE_DATABASES)('an order of which everything goes back, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  /** A completed order that no Duber carried, of which `amount` cents are refunded before its last delivery is called off. */
  const refundAndEnd = async (amount: number) => {
    const { id, orderId } = await deliveries.openDelivery();
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'asked' });
    await deliveries.completeOrder(orderId);
    const refund = await requestRefund(deliveries.context, { orderId, liable: 'platform', reason: 'late', amount });
    expect(refund).toMatchObject({ ok: true });
    const back = deliveries.context.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const delivery = await back.where('delivery_type', '=', 'Scrub_To_Bud').executeTakeFirstOrThrow();
    await deliveries.take(OPERATOR, 'call-off', delivery.id, { reason: 'asked' });
    while (await processDueRefund(deliveries.context));
    const payments = deliveries.context.db.selectFrom('payments').select(['amount', 'refunded']);
    const { amount: price, refunded } = await payments.where('order_id', '=', orderId).executeTakeFirstOrThrow();
    const { rows } = await sql<{ cents: number }>`select coalesce(sum(l.amount), 0)::int as cents from ledger_lines l
      join ledger_entries e on e.id = l.entry_id where e.order_id = ${orderId} and l.account in ('refund-costs', 'taxes-payable')
        and l.amount > 0`.execute(deliveries.context.db);
    return { orderId, price, refunded, borne: rows[0]?.cents };
  };

  test('the platform bears no more than was earned, and the ledger is right', async () => {
    for (const amount of [100, 1_500]) {
      const { orderId, price, refunded, borne } = await refundAndEnd(amount);
      // Both ways cost 5.99, and nobody has earned them.
      expect(borne).toBe(Math.min(amount, price - 2 * 599));
      expect(refunded === price).toBe(amount === 1_500);
      expect(await findAuditProblems(deliveries.context.db)).toEqual([]);
      expect(await proposeAdjustment(deliveries.context.db, orderId)).toEqual([]);
    }
  });
});
