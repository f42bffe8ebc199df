import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { mondayBefore, weekAfter } from '../../domain/ledger.ts';
import { useLegs } from '../../testing/legs.ts';
import { withTraces } from '../../testing/orderTrace.ts';
import { auditCases } from '../../testing/paymentStress/caseAudit.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow } from '../db/database.ts';
import { runPayouts } from './payouts.ts';

describe.each(RULE_DATABASES)('the audit of the storm, on %s', (kind) => {
  const legs = useLegs(kind);

  const payOut = async () => {
    legs.pass(weekAfter(mondayBefore(legs.now())).getTime() - legs.now().getTime());
    await runPayouts(legs.context);
  };
  const isPaid = async (orderId: string) =>
    queryRow<{ paid: boolean }>(
      legs.context.db,
      sql`select exists (select from payout_lines k join ledger_entries e on e.id = k.entry_id
        where e.order_id = ${orderId} and e.kind = 'completed') as paid`,
    );
  const problemsOf = async (orderId: string) =>
    withTraces(
      legs.context.db,
      (await auditCases(legs.context.db)).filter((what) => what.includes(orderId)),
    );
  /** The way back of a completed order; the way to the Scrub nobody has taken. */
  const complete = async () => {
    const { id, orderId } = await legs.openLeg();
    await legs.completeOrder(orderId);
    const deliveries = legs.context.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const { id: back } = await deliveries.where('id', '<>', id).executeTakeFirstOrThrow();
    return { orderId, back };
  };

  test('accepts that a Scrub is paid to whom a Duber brought the laundry back', async () => {
    const { orderId, back } = await complete();
    for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
      await legs.step(step, back);
    await legs.wait(back, 'drop');
    await legs.take(legs.alan, 'drop-failed', back, { reason: 'nobody-home', ...(await legs.photo()) });
    await legs.take(legs.alan, 'bring-back', back);
    await legs.take(legs.alan, 'brought-back', back);
    await payOut();
    expect(await isPaid(orderId)).toEqual({ paid: true });
    expect(await problemsOf(orderId)).toEqual([]);
  });

  test('finds a Scrub who was paid for laundry that nobody has seen, and says what happened to the order', async () => {
    const { orderId } = await complete();
    await sql`delete from payout_holds where order_id = ${orderId}`.execute(legs.context.db);
    await payOut();
    const [problem, trace] = await problemsOf(orderId);
    expect(problem).toContain(`order ${orderId}: its Scrub was paid, although nobody had seen the laundry`);
    for (const what of ['complete-order', 'entry', 'payout', 'Bud_To_Scrub']) expect(trace).toContain(what);
  });
});
