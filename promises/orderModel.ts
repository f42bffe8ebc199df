// The steps of an order, written by hand: importing the product's tables would copy their mistakes.

import { HOUR_MS } from '../domain/durations.ts';
import { hasEnded, watchEnd } from './dueModel.ts';
import { applyDeliveryStep, isRelayed, type Verdict } from './exceptionModel.ts';
import { handOver } from './handoverModel.ts';
import {
  type Actor,
  type Delivery,
  holderOf,
  type Life,
  openCase,
  type Person,
  useLaundry,
  type WayHome,
} from './orderLife.ts';
import { dropCorrection, mayComplete } from './weighingModel.ts';

/** Who takes which steps of an order. */
export const STEPS_OF_BUD = ['cancel-order', 'cancel-accepted', 'choose-scrub'] as const;
export const STEPS_OF_SCRUB = ['accept-order', 'reject-order', 'start-order', 'complete-order', 'give-back'] as const;
export const ORDER_STEPS = [...STEPS_OF_BUD, ...STEPS_OF_SCRUB] as const;
export type OrderStep = (typeof ORDER_STEPS)[number];
export type TownOrderStep = 'cancel-by-operator' | 'give-back' | 'reopen';

/** The Scrub whom the Bud chooses instead. */
export const otherScrubOf = ({ scrub }: Life): Life['scrub'] => (scrub === 'scrub' ? 'otherScrub' : 'scrub');

const LAUNDRY_ON_BOARD = ['Collected', 'Way_To_Drop', 'Way_Back'];
/** Whether a Duber has the laundry of the delivery, now or before it was relayed. */
export const isOnBoard = (delivery: Delivery) =>
  delivery.hasLaundry || LAUNDRY_ON_BOARD.includes(delivery.status) || isRelayed(delivery);
const outboundOf = ({ deliveries, round }: Life) =>
  deliveries.filter((delivery) => delivery.type === 'Bud_To_Scrub' && delivery.round === round);

export const isLaundryHere = (life: Life) =>
  life.isHandedOver || outboundOf(life).some(({ status }) => status === 'Delivered');
export const hasMoved = (life: Life) =>
  isLaundryHere(life) || outboundOf(life).some((delivery) => isOnBoard(delivery) || delivery.isLeftBehind);

/** The ways home of which an operator must choose one to cancel the order. */
export function waysHome(life: Life): WayHome[] {
  const holder = holderOf(life);
  if (holder === 'bud' && !hasMoved(life)) return [];
  return holder === 'scrub' || holder === 'otherScrub' ? ['bring', 'fetch', 'lost'] : ['fetch', 'lost'];
}

/** Whether the order can start over. */
export const mayReopen = (life: Life) =>
  life.status === 'Completed' && life.deliveries.every(hasEnded) && !life.isClosed;

export function predictOrderStep(life: Life, actor: Actor, step: OrderStep): Verdict {
  const isScrub = actor === life.scrub;
  switch (step) {
    case 'accept-order':
    case 'reject-order':
      return isScrub && life.status === 'Requested' && !life.isGivenBack;
    case 'cancel-order':
      return actor === 'bud' && life.status === 'Requested';
    case 'start-order':
      return isScrub && life.status === 'Accepted' && (!life.town.isCareful || isLaundryHere(life));
    case 'complete-order':
      return (
        isScrub &&
        life.status === 'In_Progress' &&
        mayComplete(life) &&
        (!life.town.isCareful || holderOf(life) === life.scrub)
      );
    case 'cancel-accepted':
      return actor === 'bud' && life.status === 'Accepted' && !hasMoved(life);
    case 'give-back':
      return isScrub && life.status === 'Accepted' && !hasMoved(life);
    case 'choose-scrub':
      return (
        actor === 'bud' &&
        life.status === 'Requested' &&
        life.isGivenBack &&
        !life.gaveBack.includes(otherScrubOf(life))
      );
  }
}

