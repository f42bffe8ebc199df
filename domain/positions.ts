import type { DeliveryStatus } from './deliveries.ts';
import type { Point } from './places.ts';

/** A Duber shares their position only at these statuses. */
export function isOnTheWay(status: DeliveryStatus): boolean {
  return status === 'Way_To_Pick' || status === 'Way_To_Drop' || status === 'Way_Back';
}

/** The shortest time between two positions of one delivery. */
export const POSITION_INTERVAL_MS = 5_000;

/** How long after the delivery its last position is visible. */
export const POSITION_AFTER_DELIVERED_MS = 60 * 60 * 1000;

/** From this age on a position no longer says where the Duber is now. */
const POSITION_FRESH_MS = 3 * 60 * 1000;

/** Whether a position from the time `at` is too old to be shown as live. */
export function isPositionStale(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() >= POSITION_FRESH_MS;
}

/** A position is visible no longer than this, in case a delivery is never finished. */
export const POSITION_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Whether the last position of a delivery, from the time `at`, is still visible. */
export function isPositionVisible(
  position: { readonly at: Date; readonly deliveredAt: Date | null },
  now: Date,
): boolean {
  const { at, deliveredAt } = position;
  if (now.getTime() - at.getTime() >= POSITION_LIFETIME_MS) return false;
  return deliveredAt === null || now.getTime() - deliveredAt.getTime() < POSITION_AFTER_DELIVERED_MS;
}

/** A position with a larger radius of accuracy, in meters, is vague: the phone may be at another house, or in another town. */
export const EXACT_WITHIN_M = 100;

/** The accuracy that a phone reports, as a radius in meters. A position without an accuracy counts as exact. */
type Accuracy = { readonly accuracy?: number | null | undefined };

export const isVague = ({ accuracy }: Accuracy): boolean => (accuracy ?? 0) > EXACT_WITHIN_M;

/** A place that a phone has told. */
export type PhonePlace = Point & Accuracy;

/** The place, if it says where somebody is. A vague one proves nothing. */
export const exactPlace = (place: PhonePlace | undefined): Point | undefined =>
  place && !isVague(place) ? { latitude: place.latitude, longitude: place.longitude } : undefined;

const STEPS_PER_DEGREE = 10_000;
// Adding 0 turns a -0 into 0.
const roundDegrees = (degrees: number) => Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE + 0;

/** Rounds a position to about 11 metres: enough to see a Duber come, too little to show which house they are at. */
export function roundPosition({ latitude, longitude }: Point): Point {
  return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
}

/** How long a way of so many seconds takes, in whole minutes, with the age of the position that it begins at. */
export function arrivalSpan(seconds: number, ageMs: number): { fromMin: number; toMin: number } {
  // A router knows no traffic lights, and the driver has gone on since the position was sent.
  const fromMin = Math.max(1, Math.floor((seconds * 0.9 - ageMs / 1000) / 60));
  return { fromMin, toMin: Math.max(fromMin + 1, Math.ceil((seconds * 1.3) / 60) + 1) };
}
