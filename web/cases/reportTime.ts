import type { Order } from '../../contract/orders.ts';
import { ITEM_KINDS, type ItemKind } from '../../domain/cases.ts';
import { CLAIM_WITHIN_MS, isClaimInTime, MISSING_WITHIN_MS } from '../../domain/claims.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';

export const WITHIN_TEXT = `Within ${CLAIM_WITHIN_MS / HOUR_MS} hours after the delivery. Missing things within ${MISSING_WITHIN_MS / DAY_MS} days.`;

type DatedOrder = Pick<Order, 'status' | 'statusHistory' | 'selfPickup'> & {
  readonly deliveries: readonly Pick<
    Order['deliveries'][number],
    'deliveryType' | 'round' | 'status' | 'statusHistory' | 'exceptions'
  >[];
};

/** When the Bud had the laundry back; undefined while it is not, and where the order does not say it. */
export function broughtBackAt({ status, statusHistory, selfPickup, deliveries }: DatedOrder): Date | undefined {
  if (status !== 'Completed') return undefined;
  if (selfPickup) return timeOf(statusHistory.findLast((step) => step.status === 'Completed'));
  const [leg] = deliveries.filter((one) => one.deliveryType === 'Scrub_To_Bud').toSorted((a, b) => b.round - a.round);
  // The Bud fetched it after the delivery was called off.
  const ends = leg?.status === 'Called_Off' ? leg.exceptions : leg?.statusHistory;
  const isEnd = leg?.status === 'Called_Off' || leg?.status === 'Delivered';
  return isEnd ? timeOf(ends?.findLast((step) => step.status === leg.status)) : undefined;
}

const timeOf = (step: { readonly createdAt: string } | undefined) => step && new Date(step.createdAt);

/** What can still be reported of an order. Where it is not known, the server says it. */
export function kindsInTime(deliveredAt: Date | undefined, now: Date): readonly ItemKind[] {
  if (!deliveredAt) return ITEM_KINDS;
  return ITEM_KINDS.filter((kind) => isClaimInTime([{ kind }], { deliveredAt, now }));
}

/** Why not everything can be reported; undefined where it can. */
export function whyNotAll(kinds: readonly ItemKind[]): string | undefined {
  if (kinds.length === ITEM_KINDS.length) return undefined;
  return kinds.length === 0
    ? `It is more than ${MISSING_WITHIN_MS / DAY_MS} days since the delivery: nothing can be reported any more.`
    : `It is more than ${CLAIM_WITHIN_MS / HOUR_MS} hours since the delivery: only missing things can still be reported.`;
}
