import { MINUTE_MS } from '../../../domain/durations.ts';
import { POSITION_INTERVAL_MS } from '../../../domain/positions.ts';
import { createRandom } from '../../../sandbox/city/random.ts';

const SECOND_MS = 1_000;
/** Between two positions. A little more than the server's shortest, so that none is dropped. */
const POSITION_MS = POSITION_INTERVAL_MS + 200;

/** A span of time in milliseconds: each order and each way has its own point in it. */
export type Span = { readonly from: number; readonly to: number };

/** How long neighbours take, in milliseconds at the usual pace. */
export const TIMES = {
  /** A Scrub answers an order that was placed. */
  answer: { from: 5 * SECOND_MS, to: 10 * SECOND_MS },
  /** A Scrub starts once the laundry is there. */
  start: { from: 3 * SECOND_MS, to: 8 * SECOND_MS },
  /** Until a Bud who brings the laundry is there. */
  bringing: { from: 15 * SECOND_MS, to: 25 * SECOND_MS },
  wash: { from: 22 * SECOND_MS, to: 34 * SECOND_MS },
  /** A Scrub says that the laundry is there, where its Duber may not say so alone. */
  receive: { from: 50 * SECOND_MS, to: 55 * SECOND_MS },
  /** A visitor who plays a Duber can take an offer first. */
  letOthersFirst: { from: 30 * SECOND_MS, to: 33 * SECOND_MS },
  /** A Duber locks the car, or carries the bags to it. */
  handle: { from: 2 * SECOND_MS, to: 4 * SECOND_MS },
  /** From one place to the next, however far it is: nobody watches for half an hour. */
  drive: 5 * POSITION_MS,
  position: POSITION_MS,
  /** Between two looks when nothing is to be done. */
  poll: { Bud: 15 * SECOND_MS, Scrub: 7 * SECOND_MS, Duber: 7 * SECOND_MS },
  /** Before what was refused is tried again. */
  refused: MINUTE_MS,
  betweenOrders: 4 * MINUTE_MS,
  /** Buds place orders only this long after a visitor did something. */
  visited: 10 * MINUTE_MS,
  /** Everybody else goes on a little longer, so that what is open ends. */
  awake: 16 * MINUTE_MS,
} as const;

/** A number from 0 to below 1, the same for the same texts: so nobody has to remember what was drawn. */
export function chanceOf(...texts: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const char of texts.join(' ')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return createRandom(hash)();
}

/** The point in a span that belongs to these texts, in milliseconds. */
export function drawTime({ from, to }: Span, ...texts: readonly string[]): number {
  return from + (to - from) * chanceOf(...texts);
}
