import type { PendingReason } from './earnings.ts';
import type { EntryKind, WorkKind } from './ledger.ts';
import type { Cents } from './payments.ts';

/** What a statement or a notice says about money that a Scrub or a Duber earns or loses. */
export type Movement = {
  readonly kind: EntryKind;
  /** Above zero when they earn it. */
  readonly amount: Cents | number;
  /** Why: of a refund or a correction the words of who made it, of a part that was set aside what it waits for. */
  readonly reason: string | null;
  /** Whether they pay a Duber, because they have caused the trip. */
  readonly isBorne: boolean;
};

const WORK: Readonly<Record<WorkKind, string>> = {
  completed: 'Job completed',
  delivered: 'Delivery made',
  trip: 'Trip without laundry',
  returned: 'Laundry brought back',
  relayed: 'Part of a delivery',
};

/** What a Scrub pays for who has caused a trip. */
const BORNE: Readonly<Record<string, string>> = {
  delivered: 'Paid to a Duber: a delivery of laundry that you clean again',
  trip: 'Paid to a Duber: a trip without laundry, because you gave the order back or clean it again',
  returned: 'Paid to a Duber: laundry was brought back',
  relayed: 'Paid to a Duber: a part of a delivery of laundry that you clean again',
};

const SET_ASIDE: Partial<Record<PendingReason, string>> = {
  case: 'a problem that a Bud has reported',
  ways: 'the deliveries of laundry that you clean again',
};

const because = (what: string, reason: string | null) => (reason === null ? what : `${what}: ${reason}`);
const isPendingReason = (reason: string | null): reason is PendingReason => reason !== null && reason in SET_ASIDE;

/** Describes a movement and its reason. */
export function describeMovement({ kind, amount, reason, isBorne }: Movement): string {
  switch (kind) {
    case 'completed':
    case 'delivered':
    case 'trip':
    case 'returned':
    case 'relayed':
      if (amount >= 0) return WORK[kind];
      return (isBorne && BORNE[kind]) || because('Your part of a refund', reason);
    case 'refunded':
      return because('Your part of a refund', reason);
    case 'corrected':
      return amount < 0 ? 'Taken back: the step was corrected' : 'Yours again: the step was corrected';
    case 'held': {
      const why = (isPendingReason(reason) && SET_ASIDE[reason]) || 'a problem with the order';
      return amount < 0 ? `Set aside for ${why}` : `The same amount, which was set aside for ${why}`;
    }
    case 'adjusted':
      return because('Correction', reason);
    case 'payout-returned':
      return 'A payout that your bank has sent back';
    case 'dispute-lost':
      return 'The card holder got the money back from their bank, and you bear it';
    default:
      return because('Money of an order', reason);
  }
}
