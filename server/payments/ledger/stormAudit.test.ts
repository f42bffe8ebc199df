import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { mondayBefore, weekAfter } from '../../../domain/ledger.ts';
import { useDeliveries } from '../../../testing/deliveries.ts';
import { DELIVERY_STEPS } from '../../../testing/orderSteps.ts';
import { withTraces } from '../../../testing/orderTrace.ts';
import { auditCases } from '../../../testing/paymentStress/caseAudit.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow } from '../../db/database.ts';
import { handoverHandlers } from '../../handovers/handovers.ts';
import { runPayouts } from '../payouts/payouts.ts';

describe.each(RULE_DATABASES)('the audit of the storm, on %s', (kind) => {
  const deliveries = useDeliveries(kind);
  beforeAll(() => deliveries.earnTrust());

  const payOut = async () => {
    deliveries.pass(weekAfter(mondayBefore(deliveries.now())).getTime() - deliveries.now().getTime());
    await runPayouts(deliveries.context);
  };
  const isPaid = async (orderId: string) =>
    queryRow<{ paid: boolean }>(
      deliveries.context.db,
      sql`select exists (select from payout_lines k join ledger_entries e on e.id = k.entry_id
        where e.order_id = ${orderId} and e.kind = 'completed') as paid`,
    );
  const problemsOf = async (orderId: string) =>
    withTraces(
      deliveries.context.db,
      (await auditCases(deliveries.context.db)).filter((what) => what.includes(orderId)),
    );

  test.each([
    ['that came to them with a Duber', true],
    ['that its Bud had before', false],
  ])('knows whether a Scrub may be paid for laundry %s, and that was brought back to them', async (_, hasCome) => {
    const { id, orderId, back } = await deliveries.openWayBack();
    const carry = async (delivery: string, duber = deliveries.alan) => {
      for (const step of DELIVERY_STEPS.slice(0, 4)) await deliveries.step(step, delivery, duber);
    };
    if (hasCome) {
      await carry(id, deliveries.bob);
      const request = { caller: deliveries.scrub, params: { id: orderId }, body: { bags: 1 } } as never;
      await handoverHandlers(deliveries.context).confirmReceived(request);
    }
    await carry(back);
    await deliveries.wait(back, 'drop');
    await deliveries.take(deliveries.alan, 'drop-failed', back, {
      reason: 'nobody-home',
      ...(await deliveries.photo()),
    });
    await deliveries.take(deliveries.alan, 'bring-back', back);
    await deliveries.take(deliveries.alan, 'brought-back', back);
    await payOut();
    expect(await isPaid(orderId)).toEqual({ paid: hasCome });
    expect(await problemsOf(orderId)).toEqual([]);
    await sql`delete from payout_holds where order_id = ${orderId}`.execute(deliveries.context.db);
    await payOut();
    const [problem] = await problemsOf(orderId);
    if (hasCome) expect(problem).toBeUndefined();
    else expect(problem).toContain('its Scrub was paid, although nobody had seen the laundry');
  });

  test('finds a Scrub who was paid for laundry that nobody has seen, and says what happened to the order', async () => {
    const { orderId } = await deliveries.openWayBack();
    await sql`delete from payout_holds where order_id = ${orderId}`.execute(deliveries.context.db);
    await payOut();
    const [problem, trace] = await problemsOf(orderId);
    expect(problem).toContain(`order ${orderId}: its Scrub was paid, although nobody had seen the laundry`);
    for (const what of ['complete-order', 'entry', 'payout', 'Bud_To_Scrub']) expect(trace).toContain(what);
  });
});
