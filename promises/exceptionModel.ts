// The steps of a delivery, written by hand: importing the product's tables would copy their mistakes.

import { MINUTE_MS } from '../domain/durations.ts';
import { watchEnd, watchScrub } from './dueModel.ts';
import {
  handOver,
  hasMovedOn,
  hasReached,
  isConfirmed,
  isTaken,
  receiverOf,
  recipientOf,
  senderOf,
  takeBack,
} from './handoverModel.ts';
import { type Actor, type Delivery, type Duber, endCase, holderOf, type Life, openCase } from './orderLife.ts';

const BUSY = ['Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back'];
export const isBusyWith = (delivery: Delivery, duber: Duber) =>
  delivery.duber === duber && (BUSY.includes(delivery.status) || (delivery.status === 'Failed' && delivery.hasLaundry));

/** What a step says and where it is taken. */
export type Report = {
  readonly isUnsafe: boolean;
  readonly hasPhoto: boolean;
  readonly isNear: boolean;
  /** Bags that were counted, or the PIN of the person who takes the laundry. */
  readonly hasProof: boolean;
};
export type Moment = {
  readonly now: number;
  /** Whether the Duber of the step has another delivery. */
  readonly isBusy: boolean;
  readonly report: Report;
  readonly life: Life;
};
/** Whether the step must succeed; 'unknown' where it may do either. */
export type Verdict = boolean | 'unknown';

const LET_OTHERS_FIRST_MS = 30 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** When the Duber said that they are at the door where the delivery is now. */
const arrivedAt = (delivery: Delivery) => delivery.arrivals[delivery.status];
const waited = (delivery: Delivery, now: number) => {
  const since = arrivedAt(delivery);
  return since !== undefined && now - since >= 5 * MINUTE_MS;
};
const mayFail = (delivery: Delivery, { now, report }: Moment) =>
  report.isUnsafe || (waited(delivery, now) && report.hasPhoto);
/** A careful town wants to know that the laundry was taken. */
const isCollectionProven = (delivery: Delivery, { life, report }: Moment) =>
  !life.town.isCareful || report.hasProof || holderOf(life) === delivery.duber;
const isHandoverProven = (delivery: Delivery, { life, report }: Moment) =>
  !life.town.isCareful ||
  report.hasProof ||
  hasReached(life, delivery) ||
  (receiverOf(delivery, life) === 'bud' && life.leaveAtDoor && report.hasPhoto && report.isNear);

// A second arrival at the same door changes nothing: it may be refused or repeated.
const mayArrive = (delivery: Delivery, { report }: Moment): Verdict =>
  arrivedAt(delivery) === undefined ? report.isNear || report.hasPhoto : 'unknown';

/** A step of the one to whom the delivery belongs. */
type StepOf = (delivery: Delivery, moment: Moment) => Verdict;

/** A Duber's steps: the statuses from which each is allowed to the Duber of the delivery. */
const STEPS_OF_DUBER = {
  'accept-delivery': () => false,
  'way-to-pickup': ({ status }) => status === 'Accepted',
  collected: (delivery, moment) => delivery.status === 'Way_To_Pick' && isCollectionProven(delivery, moment),
  'way-to-drop': ({ status }) => status === 'Collected',
  delivered: (delivery, moment) => delivery.status === 'Way_To_Drop' && isHandoverProven(delivery, moment),
  'drop-delivery': ({ status }) => status === 'Accepted' || status === 'Way_To_Pick',
  'arrived-at-pickup': (delivery, moment) => delivery.status === 'Way_To_Pick' && mayArrive(delivery, moment),
  'arrived-at-drop': (delivery, moment) => delivery.status === 'Way_To_Drop' && mayArrive(delivery, moment),
  'pickup-failed': (delivery, moment) =>
    delivery.status === 'Way_To_Pick' && delivery.carrier !== delivery.duber && mayFail(delivery, moment),
  'drop-failed': (delivery, moment) =>
    delivery.status === 'Way_To_Drop' && !isTaken(moment.life, delivery) && mayFail(delivery, moment),
  'try-again': ({ status, hasLaundry, collectedAt }, { now }) =>
    status === 'Failed' && hasLaundry && now - collectedAt <= DAY_MS,
  'bring-back': ({ status, hasLaundry }) => status === 'Failed' && hasLaundry,
  'brought-back': (delivery, moment) => delivery.status === 'Way_Back' && isHandoverProven(delivery, moment),
  correct: (delivery, moment) => mayCorrect(delivery, moment),
  'report-lost': (delivery, { life }) =>
    ['Collected', 'Way_To_Drop', 'Way_Back'].includes(delivery.status) && !isTaken(life, delivery),
} as const satisfies Record<string, StepOf>;
export type DeliveryStep = keyof typeof STEPS_OF_DUBER | 're-offer';

