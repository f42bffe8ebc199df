import type { Dispute } from '../../contract/operator/disputes.ts';
import type { LiableParty } from '../../domain/ledger.ts';

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
