import type { PersonRow } from '../../contract/operator/people.ts';
import type { RestrictionKind, WorkChoice } from '../../domain/restrictions.ts';

export const STATE_TEXTS: Record<PersonRow['state'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  held: 'On hold',
};

export const RESTRICTION_TEXTS: Record<RestrictionKind, string> = {
  'sign-in': 'Cannot sign in',
  'new-work': 'Gets no new work',
  payout: 'Payouts wait',
};

export const CHOICE_TEXTS: Record<WorkChoice, string> = {
  finish: 'Let finish',
  another: 'Give to somebody else',
  cancel: 'Cancel',
};

const COUNT_TEXTS: Readonly<Record<string, string>> = {
  'drop-delivery': 'Deliveries given back',
  'pickup-failed': 'Pickups failed',
  'drop-failed': 'Drop-offs failed',
  'give-back': 'Orders given back',
  'reject-order': 'Orders rejected',
};

/** The name of a count: what was done, or a status. */
export const countText = (what: string): string => COUNT_TEXTS[what] ?? what.replaceAll('_', ' ');
