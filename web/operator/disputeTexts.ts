import type { Dispute } from '../../contract/operator/disputes.ts';
import type { LiableParty } from '../../domain/ledger.ts';

/** The card network's reasons in our words. What is not here is shown as it is. */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  AMOUNT_DIFFERS: 'They say that the amount is wrong',
  CANCELLED: 'They say that they cancelled',
  DUPLICATE: 'They say that they were charged twice',
  NO_KNOWLEDGE: 'They say that they do not know this payment',
  NOT_AS_DESCRIBED: 'They say that it was not as described',
  NOT_RECEIVED: 'They say that they got nothing',
  PAID_BY_OTHER_MEANS: 'They say that they paid in another way',
  CUSTOMER_REQUESTS_CREDIT: 'They say that they were promised their money back',
  EMV_LIABILITY_SHIFT: 'The card had a chip that was not used',
};
export const reasonText = (reason: string): string => REASON_TEXTS[reason] ?? reason;

const STATUS_TEXTS: Readonly<Record<Dispute['status'], string>> = {
  open: 'Waits for us',
  prepared: 'Evidence is saved',
  sent: 'With the bank',
  won: 'Won',
  lost: 'Lost',
};

const ON_ITS_WAY = { send: 'Being sent to the bank', accept: 'Being given up' } as const;

export const statusText = ({ status, onItsWay }: Pick<Dispute, 'status' | 'onItsWay'>): string =>
  onItsWay === null ? STATUS_TEXTS[status] : ON_ITS_WAY[onItsWay];

/** Who pays for a lost chargeback. */
export const BEARER_TEXTS: Readonly<Record<LiableParty, string>> = {
  platform: 'The platform',
  scrub: 'The Scrub of this order',
  duber: 'The Duber of this order',
};

/** How long the bank still waits. */
export function daysLeftText(daysLeft: number): string {
  if (daysLeft < 0) return 'The time to answer is over';
  if (daysLeft === 0) return 'Less than a day left';
  return daysLeft === 1 ? '1 day left' : `${daysLeft} days left`;
}
