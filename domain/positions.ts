import type { DeliveryStatus } from './deliveries.ts';
import type { Point } from './places.ts';

/** A Duber's place may be told while they are on the way, and only then. */
export function isOnTheWay(status: DeliveryStatus): boolean {
  return status === 'Way_To_Pick' || status === 'Way_To_Drop';
}

/** A place of the same delivery is accepted again after this long. */
export const POSITION_INTERVAL_MS = 5_000;

/** The last place of a delivery is gone this long after it was delivered. */
export const POSITION_AFTER_DELIVERED_MS = 60 * 60 * 1000;

/** And one of a delivery that nobody ends is gone when it is this old: it helps nobody to find anything any more. */
export const POSITION_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Whether the last place of a delivery, of the time `at`, may still be read. */
export function isPositionVisible(
  position: { readonly at: Date; readonly deliveredAt: Date | null },
  now: Date,
): boolean {
  const { at, deliveredAt } = position;
  if (now.getTime() - at.getTime() >= POSITION_LIFETIME_MS) return false;
  return deliveredAt === null || now.getTime() - deliveredAt.getTime() < POSITION_AFTER_DELIVERED_MS;
}

const STEPS_PER_DEGREE = 10_000;
// Adding 0 turns a -0 into 0.
const roundDegrees = (degrees: number) => Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE + 0;

/** A place to about 11 metres: enough to see somebody come, too little to tell a door from the next. */
export function roundPosition({ latitude, longitude }: Point): Point {
  return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
}
