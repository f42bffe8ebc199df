// The steps of a delivery, written by hand: importing the product's tables would copy their mistakes.

import { MINUTE_MS } from '../domain/durations.ts';
import { watchEnd, watchScrub } from './dueModel.ts';
import {
  giverOf,
  handOver,
  hasMovedOn,
  hasReached,
  isConfirmed,
  isTaken,
  receiverOf,
  takeBack,
  takerOf,
} from './handoverModel.ts';
import { type Actor, type Duber, endCase, holderOf, type Leg, type Life, openCase } from './orderLife.ts';

const BUSY = ['Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back'];
export const isBusyWith = (leg: Leg, duber: Duber) =>
  leg.duber === duber && (BUSY.includes(leg.status) || (leg.status === 'Failed' && leg.hasLaundry));

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
const arrivedAt = (leg: Leg) => leg.arrivals[leg.status];
const waited = (leg: Leg, now: number) => {
  const since = arrivedAt(leg);
  return since !== undefined && now - since >= 5 * MINUTE_MS;
};
const mayFail = (leg: Leg, { now, report }: Moment) => report.isUnsafe || (waited(leg, now) && report.hasPhoto);
/** A careful town wants to know that the laundry was taken. */
const isCollectionProven = (leg: Leg, { life, report }: Moment) =>
  !life.town.isCareful || report.hasProof || holderOf(life) === leg.duber;
const isHandoverProven = (leg: Leg, { life, report }: Moment) =>
  !life.town.isCareful ||
  report.hasProof ||
  hasReached(life, leg) ||
  (receiverOf(leg, life) === 'bud' && life.leaveAtDoor && report.hasPhoto && report.isNear);

// A second arrival at the same door changes nothing: it may be refused or repeated.
const mayArrive = (leg: Leg, { report }: Moment): Verdict =>
  arrivedAt(leg) === undefined ? report.isNear || report.hasPhoto : 'unknown';

/** A step of the one to whom the delivery belongs. */
type StepOf = (leg: Leg, moment: Moment) => Verdict;

/** A Duber's steps: the statuses from which each is allowed to the Duber of the delivery. */
const STEPS_OF_DUBER = {
  'accept-delivery': () => false,
  'way-to-pickup': ({ status }) => status === 'Accepted',
  collected: (leg, moment) => leg.status === 'Way_To_Pick' && isCollectionProven(leg, moment),
  'way-to-drop': ({ status }) => status === 'Collected',
  delivered: (leg, moment) => leg.status === 'Way_To_Drop' && isHandoverProven(leg, moment),
  'drop-delivery': ({ status }) => status === 'Accepted' || status === 'Way_To_Pick',
  'arrived-at-pickup': (leg, moment) => leg.status === 'Way_To_Pick' && mayArrive(leg, moment),
  'arrived-at-drop': (leg, moment) => leg.status === 'Way_To_Drop' && mayArrive(leg, moment),
  'pickup-failed': (leg, moment) => leg.status === 'Way_To_Pick' && leg.carrier !== leg.duber && mayFail(leg, moment),
  'drop-failed': (leg, moment) => leg.status === 'Way_To_Drop' && !isTaken(moment.life, leg) && mayFail(leg, moment),
  'try-again': ({ status, hasLaundry, collectedAt }, { now }) =>
    status === 'Failed' && hasLaundry && now - collectedAt <= DAY_MS,
  'bring-back': ({ status, hasLaundry }) => status === 'Failed' && hasLaundry,
  'brought-back': (leg, moment) => leg.status === 'Way_Back' && isHandoverProven(leg, moment),
  correct: (leg, moment) => mayCorrect(leg, moment),
  'report-lost': (leg, { life }) =>
    ['Collected', 'Way_To_Drop', 'Way_Back'].includes(leg.status) && !isTaken(life, leg),
} as const satisfies Record<string, StepOf>;
export type LegStep = keyof typeof STEPS_OF_DUBER | 're-offer';

/** The actions of a Duber and of a Bud, with a delivery. */
export const DUBER_STEPS = Object.keys(STEPS_OF_DUBER) as (keyof typeof STEPS_OF_DUBER)[];
export const BUD_LEG_STEPS = ['re-offer'] as const;
export const LEG_STEPS: readonly LegStep[] = [...DUBER_STEPS, ...BUD_LEG_STEPS];

function mayCorrect(leg: Leg, { now, isBusy, life }: Moment): boolean {
  if (!['Collected', 'Delivered', 'Failed'].includes(leg.status) || leg.isLost || leg.isUsed) return false;
  if (leg.status === 'Delivered' && (life.status === 'Cancelled' || isConfirmed(life, leg))) return false;
  if (now - leg.changedAt > 10 * MINUTE_MS || leg.corrections[leg.duber ?? 'duber'] === 2) return false;
  return !isBusy;
}

/** Whether nobody has the laundry of the delivery in their car: it failed at the pickup, or came back. */
export const isOfferedNoMore = ({ status, hasLaundry }: Leg) =>
  status === 'Returned' || (status === 'Failed' && !hasLaundry);

export function predictLegStep(leg: Leg, actor: Actor, step: LegStep, moment: Moment): Verdict {
  if (step === 're-offer') return actor === 'bud' && leg.reOffers === 0 && isOfferedNoMore(leg);
  if (actor !== 'duber' && actor !== 'otherDuber') return false;
  if (step === 'accept-delivery') {
    if (leg.status !== 'Pending' || moment.isBusy) return false;
    return leg.leftBy !== actor || moment.now - leg.leftAt >= LET_OTHERS_FIRST_MS;
  }
  return leg.duber === actor && STEPS_OF_DUBER[step](leg, moment);
}

