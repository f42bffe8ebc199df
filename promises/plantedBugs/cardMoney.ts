import type { PlantedBug } from './plantedBug.ts';

const DISPUTES = 'server/disputes/disputes.test.ts';

/** Bugs in what the card network keeps, and in what cardholders contest. */
export const CARD_MONEY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'what the card network keeps lowers what a Bud has spent',
    file: 'server/dashboards/tallies.sql.ts',
    find: " and t.kind <> 'card-fee'`;",
    replace: '`;',
    suite: 'server/payments/cardFees.test.ts',
  },
  {
    bug: 'two workers write the same card fee',
    file: 'server/payments/reconciliation.sql.ts',
    find: "    .where('card_fee', 'is not distinct from', cardFee)\n",
    replace: '',
    suite: 'server/payments/cardFees.test.ts',
  },
  {
    bug: 'a chargeback is taken out of the books each time it is seen',
    file: 'server/disputes/disputes.ts',
    find: 'if (isTaken && !isDebited) {',
    replace: 'if (isTaken) {',
    suite: DISPUTES,
  },
  {
    bug: 'people are paid for an order whose payment is contested',
    file: 'server/disputes/disputes.ts',
    find: 'await holdDisputedCredits(tx, orderId, at);',
    replace: 'void holdDisputedCredits;',
    suite: DISPUTES,
  },
  {
    bug: 'a chargeback is answered again although the bank has the evidence',
    file: 'server/payments/squareDisputes.ts',
    find: `  return change(context, disputeId, async (dispute) => {
    if (!awaitsEvidence(dispute.state)) return undefined;`,
    replace: '  return change(context, disputeId, async () => {',
    suite: DISPUTES,
  },
];
