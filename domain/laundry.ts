import type { DeliveryStatus } from './deliveries.ts';
import type { OrderStatus, WayHome } from './orders.ts';
import { type DeliverySituation, factsOfDelivery, situationOfDelivery } from './process/situation.ts';

// Where the laundry of a delivery is, by the steps that a screen has of it. What the server decides with is in process/holder.ts.

/** What of a delivery says where its laundry is. */
export type LaundryLeg = {
  readonly status: DeliveryStatus;
  /** Whether its Duber has the laundry. */
  readonly hasLaundry: boolean;
  /** What did not go as planned, oldest first. */
  readonly exceptions: readonly { readonly action: string }[];
};

type StepsOfLeg = Pick<LaundryLeg, 'status' | 'exceptions'>;

/** Whether the laundry waits with an earlier Duber, who could not go on, until the next one collects it. */
const isRelayed = (leg: StepsOfLeg): boolean =>
  leg.status !== 'Called_Off' && factsOfDelivery({ ...leg, hasLaundry: false }).isRelayed;

/** Whether the laundry is reported as lost, and has not been found since. */
const isLost = (leg: StepsOfLeg): boolean =>
  leg.status === 'Failed' && factsOfDelivery({ ...leg, hasLaundry: false }).isLost;

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
