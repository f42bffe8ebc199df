import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { mondayBefore, weekAfter } from '../../../domain/ledger.ts';
import { useLegs } from '../../../testing/legs.ts';
import { DELIVERY_STEPS } from '../../../testing/orderSteps.ts';
import { withTraces } from '../../../testing/orderTrace.ts';
import { auditCases } from '../../../testing/paymentStress/caseAudit.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow } from '../../db/database.ts';
import { handoverHandlers } from '../../handovers/handovers.ts';
import { runPayouts } from '../payouts/payouts.ts';

describe.each(RULE_DATABASES)('the audit of the storm, on %s', (kind) => {
  const legs = useLegs(kind);
  beforeAll(() => legs.earnTrust());

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

  test.each([
    ['that came to them with a Duber', true],
    ['that its Bud had before', false],
  ])('knows whether a Scrub may be paid for laundry %s, and that was brought back to them', async (_, hasCome) => {
    const { id, orderId, back } = await legs.openWayBack();
    const carry = async (leg: string, duber = legs.alan) => {
      for (const step of DELIVERY_STEPS.slice(0, 4)) await legs.step(step, leg, duber);
    };
    if (hasCome) {
      await carry(id, legs.bob);
      const request = { caller: legs.scrub, params: { id: orderId }, body: { bags: 1 } } as never;
      await handoverHandlers(legs.context).confirmReceived(request);
    }
    await carry(back);
    await legs.wait(back, 'drop');
    await legs.take(legs.alan, 'drop-failed', back, { reason: 'nobody-home', ...(await legs.photo()) });
    await legs.take(legs.alan, 'bring-back', back);
    await legs.take(legs.alan, 'brought-back', back);
    await payOut();
    expect(await isPaid(orderId)).toEqual({ paid: hasCome });
    expect(await problemsOf(orderId)).toEqual([]);
    await sql`delete from payout_holds where order_id = ${orderId}`.execute(legs.context.db);
    await payOut();
    const [problem] = await problemsOf(orderId);
    if (hasCome) expect(problem).toBeUndefined();
    else expect(problem).toContain('its Scrub was paid, although nobody had seen the laundry');
  });

  test('finds a Scrub who was paid for laundry that nobody has seen, and says what happened to the order', async () => {
    const { orderId } = await legs.openWayBack();
    await sql`delete from payout_holds where order_id = ${orderId}`.execute(legs.context.db);
    await payOut();
    const [problem, trace] = await problemsOf(orderId);
    expect(problem).toContain(`order ${orderId}: its Scrub was paid, although nobody had seen the laundry`);
    for (const what of ['complete-order', 'entry', 'payout', 'Bud_To_Scrub']) expect(trace).toContain(what);
  });
});
