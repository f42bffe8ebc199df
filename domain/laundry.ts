import type { OrderStatus, WayHome } from './orders.ts';
import type { DeliverySituation } from './process/situation.ts';

/**
 * Whether the laundry of an order is gone: lost on the last delivery, or where it was when the order was cancelled. Of a cancelled
 * order whose laundry is with its Bud there is no way home.
 */
export function isGone({ deliveries, wayHome, status }: LaundryEnd): boolean {
  if (status === 'Cancelled' && !wayHome) return false;
  const last = deliveries.at(-1);
  return wayHome === 'lost' || last?.situation === 'lost';
}
type LaundryEnd = {
  readonly status: OrderStatus;
  readonly wayHome?: WayHome | undefined;
  readonly deliveries: readonly { readonly situation?: DeliverySituation | undefined }[];
};
