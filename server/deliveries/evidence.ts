import { ARRIVED_WITHIN_M, earliestArrival } from '../../domain/needs.ts';
import { distanceInMeters, type Point } from '../../domain/places.ts';
import type { Tx } from '../db/database.ts';
import type { DeliveryRecord } from './facts.sql.ts';
import { findLastPosition, listAddressesOf } from './positions.sql.ts';

/** The door that a Duber is on the way to. */
export const doorOf = ({ status, pickup, drop }: Pick<DeliveryRecord, 'status' | 'pickup' | 'drop'>): Point =>
  status === 'Way_To_Drop' ? drop : pickup;

/** Whether the Duber's phone has shared a position at the door that they are on the way to. */
export const isHeardAtDoor = (delivery: DeliveryRecord): boolean =>
  delivery.position !== null && distanceInMeters(delivery.position, doorOf(delivery)) <= ARRIVED_WITHIN_M;

/**
 * From when an arrival counts that is said earlier than the Duber can have been there; null when they can. The server measures it
 * from what it knows itself: where they were before, and when they accepted or collected.
 */
export async function countsFrom(tx: Tx, delivery: DeliveryRecord, saidAt: Date): Promise<Date | null> {
  if (isHeardAtDoor(delivery)) return null;
  const earliest = await findEarliestArrival(tx, delivery);
  return earliest > saidAt ? earliest : null;
}

async function findEarliestArrival(tx: Tx, delivery: DeliveryRecord): Promise<Date> {
  const { status, pickup, drop, collectedAt, acceptedAt } = delivery;
  if (status === 'Way_To_Drop') return earliestArrival(collectedAt ?? acceptedAt, distanceInMeters(pickup, drop));
  const { from, at } = await findStart(tx, delivery);
  const earliest = earliestArrival(at, from === undefined ? 0 : distanceInMeters(from, pickup));
  return new Date(Math.max(earliest.getTime(), acceptedAt.getTime()));
}

/** Where the Duber was before they accepted, and when: their last position, or else the nearest of their addresses. */
async function findStart(
  tx: Tx,
  { id, duberId, acceptedAt, pickup }: DeliveryRecord,
): Promise<{ from: Point | undefined; at: Date }> {
  const last = await findLastPosition(tx, { duberId, not: id, before: acceptedAt });
  if (last) return { from: last, at: last.at };
  const addresses = await listAddressesOf(tx, duberId);
  const [nearest] = addresses.toSorted((a, b) => distanceInMeters(a, pickup) - distanceInMeters(b, pickup));
  return { from: nearest, at: acceptedAt };
}

/** Whether something besides the word of a Duber says that they were at the door where nobody gave or took the laundry. */
export const isFailureProven = (delivery: DeliveryRecord, photos: number): boolean =>
  isHeardAtDoor(delivery) || (photos > 0 && delivery.arrivedAt !== null && !delivery.isArrivalEarly);

/** Whether a Duber without laundry was on their way: they have arrived, or shared a position that is nearer than where they were. */
export async function isOnTheWay(tx: Tx, delivery: DeliveryRecord): Promise<boolean> {
  const { position, pickup, arrivedAt, isArrivalEarly } = delivery;
  if (isHeardAtDoor(delivery) || (arrivedAt !== null && !isArrivalEarly)) return true;
  if (position === null) return false;
  const { from } = await findStart(tx, delivery);
  return from !== undefined && distanceInMeters(position, pickup) < distanceInMeters(from, pickup) - ARRIVED_WITHIN_M;
}
