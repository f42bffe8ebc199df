// What the server does by itself as time passes, written by hand: importing the product's tables would copy their mistakes.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/durations.ts';
import { applyCaseTimer, caseDueAt } from './claimModel.ts';
import { hasEnded } from './dueModel.ts';
import { applyDeliveryStep } from './exceptionModel.ts';
import { type Delivery, type Life, openCase } from './orderLife.ts';
import { applyOrderStep, isLaundryHere } from './orderModel.ts';
import { applyWeighingTime, weighingDueAt } from './weighingModel.ts';

const SILENT_MS = 20 * MINUTE_MS;

/** A Duber who has accepted loses the delivery in a careful town. */
const silentDuberDueAt = ({ status, heardAt }: Delivery): number | undefined =>
  status === 'Accepted' || status === 'Way_To_Pick' ? heardAt + SILENT_MS : undefined;

/** The next moment at which the server does something, so that time can pass step by step. */
export function nextDueAt(life: Life): number {
  const times = [
    ...Object.values(life.due),
    ...(life.town.isCareful ? life.deliveries.map(silentDuberDueAt) : []),
    ...life.cases.map((one) => caseDueAt(life, one)),
    weighingDueAt(life),
  ];
  return Math.min(...times.map((at) => at ?? Number.POSITIVE_INFINITY));
}

/** Applies what is due by now. Whether the order starts over with it, for each time. */
export function applyTime(life: Life, now: number): boolean {
  const isDue = (at: number | undefined): at is number => at !== undefined && at <= now;
  if (isDue(life.due.request) && life.status === 'Requested') life.status = 'Cancelled';
  applyWeighingTime(life, now);
  if (isDue(life.due.silentScrub) && life.status === 'Accepted' && isLaundryHere(life)) {
    openCase(life, 'scrub-silent', now);
    life.silentRounds.push(life.round);
  }
  if (isDue(life.due.late) && life.status === 'In_Progress') openCase(life, 'late', now);
  if (isDue(life.due.close) && life.status === 'Completed' && life.deliveries.every(hasEnded)) life.isClosed = true;
  for (const [name, at] of Object.entries(life.due)) if (isDue(at)) Object.assign(life.due, { [name]: undefined });
  for (const delivery of life.town.isCareful ? life.deliveries : [])
    if (isDue(silentDuberDueAt(delivery))) applyDeliveryStep(life, delivery, 'operator', 'silent', now);
  return applyCaseTimers(life, now);
}

function applyCaseTimers(life: Life, now: number): boolean {
  let reopens = false;
  for (const one of life.cases) {
    const dueAt = caseDueAt(life, one);
    if (dueAt === undefined || dueAt > now || !applyCaseTimer(life, one, now)) continue;
    applyOrderStep(life, 'operator', 'reopen', now);
    reopens = true;
  }
  return reopens;
}

/** How long time passes at once: a moment, the wait at a door, the time for corrections, and hours. */
export const JUMPS = [1, 1, 5, 5, 11, 11, 300].map((minutes) => minutes * MINUTE_MS);
/** And when an order has ended, or waits for somebody: the times of claims. */
export const LONG_JUMPS = [5 * HOUR_MS, 25 * HOUR_MS, 49 * HOUR_MS, 73 * HOUR_MS, 8 * DAY_MS];

/** The rows of the System that the model knows. */
export const TIMERS = {
  deliveries: ['silent'],
  orders: ['expire-request', 'expire-given-back', 'scrub-silent', 'late', 'close'],
  cases: ['no-answer', 'silent-bud', 'stale', 'close'],
} as const;
