import type { Mutant } from './mutant.ts';

/** Who may take which step, and which of them needs a second operator. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'an order can be started before it is accepted',
    at: 'domain/process/order.ts#ORDER_ROWS[start-order]',
    set: ['from', "'Requested'"],
    suite: 'promises/workflowModel.test.ts',
    cases: 200,
  },
  {
    mutant: 'a delivery skips a stage',
    at: 'domain/process/delivery.ts#DELIVERY_ROWS[collected]',
    set: ['to', "'Way_To_Drop'"],
    suite: 'promises/workflowModel.test.ts',
    cases: 200,
  },
  {
    mutant: 'a Duber may advance the delivery of another',
    at: 'server/deliveries/facts.ts#isOwn',
    replace: ['duberId === id', 'true'],
    suite: 'promises/workflowModel.test.ts',
    cases: 200,
  },
  {
    mutant: 'requests from other sites can take a step',
    at: 'server/http/fetchMetadata.ts#isUserInitiated',
    remove: "if (site !== undefined && site !== 'same-origin') return false;",
    suite: 'promises/unintendedSteps.test.ts',
  },
  {
    mutant: 'a prefetch takes a step',
    at: 'server/http/fetchMetadata.ts#isUserInitiated',
    replace: ['purpose === undefined', "purpose !== 'never'"],
    suite: 'promises/unintendedSteps.test.ts',
  },
  {
    mutant: 'a Duber who is not admitted accepts a delivery',
    at: 'domain/admissions.ts#isHeldUnadmitted',
    remove: 'worksUntil === null',
    suite: 'server/admissions/admissions.test.ts',
  },
  {
    mutant: 'an operator looks at documents without having said why',
    at: 'server/operator/admissions.ts#admissionHandlers.readDocumentPhoto',
    skip: 'refuse[documentsHidden]',
    suite: 'server/admissions/admissions.test.ts',
  },
  {
    mutant: 'the operator who has asked approves their own request',
    at: 'domain/process/approval.ts#APPROVAL_NEEDS.not-the-asker',
    replace: ['isAsker !== true', 'isAsker !== undefined'],
    suite: 'server/operator/operators.test.ts',
  },
  {
    mutant: 'an act leaves no row in the audit',
    at: 'server/operator/acts.ts#takeNewAct',
    remove: 'await writeAudit(inside.db, entryOf(inside, operator, { ...request, cents: all, subjectId }, details));',
    suite: 'server/operator/money.test.ts',
  },
  {
    mutant: 'one operator alone says that a payout came back',
    at: 'contract/operator/payouts.ts#returnPayout',
    without: 'approval',
    suite: 'server/operator/payouts.test.ts',
  },
  {
    mutant: 'one operator alone changes a price',
    at: 'contract/operator/prices.ts#setPrice',
    without: 'approval',
    suite: 'server/operator/townChanges.test.ts',
  },
  {
    mutant: 'an operator who has removed the others runs the town alone at once',
    at: 'server/operator/approvals.sql.ts#hasOneOperator',
    replace: ['now.getTime() - CALM_MS', 'now.getTime()'],
    suite: 'server/operator/singleOperator.test.ts',
  },
  {
    mutant: 'an operator who runs the town alone needs no new code for what another one would approve',
    at: 'server/operator/acts.ts#takeNewAct',
    replace: ["consent === 'code-and-mail' || moved.cents > 0", 'moved.cents > 0'],
    suite: 'server/operator/singleOperator.test.ts',
  },
  {
    mutant: 'a price that is corrected holds for orders that were placed with the old one',
    at: 'server/payments/prices/townDays.ts#startOfChange',
    replace: ['now.getTime() + CORRECTION_AFTER_MS', 'now.getTime()'],
    suite: 'server/operator/singleOperator.test.ts',
  },
  {
    mutant: 'an Idempotency-Key stands for an act, and not for its path and body',
    at: 'server/operator/acts.ts#hashOfRequest',
    replace: ['params, body', 'body.reason, params === undefined'],
    suite: 'server/operator/returnedPayouts.test.ts',
  },
  {
    mutant: 'a person is suspended without a decision about work that they took meanwhile',
    at: 'server/operator/suspend.ts#decideAll',
    replace: ['missing.length > 0', 'missing.length > 1_000'],
    suite: 'server/operator/peopleRaces.test.ts',
  },
  {
    mutant: 'declined cards are not limited',
    at: 'server/payments/hold/orderLimits.ts#DECLINES',
    set: ['free', '5_000'],
    suite: 'server/payments/hold/orderLimits.test.ts',
  },
  {
    mutant: 'all cards of one account are tried at the same time',
    at: 'server/payments/hold/orderLimits.ts#MAX_AT_CARD_NETWORK',
    becomes: '300',
    suite: 'server/payments/hold/orderLimits.test.ts',
  },
];
