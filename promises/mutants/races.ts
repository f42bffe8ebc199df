import type { Mutant } from './mutant.ts';

/** A step of an order decides by a status that another step may change. */
const stepsWithoutWaiting = {
  at: 'server/orders/orders.sql.ts#lockOwnOrder',
  remove: '.forNoKeyUpdate()',
  also: [{ at: 'server/orders/orderSteps.sql.ts#moveOrder', remove: 'and o.status = ${from}' }],
} as const;

/** Steps that happen at the same time, or twice. */
export const RACE_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'Dubers who accept a delivery at the same time do not wait for each other',
    at: 'server/process/takeStep.ts#takeStepIn',
    skip: 'subject.lock',
    suite: 'promises/races.test.ts',
    cases: 300,
  },
  {
    mutant: 'a Duber may have two deliveries under way at once',
    at: 'server/db/schema.sql',
    replace: ['create unique index deliveries_once_active', 'create index deliveries_once_active'],
    suite: 'promises/races.test.ts',
    cases: 300,
  },
  {
    mutant: 'what a Duber accepts ahead at the same time does not count',
    at: 'server/deliveries/facts.sql.ts#readDeliveryFacts',
    skip: 'lockDuberAhead.send',
    suite: 'server/deliveries/ahead.test.ts',
  },
  {
    mutant: 'an order step does not check the status',
    ...stepsWithoutWaiting,
    suite: 'promises/races.test.ts',
    cases: 300,
  },
  {
    mutant: 'two simultaneous steps both change an order',
    ...stepsWithoutWaiting,
    suite: 'promises/conflictingSteps.test.ts',
    cases: 200,
  },
  {
    mutant: 'laundry is taken and lost at the same moment',
    at: 'server/process/takeStep.ts#takeStepIn',
    skip: 'subject.lock',
    suite: 'server/deliveries/stepRaces.test.ts',
  },
  {
    mutant: 'a document that comes while an operator decides is lost',
    at: 'server/admissions/admissions.sql.ts#lockAdmission',
    skip: 'lockUser',
    suite: 'server/admissions/admissionRaces.test.ts',
  },
  {
    mutant: 'two steps of a case at once do not wait for each other',
    at: 'server/cases/cases.sql.ts#lockCaseAlone',
    remove: 'for update',
    also: [{ at: 'server/cases/cases.sql.ts#lockRootOf', remove: 'for no key update' }],
    suite: 'server/cases/races.test.ts',
  },
  {
    mutant: 'a step of a case and a step of its order wait for each other',
    at: 'server/cases/cases.sql.ts#lockCase',
    replace: [
      'if (known.orderId !== null) await lockRootOf(tx, known.orderId);',
      'const locked = lockCaseAlone(tx, id); await locked; if (known.orderId !== null) await lockRootOf(tx, known.orderId);',
    ],
    suite: 'server/cases/races.test.ts',
  },
  {
    mutant: 'two refunds at the same time do not see each other',
    at: 'server/operator/acts.ts#takeOrAsk',
    skip: 'lockAudit',
    suite: 'server/operator/money.test.ts',
  },
  {
    mutant: 'two operators who give money back at once give it twice',
    at: 'server/payments/refunds/refunds.ts#planOf',
    replace: ['request.left !== left', 'request.left < left'],
    suite: 'server/operator/refundRaces.test.ts',
  },
  {
    mutant: 'a refund and a completion at the same time do not wait for each other',
    at: 'server/payments/ledger/orderLedger.sql.ts#lockPayment',
    skip: 'lockPaymentOf.all',
    suite: 'server/payments/refunds/refunds.test.ts',
  },
  {
    mutant: 'an order whose price changes while it is completed is paid at its earlier price',
    at: 'server/orders/orders.sql.ts#lockOwnOrder',
    remove: '.forNoKeyUpdate()',
    suite: 'server/orders/weighingRaces.test.ts',
  },
  {
    mutant: 'people who use a promo code at the same time do not count each other',
    at: 'server/promos/promos.sql.ts#countUse',
    replace: ['promo.uses - 1', '0'],
    suite: 'server/promos/promos.test.ts',
  },
  {
    mutant: 'a slow server overwrites a day that another server has compared',
    at: 'server/payments/reconcile/reconciledDays.sql.ts#isLeased',
    replace: ['and due_at =', 'or due_at ='],
    suite: 'server/payments/reconcile/reconciledDays.test.ts',
  },
  {
    mutant: 'an update is published with a status that another step may change',
    at: 'server/events/publish.ts#publishOrderUpdate',
    replace: ['for share', 'for key share'],
    suite: 'server/events/eventOrder.test.ts',
  },
  {
    mutant: 'a timer fires after the step that ends it',
    at: 'server/jobs/timers.ts#fireTimer',
    replace: ['(await takeTimer(inside.db, timer)) && take', '[await takeTimer(inside.db, timer)] && take'],
    also: [
      {
        at: 'server/orders/orderTimers.ts#ORDER_TIMERS.lock',
        replace: ['return () =>', "Object.assign(order, { status: 'Requested' }); return () =>"],
      },
      { at: 'server/orders/orderSteps.sql.ts#moveOrder', remove: 'and o.status = ${from}' },
    ],
    suite: 'server/orders/orderTimers.test.ts',
  },
  {
    mutant: 'an offer is refunded although its case goes on, because the server is killed in between',
    at: 'server/process/takeStep.ts#takeStep',
    replace: ['transactStep(db, (tx)', "((_: Tx, work: (tx: Tx) => Promise<K['answer']>) => work(db))(db, (tx)"],
    suite: 'server/payments/paymentStress.test.ts',
    cases: 300,
  },
];
