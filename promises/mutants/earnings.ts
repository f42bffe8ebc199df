import type { Edit } from './edits.ts';
import type { Mutant } from './mutant.ts';

/** A payout does not wait while the money of an order may still go back. */
const paysOutWhatMayGoBack = {
  at: 'server/payments/payouts/payouts.sql.ts#insertPayout',
  replace: ['pendingReason(payee, now)', 'ownPendingReason(payee.before ?? now)'],
} as const satisfies Edit & { at: string };

/** What people earn, when it is paid out, and what the platform pays. */
export const EARNING_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'a Scrub gets a cent less for each order, and the platform a cent more',
    at: 'domain/ledger.ts#creditsOfCompletion',
    replace: [
      'centsOfEarner(lines, earner)',
      "centsOfEarner(lines, earner) + (earner === 'scrub' ? -1 : earner === 'platform' ? 1 : 0)",
    ],
    suite: 'promises/city.test.ts',
    cases: 40,
  },
  {
    mutant: 'a payout contains what is pending, in the city',
    at: 'server/payments/payouts/payouts.sql.ts#selectUnpaidLines',
    remove: ".where(hold, 'is', null)",
    suite: 'promises/city.test.ts',
    cases: 40,
  },
  {
    mutant: 'a credit that waits is paid out',
    at: 'server/payments/payouts/payouts.sql.ts#selectUnpaidLines',
    remove: ".where(hold, 'is', null)",
    suite: 'server/payments/ledger/pendingPayouts.test.ts',
  },
  {
    mutant: 'a suspended person is paid out',
    at: 'server/payments/ledger/pendingPayouts.sql.ts#ownPendingReason',
    replace: ["case when ${isRestrictedFrom('payout', sql`l.party`)} then 'account' end", 'null'],
    suite: 'server/operator/suspend.test.ts',
  },
  {
    mutant: 'a Duber is paid out before the card is charged',
    at: 'server/payments/ledger/pendingPayouts.sql.ts#IS_UNCHARGED',
    replace: ["p.state in ('held', 'capturing')", "p.state in ('nothing')"],
    suite: 'server/payments/charge/weighedPayments.test.ts',
  },
  {
    mutant: 'the claimed part of a credit is paid out while the case is open',
    at: 'server/cases/claimedPayouts.ts#holdClaim',
    skip: 'holdCredits',
    suite: 'server/cases/cases.test.ts',
  },
  {
    mutant: 'people are paid for an order whose payment is contested',
    at: 'server/disputes/disputes.ts#open',
    skip: 'holdDisputedCredits',
    suite: 'server/disputes/disputes.test.ts',
  },
  {
    mutant: 'workers are paid for money that goes back to the card on the next day',
    ...paysOutWhatMayGoBack,
    suite: 'server/payments/earnings/claimTime.test.ts',
  },
  {
    mutant: 'a payout comes back twice',
    at: 'server/payments/payouts/returnPayout.ts#lockSentPayout',
    replace: ["payoutStatusAfter('return', payout.state) === undefined", "payout.state === 'due'"],
    suite: 'server/operator/payouts.test.ts',
  },
  {
    mutant: 'laundry that is cleaned again is earned twice',
    at: 'server/payments/earnings/payments.ts#recordCompletion',
    remove: 'if (facts.isRecorded) return;',
    suite: 'server/orders/orderRounds.test.ts',
  },
  {
    mutant: 'money that nobody has earned is refunded twice',
    at: 'domain/orderBalance.ts#linesOfRefund.fromUnearned',
    becomes: 'amount',
    suite: 'server/payments/refunds/refunds.test.ts',
  },
  {
    mutant: 'a Duber is paid for a failed pickup without an arrival',
    at: 'domain/process/delivery.ts#WASTED_TRIP',
    remove: 'if (!delivery.arrivedAt) return undefined;',
    suite: 'server/deliveries/steps.test.ts',
  },
  {
    mutant: 'a Scrub without money offers to clean again, and owes it',
    at: 'server/cases/caseMoney.ts#isCovered',
    replace: ["offer === 'clean-again' ? ways", "offer === 'clean-again' ? Math.min(ways, free)"],
    suite: 'server/cases/offerCover.test.ts',
  },
  {
    mutant: 'the platform pays the trip to an order that its Scrub gives back',
    at: 'domain/process/order.ts#GIVEN_BACK_BY_SCRUB.callsOff',
    becomes: "'platform'",
    suite: 'server/deliveries/platformEarnings.test.ts',
  },
  {
    mutant: 'a trip is payable on the word of its Duber',
    at: 'domain/earnings.ts#waitOfEarning',
    replace: ['isProven && !isAboveLimit', '!isAboveLimit'],
    suite: 'server/deliveries/platformEarnings.test.ts',
  },
  {
    mutant: 'the platform pays any number of trips in a week',
    at: 'domain/earnings.ts#waitOfEarning.isAboveLimit',
    replace: ['inWeek + ofPlatform', 'ofPlatform'],
    suite: 'server/deliveries/platformEarnings.test.ts',
  },
  {
    mutant: 'a gang: the platform pays what a worker offers to give back',
    at: 'server/cases/caseMoney.ts#requestOf',
    replace: ['amount: cents, liable,', "amount: cents, liable: 'platform',"],
    suite: 'promises/gang/gang.test.ts',
    cases: 1,
  },
  {
    mutant: 'a gang: the platform pays the trip to an order that a friend gives back, without a proof and a limit',
    at: 'domain/process/order.ts#GIVEN_BACK_BY_SCRUB.callsOff',
    becomes: "'platform'",
    also: [
      { at: 'domain/earnings.ts#waitOfEarning.isAboveLimit', becomes: 'false' },
      {
        at: 'server/deliveries/effects/payDuber.ts#isProven',
        replace: ['return isOnTheWay(tx, facts)', 'return true'],
      },
    ],
    suite: 'promises/gang/gang.test.ts',
    cases: 1,
  },
  {
    mutant: 'a gang: a payout of Monday goes back to the card of a friend on Tuesday',
    ...paysOutWhatMayGoBack,
    also: [{ at: 'server/cases/caseMoney.ts#isCovered', becomes: 'true' }],
    suite: 'promises/gang/gang.test.ts',
    cases: 1,
  },
  {
    mutant: 'a gang: after five wrong PINs, a photo of anything is a proof, and is paid',
    at: 'domain/handovers.ts#isEnoughProof',
    replace: ['isPinBlocked && isAtDoor', 'isPinBlocked'],
    also: [
      { at: 'server/payments/earnings/earnings.ts#holdEarning.wrongPin', becomes: 'undefined' },
      paysOutWhatMayGoBack,
    ],
    suite: 'promises/gang/gang.test.ts',
    cases: 1,
  },
];