/** The steps of operators and of the server. */
export type TownLegStep = 'take-off' | 'relay' | 'call-off' | 'silent' | 'mark-delivered';
export type AnyLegStep = LegStep | TownLegStep;

const STATUS_AFTER: Readonly<Record<AnyLegStep, string | undefined>> = {
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
const NEXT_ATTEMPT: readonly AnyLegStep[] = [
  ...(['drop-delivery', 'take-off', 'silent', 'try-again', 're-offer', 'relay', 'correct', 'report-lost'] as const),
];
const LOSES_DUBER: readonly AnyLegStep[] = ['drop-delivery', 'take-off', 'silent', 'relay'];

/** Applies a step that succeeded. `bags` were counted with it. */
export function applyLegStep(life: Life, leg: Leg, actor: Actor, step: AnyLegStep, now: number, bags?: number): void {
  leg.heardAt = now;
  if (step === 'arrived-at-pickup' || step === 'arrived-at-drop') {
    leg.arrivals[leg.status] ??= now;
    return;
  }
  if (step === 'pickup-failed' || step === 'drop-failed')
    openCase(life, `failed-${step.slice(0, step.indexOf('-'))}`, now, { leg });
  if (step === 'report-lost') openCase(life, 'lost', now, { leg, about: leg.duber });
  if (step === 'collected') Object.assign(leg, { hasLaundry: true, collectedAt: now });
  if (step === 'collected') handOver(life, actor as Duber, now, { leg, ...(bags ? { bags } : {}) });
  const isDelivered = step === 'delivered' || step === 'mark-delivered';
  if (isDelivered || step === 'brought-back') {
    leg.hasLaundry = false;
    const receiver = isDelivered ? takerOf(leg, life) : giverOf(leg, life);
    if (!isDelivered || !hasMovedOn(life, leg)) handOver(life, receiver, now, { leg, ...(bags ? { bags } : {}) });
  }
  if (step === 'try-again') leg.triedAgainAt = now;
  if (step === 'try-again' || step === 'bring-back') leg.wentOnAt = now;
  if (step === 'correct') correctLeg(life, leg, actor, now);
  else leg.status = STATUS_AFTER[step] ?? leg.status;
  if (step === 'call-off') leg.isLeftBehind = leg.isLost || leg.carrier !== undefined;
  changeCarrier(leg, step);
  if (step === 'accept-delivery') Object.assign(leg, { duber: actor, acceptedAt: now });
  if (LOSES_DUBER.includes(step)) Object.assign(leg, { leftBy: leg.duber, leftAt: now, duber: undefined });
  if (step === 're-offer') Object.assign(leg, { duber: undefined, leftBy: undefined, reOffers: leg.reOffers + 1 });
  if (NEXT_ATTEMPT.includes(step)) leg.attempt += 1;
  // A step that is taken back does not change that its Duber was at the door.
  if (NEXT_ATTEMPT.includes(step) && step !== 'correct') leg.arrivals = {};
  Object.assign(leg, { changedAt: now, isLost: step === 'report-lost', isUsed: false });
  if (step !== 'call-off') leg.lostAt = leg.isLost ? now : undefined;
  if (isDelivered) watchScrub(life, now);
  if (isDelivered || step === 'call-off') watchEnd(life, now);
}

/** The town has nothing to decide about a failure that did not happen. An earlier one is still a case. */
function closeCaseOf(life: Life, leg: Leg, now: number): void {
  const kind = leg.hasLaundry ? 'failed-drop' : 'failed-pickup';
  const found = life.cases.find(
    (one) => one.kind === kind && one.leg === leg && one.status === 'with-town' && one.openedAt === leg.changedAt,
  );
  if (found && found.decidedBy === undefined) endCase(life, found, { status: 'closed' }, now);
}

/** The laundry is again where it was before the step, or the failure that was said did not happen. */
function correctLeg(life: Life, leg: Leg, actor: Actor, now: number): void {
  if (actor !== 'operator' && leg.duber) leg.corrections[leg.duber] += 1;
  if (leg.status !== 'Failed') {
    takeBack(life, leg, now);
    leg.hasLaundry = leg.status === 'Delivered';
  }
  if (leg.status === 'Failed') closeCaseOf(life, leg, now);
  leg.status = leg.hasLaundry ? 'Way_To_Drop' : 'Way_To_Pick';
}

/** Laundry that was handed on waits with the Duber who could not go on. */
function changeCarrier(leg: Leg, step: AnyLegStep): void {
  if (step === 'relay') Object.assign(leg, { carrier: leg.duber, hasLaundry: false });
  if (step === 'brought-back') leg.meetingPlace = undefined;
  if (step === 'brought-back' || step === 'call-off') Object.assign(leg, { carrier: undefined, hasLaundry: false });
}

/** Whether an earlier Duber has the laundry. */
export const isRelayed = ({ carrier, hasLaundry, status }: Leg) =>
  carrier !== undefined && !hasLaundry && status !== 'Delivered';

/** What ends a Duber's work at each status. */
export const WAY_ON: Readonly<Record<string, LegStep>> = {
  Accepted: 'drop-delivery',
  Way_To_Pick: 'drop-delivery',
  Collected: 'way-to-drop',
  Way_To_Drop: 'delivered',
  Failed: 'bring-back',
  Way_Back: 'brought-back',
};