/** The actions of a Duber and of a Bud, with a delivery. */
export const DUBER_STEPS = Object.keys(STEPS_OF_DUBER) as (keyof typeof STEPS_OF_DUBER)[];
export const BUD_DELIVERY_STEPS = ['re-offer'] as const;
export const DELIVERY_STEPS: readonly DeliveryStep[] = [...DUBER_STEPS, ...BUD_DELIVERY_STEPS];

function mayCorrect(delivery: Delivery, { now, isBusy, life }: Moment): boolean {
  if (!['Collected', 'Delivered', 'Failed'].includes(delivery.status) || delivery.isLost || delivery.isUsed)
    return false;
  if (delivery.status === 'Delivered' && (life.status === 'Cancelled' || isConfirmed(life, delivery))) return false;
  if (now - delivery.changedAt > 10 * MINUTE_MS || delivery.corrections[delivery.duber ?? 'duber'] === 2) return false;
  return !isBusy;
}

/** Whether nobody has the laundry of the delivery in their car: it failed at the pickup, or came back. */
export const isOfferedNoMore = ({ status, hasLaundry }: Delivery) =>
  status === 'Returned' || (status === 'Failed' && !hasLaundry);

export function predictDeliveryStep(delivery: Delivery, actor: Actor, step: DeliveryStep, moment: Moment): Verdict {
  if (step === 're-offer') return actor === 'bud' && delivery.reOffers === 0 && isOfferedNoMore(delivery);
  if (actor !== 'duber' && actor !== 'otherDuber') return false;
  if (step === 'accept-delivery') {
    if (delivery.status !== 'Pending' || moment.isBusy) return false;
    return delivery.leftBy !== actor || moment.now - delivery.leftAt >= LET_OTHERS_FIRST_MS;
  }
  return delivery.duber === actor && STEPS_OF_DUBER[step](delivery, moment);
}

/** The steps of operators and of the server. */
export type TownDeliveryStep = 'take-off' | 'relay' | 'call-off' | 'silent' | 'mark-delivered';
export type AnyDeliveryStep = DeliveryStep | TownDeliveryStep;

const STATUS_AFTER: Readonly<Record<AnyDeliveryStep, string | undefined>> = {
  'accept-delivery': 'Accepted',
  'way-to-pickup': 'Way_To_Pick',
  collected: 'Collected',
  'way-to-drop': 'Way_To_Drop',
  delivered: 'Delivered',
  'mark-delivered': 'Delivered',
  'drop-delivery': 'Pending',
  'arrived-at-pickup': undefined,
  'arrived-at-drop': undefined,
  'pickup-failed': 'Failed',
  'drop-failed': 'Failed',
  'try-again': 'Way_To_Drop',
  'bring-back': 'Way_Back',
  'brought-back': 'Returned',
  're-offer': 'Pending',
  correct: undefined,
  'report-lost': 'Failed',
  'take-off': 'Pending',
  relay: 'Pending',
  'call-off': 'Called_Off',
  silent: 'Pending',
};
const NEXT_ATTEMPT: readonly AnyDeliveryStep[] = [
  ...(['drop-delivery', 'take-off', 'silent', 'try-again', 're-offer', 'relay', 'correct', 'report-lost'] as const),
];
const LOSES_DUBER: readonly AnyDeliveryStep[] = ['drop-delivery', 'take-off', 'silent', 'relay'];

