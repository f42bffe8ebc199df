import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import type { ItemDecision } from '../../domain/decisions.ts';
import type { DeliveryAction } from '../../domain/deliveries.ts';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { deliveryHandlers } from '../deliveries/deliveries.ts';
import type { DeliveryStepRequest } from '../deliveries/facts.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import type { StepActor } from '../process/takeStep.ts';
import { decideCase } from './decideCase.ts';

type Duber = Extract<Caller, { role: 'Duber' }>;

describe.each(RULE_DATABASES)('what the town decides again after it was contested, on %s', (kind) => {
  let harness: CaseHarness;
  beforeAll(async () => {
    harness = await openCaseHarness(kind);
  });
  afterAll(() => harness?.close());

  const decide = (caseId: string, cents: number, liable: ItemDecision['liable'] = 'scrub') =>
    decideCase(harness.context, {
      ...{ caseId, items: [{ n: 1, cents, liable }], reason: 'The photo shows it.', name: 'olga' },
    });
  /** A claim of which the Scrub has to pay 15 dollars, and says no. */
  const contested = async ({ isRefunded }: { isRefunded: boolean }) => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const orderId = await harness.createOrder('Delivered');
    const { id } = await harness.claim(orderId);
    await harness.step(harness.scrub, id, 'answer', { offer: 'was-before', words: 'I saw it.' });
    await harness.step(harness.bud, id, 'refuse-offer', { words: 'It was new.' });
    expect(await decide(id, 15_00)).toEqual({ ok: true, cents: 1500 });
    if (isRefunded) await harness.runPaymentJobs();
    await harness.step(harness.scrub, id, 'contest', { words: 'It is on the photo of the bag.' });
    return { id, orderId };
  };
  /** What the refunds of an order have taken from each side, in cents. */
  const paidFor = async (orderId: string) => {
    await harness.runPaymentJobs();
    const sides = await queryRows<{ account: string; cents: number }>(
      harness.context.db,
      sql`select l.account, sum(l.amount)::int as cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
        where e.order_id = ${orderId} and e.kind in ('refunded', 'adjusted') and l.account in ('scrub', 'refund-costs')
        group by 1 having sum(l.amount) <> 0 order by 1`,
    );
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
    return Object.fromEntries(sides.map(({ account, cents }) => [account, cents]));
  };
  const TAXES = 61;
  const WHOLE = 1500 - TAXES;

  test.each([{ isRefunded: true }, { isRefunded: false }])(
    'can be less for the side that pays, and the platform pays the rest: %o',
    async (when) => {
      const { id, orderId } = await contested(when);
      expect(await decide(id, 10_00)).toEqual({ ok: true, cents: 1000 });
      const part = Math.round((500 * WHOLE) / 1500);
      expect(await paidFor(orderId)).toEqual({ scrub: WHOLE - part, 'refund-costs': part });
      // The Bud keeps what went back to the card.
      expect(await harness.refundsOf(orderId)).toEqual(['scrub 1500 refunded']);
      expect(await harness.read(harness.bud, id)).toMatchObject({ givenBack: 15, items: [{ decided: 10 }] });
    },
  );

  test('can free that side altogether, and what went back to the card is the platform’s first', async () => {
    const { id, orderId } = await contested({ isRefunded: true });
    expect(await decide(id, 20_00, 'platform')).toEqual({ ok: true, cents: 2000 });
    expect(await harness.refundsOf(orderId)).toEqual(['scrub 1500 refunded', 'platform 500 asking']);
    expect(Object.keys(await paidFor(orderId))).toEqual(['refund-costs']);
    expect((await harness.read(harness.scrub, id)).actions).toEqual([]);
  });

  test('is paid by the Duber whom the case is about, also when another one has the delivery by now', async () => {
    const { context, users, bud } = harness;
    const [first, second] = users.dubers as [Duber, Duber];
    const orderId = await harness.createOrder('Accepted');
    const delivery = context.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const { id } = await delivery.executeTakeFirstOrThrow();
    const take = (actor: StepActor, action: DeliveryStepRequest['action'], more: object = {}) =>
      takeDeliveryStep(context, actor, { id, action, ...more });
    const carry = async (caller: Duber, actions: readonly DeliveryAction[]) => {
      for (const action of actions) await deliveryHandlers(context)[action]({ caller, params: { id } } as never);
    };
    await carry(first, ['accept-delivery', 'way-to-pickup', 'collected']);
    await take(first, 'report-lost', { words: 'It is gone.' });
    await take(first, 'bring-back');
    await take(first, 'brought-back');
    await take({ role: 'Bud', id: bud.id }, 're-offer');
    await carry(second, ['accept-delivery', 'way-to-pickup', 'collected']);
    const lost = context.db.selectFrom('cases').select('id').where('order_id', '=', orderId).where('kind', '=', 'lost');
    const { id: caseId } = await lost.executeTakeFirstOrThrow();
    expect(await decide(caseId, 4_00, 'duber')).toEqual({ ok: true, cents: 400 });
    const refunds = context.db.selectFrom('refunds').select('liable_user').where('order_id', '=', orderId);
    expect(await refunds.execute()).toEqual([{ liable_user: first.id }]);
    await expect(harness.step(second, caseId, 'contest', { words: 'I did not lose it.' })).rejects.toThrow();
    expect((await harness.step(first, caseId, 'contest', { words: 'It was found.' })).status).toBe('with-town');
    await harness.runPaymentJobs();
    expect(await findAuditProblems(context.db)).toEqual([]);
  });

  test('does not give the card the same again when another side is to pay', async () => {
    const { id, orderId } = await contested({ isRefunded: true });
    expect(await decide(id, 15_00, 'duber')).toMatchObject({ ok: false });
    expect(await paidFor(orderId)).toEqual({ scrub: WHOLE });
  });
});
