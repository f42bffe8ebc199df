import type { Order } from '../../contract/orders.ts';
import { ITEM_KINDS, type ItemKind } from '../../domain/cases.ts';
import { CLAIM_WITHIN_MS, isClaimInTime, MISSING_WITHIN_MS } from '../../domain/claims.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';

export const WITHIN_TEXT = `You have ${CLAIM_WITHIN_MS / HOUR_MS} hours after the delivery, and ${MISSING_WITHIN_MS / DAY_MS} days for missing things.`;

type DatedOrder = Pick<Order, 'status' | 'statusHistory' | 'selfPickup' | 'wayHome'> & {
  readonly deliveries: readonly Pick<
    Order['deliveries'][number],
    'deliveryType' | 'round' | 'status' | 'statusHistory' | 'situation'
  >[];
};

/** When the Bud had the laundry back; undefined while it is not, and where the order does not say it. */
export function broughtBackAt({ status, statusHistory, selfPickup, deliveries }: DatedOrder): Date | undefined {
  if (status !== 'Completed') return undefined;
  if (selfPickup) return timeOf(statusHistory.findLast((step) => step.status === 'Completed'));
  const [delivery] = deliveries
    .filter((one) => one.deliveryType === 'Scrub_To_Bud')
    .toSorted((a, b) => b.round - a.round);
  // The Bud fetched it after the delivery was called off.
  const isEnd = delivery?.status === 'Called_Off' || delivery?.status === 'Delivered';
  return isEnd ? timeOf(delivery.statusHistory.findLast((step) => step.status === delivery.status)) : undefined;
}

const timeOf = (step: { readonly createdAt: string } | undefined) => step && new Date(step.createdAt);

/** What can still be reported of laundry that was back at a time. */
export const kindsInTime = (deliveredAt: Date, now: Date): readonly ItemKind[] =>
  ITEM_KINDS.filter((kind) => isClaimInTime([{ kind }], { deliveredAt, now }));

/** When an order ended, of which nothing is missing but all. */
const endedAt = ({ status, statusHistory }: DatedOrder): Date | undefined =>
  ORDER_GROUPS[status] === 'progress' ? undefined : timeOf(statusHistory.at(-1));

/**
 * Whether the laundry of an order is gone: lost on the last delivery, or where it was when the order was cancelled. Of a cancelled
 * order whose laundry is with its Bud there is no way home.
 */
function isGone({ deliveries, wayHome, status }: DatedOrder): boolean {
  if (status === 'Cancelled' && !wayHome) return false;
  return wayHome === 'lost' || deliveries.at(-1)?.situation === 'lost';
}

export type Reportable = {
  readonly kinds: readonly ItemKind[];
  /** Why not everything can be reported; undefined where it can. */
  readonly why: string | undefined;
};

/** What the Bud of an order can report now: a form is not opened for what the server refuses. */
export function reportableOf(order: DatedOrder, now: Date): Reportable {
  if (isGone(order)) {
    const since = endedAt(order) ?? now;
    return isClaimInTime([{ kind: 'missing' }], { deliveredAt: since, now })
      ? { kinds: ['missing'], why: 'Your laundry is lost: report all of it as missing.' }
      : { kinds: [], why: LOST_TOO_LONG };
  }
  const deliveredAt = broughtBackAt(order);
  if (!deliveredAt) return { kinds: [], why: NOT_BACK };
  const kinds = kindsInTime(deliveredAt, now);
  return { kinds, why: whyNotAll(kinds) };
}

const NOT_BACK = 'You can report a problem once your laundry is back with you.';
const NOTHING_ANY_MORE = `It is more than ${MISSING_WITHIN_MS / DAY_MS} days since the delivery: nothing can be reported any more.`;

const LOST_TOO_LONG = `It is more than ${MISSING_WITHIN_MS / DAY_MS} days since the order ended: it can no longer be reported here. Please write to us.`;

function whyNotAll(kinds: readonly ItemKind[]): string | undefined {
  if (kinds.length === ITEM_KINDS.length) return undefined;
  return kinds.length === 0
    ? NOTHING_ANY_MORE
    : `It is more than ${CLAIM_WITHIN_MS / HOUR_MS} hours since the delivery: only missing things can still be reported.`;
}