/** Applies a step that succeeded. `bags` were counted with it. */
export function applyDeliveryStep(
  life: Life,
  delivery: Delivery,
  actor: Actor,
  step: AnyDeliveryStep,
  now: number,
  bags?: number,
): void {
  delivery.heardAt = now;
  if (step === 'arrived-at-pickup' || step === 'arrived-at-drop') {
    delivery.arrivals[delivery.status] ??= now;
    return;
  }
  if (step === 'pickup-failed' || step === 'drop-failed')
    openCase(life, `failed-${step.slice(0, step.indexOf('-'))}`, now, { delivery });
  if (step === 'report-lost') openCase(life, 'lost', now, { delivery, about: delivery.duber });
  if (step === 'collected') Object.assign(delivery, { hasLaundry: true, collectedAt: now });
  if (step === 'collected') handOver(life, actor as Duber, now, { delivery, ...(bags ? { bags } : {}) });
  const isDelivered = step === 'delivered' || step === 'mark-delivered';
  if (isDelivered || step === 'brought-back') {
    delivery.hasLaundry = false;
    const receiver = isDelivered ? recipientOf(delivery, life) : senderOf(delivery, life);
    if (!isDelivered || !hasMovedOn(life, delivery))
      handOver(life, receiver, now, { delivery, ...(bags ? { bags } : {}) });
  }
  if (step === 'try-again') delivery.triedAgainAt = now;
  if (step === 'try-again' || step === 'bring-back') delivery.wentOnAt = now;
  if (step === 'correct') correctDelivery(life, delivery, actor, now);
  else delivery.status = STATUS_AFTER[step] ?? delivery.status;
  if (step === 'call-off') delivery.isLeftBehind = delivery.isLost || delivery.carrier !== undefined;
  changeCarrier(delivery, step);
  if (step === 'accept-delivery') Object.assign(delivery, { duber: actor, acceptedAt: now });
  if (LOSES_DUBER.includes(step)) Object.assign(delivery, { leftBy: delivery.duber, leftAt: now, duber: undefined });
  if (step === 're-offer')
    Object.assign(delivery, { duber: undefined, leftBy: undefined, reOffers: delivery.reOffers + 1 });
  if (NEXT_ATTEMPT.includes(step)) delivery.attempt += 1;
  // A step that is taken back does not change that its Duber was at the door.
  if (NEXT_ATTEMPT.includes(step) && step !== 'correct') delivery.arrivals = {};
  Object.assign(delivery, { changedAt: now, isLost: step === 'report-lost', isUsed: false });
  if (step !== 'call-off') delivery.lostAt = delivery.isLost ? now : undefined;
  if (isDelivered) watchScrub(life, now);
  if (isDelivered || step === 'call-off') watchEnd(life, now);
}

/** The town has nothing to decide about a failure that did not happen. An earlier one is still a case. */
function closeCaseOf(life: Life, delivery: Delivery, now: number): void {
  const kind = delivery.hasLaundry ? 'failed-drop' : 'failed-pickup';
  const found = life.cases.find(
    (one) =>
      one.kind === kind &&
      one.delivery === delivery &&
      one.status === 'with-town' &&
      one.openedAt === delivery.changedAt,
  );
  if (found && found.decidedBy === undefined) endCase(life, found, { status: 'closed' }, now);
}

/** The laundry is again where it was before the step, or the failure that was said did not happen. */
function correctDelivery(life: Life, delivery: Delivery, actor: Actor, now: number): void {
  if (actor !== 'operator' && delivery.duber) delivery.corrections[delivery.duber] += 1;
  if (delivery.status !== 'Failed') {
    takeBack(life, delivery, now);
    delivery.hasLaundry = delivery.status === 'Delivered';
  }
  if (delivery.status === 'Failed') closeCaseOf(life, delivery, now);
  delivery.status = delivery.hasLaundry ? 'Way_To_Drop' : 'Way_To_Pick';
}

/** Laundry that was handed on waits with the Duber who could not go on. */
function changeCarrier(delivery: Delivery, step: AnyDeliveryStep): void {
  if (step === 'relay') Object.assign(delivery, { carrier: delivery.duber, hasLaundry: false });
  if (step === 'brought-back') delivery.meetingPlace = undefined;
  if (step === 'brought-back' || step === 'call-off')
    Object.assign(delivery, { carrier: undefined, hasLaundry: false });
}

/** Whether an earlier Duber has the laundry. */
export const isRelayed = ({ carrier, hasLaundry, status }: Delivery) =>
  carrier !== undefined && !hasLaundry && status !== 'Delivered';

/** What ends a Duber's work at each status. */
export const WAY_ON: Readonly<Record<string, DeliveryStep>> = {
  Accepted: 'drop-delivery',
  Way_To_Pick: 'drop-delivery',
  Collected: 'way-to-drop',
  Way_To_Drop: 'delivered',
  Failed: 'bring-back',
  Way_Back: 'brought-back',
};