const STATUS_AFTER: Readonly<Record<OrderStep | TownOrderStep, string | undefined>> = {
  'accept-order': 'Accepted',
  'reject-order': 'Rejected',
  'cancel-order': 'Cancelled',
  'start-order': 'In_Progress',
  'complete-order': 'Completed',
  'cancel-accepted': 'Cancelled',
  'cancel-by-operator': 'Cancelled',
  'give-back': 'Requested',
  'choose-scrub': undefined,
  reopen: 'In_Progress',
};
const CALLS_OFF: readonly string[] = ['cancel-accepted', 'cancel-by-operator', 'give-back'];
/** They end what the server would do by itself. */
const ENDS_TIMERS: readonly string[] = [...CALLS_OFF, 'choose-scrub', 'reopen'];
const REQUEST_MS = 24 * HOUR_MS;
const LATE_MS = 48 * HOUR_MS;

/** Applies a step that succeeded. */
export function applyOrderStep(life: Life, actor: Actor, step: OrderStep | TownOrderStep, now: number): void {
  if (step === 'cancel-by-operator' && life.wayHome === 'lost' && !life.cases.some(({ kind }) => kind === 'lost'))
    openCase(life, 'lost', now, { about: life.scrub });
  life.status = STATUS_AFTER[step] ?? life.status;
  if (step === 'cancel-by-operator') life.cancelledAt = now;
  if (ENDS_TIMERS.includes(step)) Object.assign(life.due, { request: undefined, silentScrub: undefined });
  if (ENDS_TIMERS.includes(step)) Object.assign(life.due, { late: undefined, close: undefined });
  if (CALLS_OFF.includes(step)) callOff(life, now);
  if (step === 'accept-order') life.wasAccepted = true;
  if (step === 'give-back') giveBack(life, actor, now);
  if (step === 'choose-scrub') {
    Object.assign(life, { isGivenBack: false, scrub: otherScrubOf(life) });
    life.due.request = now + REQUEST_MS;
  }
  if (step === 'start-order' || step === 'reopen') life.due.late = now + LATE_MS;
  if (step === 'reopen') reopen(life);
  if (step === 'start-order') startWithoutDuber(life, now);
  if (step === 'complete-order') {
    life.completedAt = now;
    if (life.selfPickup && holderOf(life) === life.scrub) handOver(life, 'bud', now);
  }
  if (step === 'start-order' || step === 'complete-order') useLaundry(life, now);
  if (step === 'complete-order' && life.selfPickup) watchEnd(life, now);
}

/** With the start, a Scrub says that the Bud has brought the laundry, if no Duber does. */
function startWithoutDuber(life: Life, now: number): void {
  const isBrought = life.selfDelivery || outboundOf(life).some(({ status }) => status === 'Called_Off');
  if (isBrought && holderOf(life) === 'bud') handOver(life, life.scrub, now);
}

function giveBack(life: Life, actor: Actor, now: number): void {
  dropCorrection(life);
  const gaveBack: Person[] = actor === 'operator' ? life.gaveBack : [...life.gaveBack, life.scrub];
  Object.assign(life, { round: life.round + 1, isGivenBack: true, isHandedOver: false, gaveBack });
  life.due.request = now + 4 * HOUR_MS;
}

function reopen(life: Life): void {
  Object.assign(life, { round: life.round + 1, isHandedOver: false, completedAt: undefined });
}

/** What is not with a Duber ends with its order. */
function callOff(life: Life, now: number): void {
  for (const delivery of life.deliveries) {
    const isWaiting = ['Pending', 'Accepted', 'Way_To_Pick', 'Returned'].includes(delivery.status);
    const isCalledOff = delivery.status === 'Failed' ? delivery.isLost || !delivery.hasLaundry : isWaiting;
    if (isCalledOff && !isRelayed(delivery)) applyDeliveryStep(life, delivery, 'operator', 'call-off', now);
  }
}

/** The delivery that a step opens. */
export const deliveryFor = (
  { selfDelivery, selfPickup, wayHome }: Life,
  step: string,
): Delivery['type'] | undefined => {
  if (step === 'cancel-by-operator' && wayHome === 'bring') return 'Scrub_To_Bud';
  if ((step === 'accept-order' || step === 'reopen') && !selfDelivery) return 'Bud_To_Scrub';
  return step === 'complete-order' && !selfPickup ? 'Scrub_To_Bud' : undefined;
};
