import type { MoneyProblem } from '../../../contract/operator/money.ts';
import type { WaitingCredit } from '../../../contract/operator/payouts.ts';
import type { LedgerAccount, LiableParty } from '../../../domain/ledger.ts';
import type { PaymentState, RefundState } from '../../../domain/payments.ts';

export const ACCOUNT_TEXTS: Readonly<Record<LedgerAccount, string>> = {
  'card-clearing': 'Cards',
  unearned: 'Not earned yet',
  scrub: 'Scrub',
  duber: 'Duber',
  'platform-revenue': 'Platform fee',
  'taxes-payable': 'Taxes',
  'refund-costs': 'Paid by the platform',
  payouts: 'Payouts',
  'card-fees': 'Card fees',
  disputes: 'Contested at banks',
  promotions: 'Promo codes',
};

const KIND_TEXTS: Readonly<Record<string, string>> = {
  captured: 'Card charged',
  completed: 'Order completed',
  delivered: 'Delivered',
  trip: 'Trip without laundry',
  returned: 'Laundry brought back',
  relayed: 'Part of a delivery',
  corrected: 'Taken back',
  held: 'Set aside',
  refunded: 'Given back to the card',
  adjusted: 'Correction',
  'paid-out': 'Paid out',
  'payout-returned': 'Sent back by the bank',
  'card-fee': 'Fee of the card network',
  disputed: 'Contested by the card holder',
  'dispute-won': 'Chargeback won',
  'dispute-lost': 'Chargeback lost',
};
export const kindText = (kind: string): string => KIND_TEXTS[kind] ?? kind;

export const LIABLE_TEXTS: Readonly<Record<LiableParty, { name: string; text: string }>> = {
  platform: { name: 'The platform', text: 'Nobody who worked on the order pays for it.' },
  scrub: { name: 'The Scrub', text: 'It is taken from what the Scrub earns.' },
  duber: { name: 'The Duber', text: 'It is taken from what the Duber earns.' },
};

/** What became of the amount on a card. */
export const PAYMENT_TEXTS: Readonly<Record<PaymentState, string>> = {
  holding: 'is being put on hold',
  held: 'on hold',
  capturing: 'is being charged',
  captured: 'charged',
  voiding: 'is being released',
  voided: 'released, not charged',
  declined: 'declined',
  stuck: 'needs an operator',
};

export const REFUND_TEXTS: Readonly<Record<RefundState, string>> = {
  asking: 'On the way to the card network',
  pending: 'On the way to the card',
  refunded: 'Back on the card',
  stuck: 'Refused by the card network',
  dropped: 'Given up',
};

export const WAIT_TEXTS: Readonly<Record<WaitingCredit['why'], string>> = {
  'laundry-not-seen': 'Nobody has seen the laundry yet',
  case: 'A claim is open',
  lost: 'The laundry is lost',
  account: 'An operator keeps it for now',
  chargeback: 'The card holder contests the payment',
  'same-people': 'Two people of the order may be the same one',
  'not-charged': 'The card is not charged yet',
  ways: 'It pays the deliveries of laundry that is cleaned again',
  'claim-time': 'The Bud can still report a problem',
  'platform-pay': 'The platform pays it',
  trip: 'The laundry was not handed over',
};

export const PROBLEM_TEXTS: Readonly<Record<MoneyProblem['kind'], { title: string; advice: string }>> = {
  capture: {
    title: 'A card was not charged',
    advice:
      'The order goes on. Look at the payment at Square, then try again. Otherwise ask the Bud to pay in another way: everybody is paid their share either way.',
  },
  'hold-over': {
    title: 'The hold on a card is over',
    advice:
      'The bank has ended it, so trying again does not help. Ask the Bud for another card, or cancel the order. Whoever has worked on it is paid their share either way.',
  },
  release: {
    title: 'A card is still held',
    advice: 'The order was called off, or costs nothing. Void or refund the payment at Square, then try again.',
  },
  refund: {
    title: 'Square refuses a refund',
    advice: 'Look at the payment at Square. Try again, or give it up and pay the Bud in another way.',
  },
  discrepancy: {
    title: 'Square and our books disagree',
    advice: 'Fix it at Square. It is checked every ten minutes, and the problem goes away when both agree.',
  },
  slow: {
    title: 'Square does not answer',
    advice: 'It is tried again by itself. If it lasts, check the access token of Square.',
  },
};
