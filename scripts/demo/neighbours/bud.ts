import { DAY_MS, MINUTE_MS } from '../../../domain/durations.ts';
import type { LoadSize } from '../../../domain/orders.ts';
import type { Random } from '../../../sandbox/city/random.ts';
import { TIMES } from './times.ts';

/** However long somebody stays. */
export const MAX_ORDERS_A_DAY = 60;
/** One that is open for longer waits for a visitor, or for the town. */
const UNDER_WAY_MS = 20 * MINUTE_MS;
const MAX_OPEN = 5;

export type BudFacts = {
  readonly now: number;
  readonly pace: number;
  readonly visitedAt: number;
  /** When each of the neighbours' own open orders was placed. */
  readonly openSince: readonly number[];
  /** When they placed orders in the last day. */
  readonly placedAt: readonly number[];
};

/** Whether a neighbour places an order now: one at a time, while somebody is visiting. */
export function isTimeToOrder({ now, pace, visitedAt, openSince, placedAt }: BudFacts): boolean {
  if (now - visitedAt > TIMES.visited) return false;
  if (openSince.length >= MAX_OPEN || openSince.some((at) => now - at < UNDER_WAY_MS)) return false;
  const today = placedAt.filter((at) => now - at < DAY_MS);
  return today.length < MAX_ORDERS_A_DAY && today.every((at) => now - at >= TIMES.betweenOrders / pace);
}

export type BudOrder = {
  readonly bud: string;
  readonly scrub: string;
  readonly loadSize: LoadSize;
  readonly orderInstructions?: string;
};

const SIZES: readonly LoadSize[] = ['Small', 'Medium', 'Medium', 'Large'];
const NOTES = ['Cold wash, please.', 'Please ring twice, the bell is shy.', 'The shirts on hangers, if you can.'];

/** Who orders what from whom, by e-mail address. */
export function drawOrder(random: Random, buds: readonly string[], scrubs: readonly string[]): BudOrder | undefined {
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)];
  const [bud, scrub, loadSize] = [pick(buds), pick(scrubs), pick(SIZES)];
  const note = random() < 0.3 ? pick(NOTES) : undefined;
  if (bud === undefined || scrub === undefined || loadSize === undefined) return undefined;
  return { bud, scrub, loadSize, ...(note ? { orderInstructions: note } : {}) };
}
