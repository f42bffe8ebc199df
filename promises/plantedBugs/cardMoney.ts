import type { PlantedBug } from './plantedBug.ts';

const TAXES = 'server/operator/salesTax.test.ts';
const DAYS = 'server/payments/reconciledDays.test.ts';
const FAULTS = 'server/payments/reconciledDaysFaults.test.ts';
const DISPUTES = 'server/disputes/disputes.test.ts';

/** Bugs in card fees and chargebacks. */
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
  {
    bug: 'the comparison of a day ignores refunds',
    file: 'server/payments/compareDay.ts',
    find: 'theirs: isMade ? amount : 0 }',
    replace: 'theirs: found?.refunded ?? 0 }',
    suite: DAYS,
  },
  {
    bug: 'a day is compared before the card network has told its fees',
    file: 'domain/reconciledDays.ts',
    find: 'export const FEES_KNOWN_AFTER_MS = DAY_MS;',
    replace: 'export const FEES_KNOWN_AFTER_MS = 0;',
    suite: DAYS,
  },
  {
    bug: 'the comparison of a day ignores the second page of payments',
    file: 'server/payments/squareLists.ts',
    find: '    return { items, ...(page.cursor ? { cursor: page.cursor } : {}) };',
    replace: '    return { items };',
    suite: DAYS,
  },
  {
    bug: 'a day that could not be compared is never compared again',
    file: 'server/payments/reconciledDays.sql.ts',
    find: 'is_known and (ours, theirs, differences) is not distinct from (',
    replace: 'is_known and (ours, theirs, differences) = (',
    suite: FAULTS,
  },
  {
    bug: 'a payment that the card network lists twice counts twice',
    file: 'server/payments/compareDay.ts',
    find: 'await compare(await dropListedBefore(db, run, page.items));',
    replace: 'await compare(page.items); void dropListedBefore;',
    suite: FAULTS,
  },
  {
    bug: 'a refund that is made days later is compared on no day',
    file: 'server/payments/compareDay.ts',
    find: '  await recheckOlderResult(db, { day: dayOf(at), since }, now());\n',
    replace: '  void [recheckOlderResult, db, dayOf, since, now];\n',
    suite: FAULTS,
  },
  {
    bug: 'days before which no server has run for a month are never compared',
    file: 'domain/reconciledDays.ts',
    find: 'export const LONGEST_GAP_DAYS = 400;',
    replace: 'export const LONGEST_GAP_DAYS = 30;',
    suite: FAULTS,
  },
  {
    bug: 'days that were compared while a clock was ahead are never compared again',
    file: 'server/payments/reconciledDays.ts',
    find: '  await correctDaysAhead(db, now());\n',
    replace: '  void correctDaysAhead;\n',
    suite: FAULTS,
  },
  {
    bug: 'a server that was too slow overwrites a day that another one has compared',
    file: 'server/payments/reconciledDays.sql.ts',
    find: ' and due_at = ',
    replace: ' or due_at = ',
    suite: DAYS,
  },
  {
    bug: 'a rate keeps two decimals of a percent only',
    file: 'server/payments/zones.sql.ts',
    find: 'const tenths = Math.round(value * 10);',
    replace: 'const tenths = Math.round(value) * 10;',
    suite: TAXES,
  },
  {
    bug: 'taxes are rounded once for the order, where the town rounds each line',
    file: 'domain/payments.ts',
    find: "tariff.taxRounding === 'line'",
    replace: 'tariff.taxRounding === undefined',
    suite: TAXES,
  },
  {
    bug: 'after a restore, an order that was called off since lives with a hold that is gone',
    file: 'server/payments/afterRestore.sql.ts',
    find: "state = 'held' or ",
    replace: '',
    suite: 'server/payments/afterRestore.test.ts',
  },
  {
    bug: 'after a restore, what was charged today is unknown until the day after tomorrow',
    file: 'server/payments/reconciledDays.sql.ts',
    find: 'where not is_early and day >=',
    replace: 'where day >=',
    suite: 'server/payments/afterRestore.test.ts',
  },
];
