import type { Point } from '../../domain/places.ts';
import { type DELIVERY_EXCEPTIONS, keeperOf, splitTripPrice } from '../../domain/process/delivery.ts';
import type { DeliveryChange, DeliveryWithHistory } from './deliveryExceptions.sql.ts';

export type ExceptionRow = (typeof DELIVERY_EXCEPTIONS)[number];

const ENDS_WITH_THE_DUBER: readonly string[] = ['drop-delivery', 'take-off', 'silent', 'relay'];

/** Whether the Duber has the laundry after the step. */
function hasLaundryAfter({ action, from, to }: ExceptionRow, { hasLaundry }: DeliveryWithHistory): boolean {
  if (to === 'Pending' || to === 'Delivered' || to === 'Returned' || to === 'Called_Off') return false;
  if (action === 'correct' && from === 'Collected') return false;
  if (action === 'correct' && from === 'Delivered') return true;
  return hasLaundry;
}

/** Who has the laundry of a delivery whose Duber could not go on, until the next one collects it. */
function carrierAfter({ action, to }: ExceptionRow, { duberId, carrierId }: DeliveryWithHistory): string | null {
  if (action === 'relay') return duberId;
  return to === 'Returned' || to === 'Called_Off' ? null : carrierId;
}

export const isRelayed = (delivery: DeliveryWithHistory): boolean => keeperOf(delivery) !== null;
/** Whether the Duber of a relayed delivery is the one who could not go on: they have had its laundry all the time. */
export const isCarriedByDuber = (delivery: DeliveryWithHistory): boolean =>
  isRelayed(delivery) && keeperOf(delivery) === delivery.duberId;

/** The Duber who may not accept the delivery again until another Duber had it. */
function leftByAfter({ action }: ExceptionRow, { duberId, leftBy }: DeliveryWithHistory): string | null {
  if (action === 're-offer') return null;
  return ENDS_WITH_THE_DUBER.includes(action) ? duberId : leftBy;
}

/** What a row changes of a delivery. `place` is where the laundry is, for `relay`. */
export function changeOf(
  row: ExceptionRow,
  delivery: DeliveryWithHistory,
  { place, at }: { place: Point | undefined; at: Date },
): DeliveryChange {
  const { action, from, to } = row;
  const hasLaundry = hasLaundryAfter(row, delivery);
  const hasLeft = ENDS_WITH_THE_DUBER.includes(action);
  const isStopped = to === 'Returned' || to === 'Called_Off' || (to === 'Failed' && !hasLaundry);
  const { price, distanceM, pickup } = delivery;
  const change = {
    to,
    startsOver: 'startsOver' in row,
    hasLaundry,
    duberId: to === 'Pending' ? null : delivery.duberId,
    carrierId: carrierAfter(row, delivery),
    leftBy: leftByAfter(row, delivery),
    leftAt: hasLeft ? at : delivery.leftAt,
    deliveredAt: to === 'Delivered' ? at : from === 'Delivered' ? null : delivery.deliveredAt,
    stoppedAt: isStopped ? at : null,
  };
  if (action === 'relay' && place) {
    const { restCents, restM } = splitTripPrice(delivery, place);
    return { ...change, pickup: place, price: restCents, distanceM: restM };
  }
  // It starts at its first pickup again, for the whole distance.
  if (from === 'Returned' && to === 'Pending') return { ...change, ...delivery.wholeWay, pickup: delivery.origin };
  return { ...change, pickup: from === 'Returned' ? delivery.origin : pickup, price, distanceM };
}
