// The exceptions of an order and its deliveries, written by hand: importing the product's tables would copy their mistakes.

import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts';
import { type Duber, holderOf, type Leg, type Life, type Person, type Town, useLaundry } from './orderLife.ts';
import { applyWeighingTime, dropCorrection, mayComplete } from './weighingModel.ts';

/** The giver is the one who has the laundry. Another number of bags than before needs a case. */
function handOver(life: Life, taker: Person, leg?: Leg, bags?: number): void {
  const giver = holderOf(life);
  if (giver === taker) return;
  const before = life.handovers.findLast((one) => one.bags !== undefined)?.bags;
  if (bags !== undefined && before !== undefined && bags !== before) life.cases.add('handover');
  life.handovers.push({ giver, taker, leg, bags, takesBack: false });
}

/** A hand-over was a mistake: the laundry is where it was, unless it has moved on. */
function takeBack(life: Life, leg: Leg): void {
  const last = life.handovers.at(-1);
  if (last?.leg !== leg || last.takesBack) return;
  life.handovers.push({ giver: last.taker, taker: last.giver, leg, bags: last.bags, takesBack: true });
}

export const LEG_STEPS = [
  ...['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'],
  ...[
    'drop-delivery',
    'arrived-at-pickup',
    'arrived-at-drop',
    'pickup-failed',
    'drop-failed',
    'try-again',
    'bring-back',
  ],
  ...['brought-back', 're-offer', 'correct', 'report-lost'],
] as const;
export type LegStep = (typeof LEG_STEPS)[number];

export const ORDER_STEPS = [
  ...['accept-order', 'reject-order', 'cancel-order', 'start-order', 'complete-order'],
  ...['cancel-accepted', 'give-back', 'choose-scrub'],
] as const;
export type OrderStep = (typeof ORDER_STEPS)[number];

const REQUEST_MS = 24 * HOUR_MS;
const LET_OTHERS_FIRST_MS = 30 * MINUTE_MS;
const BUSY = ['Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back'];
export const isBusyWith = (leg: Leg, duber: Duber) =>
  leg.duber === duber && (BUSY.includes(leg.status) || (leg.status === 'Failed' && leg.hasLaundry));

export const giverOf = (leg: Leg, { scrub }: Life): Person => (leg.type === 'Bud_To_Scrub' ? 'bud' : scrub);
export const takerOf = (leg: Leg, { scrub }: Life): Person => (leg.type === 'Bud_To_Scrub' ? scrub : 'bud');

/** The reasons that some steps take. */
export const REASONS: Partial<Record<LegStep | OrderStep, string>> = {
  'drop-delivery': 'breakdown',
  'pickup-failed': 'nobody-home',
  'drop-failed': 'nobody-home',
  'cancel-accepted': 'changed-mind',
  'give-back': 'ill',
};
const NEEDS_PHOTO: readonly string[] = ['arrived-at-pickup', 'arrived-at-drop', 'pickup-failed', 'drop-failed'];
const HANDS_OVER: readonly string[] = ['collected', 'delivered', 'brought-back'];

/** What a step says and where it is taken. */
export type Report = {
  readonly isUnsafe: boolean;
  readonly hasPhoto: boolean;
  readonly isNear: boolean;
  /** Bags that were counted, or the PIN of the person who takes the laundry. */
  readonly hasProof: boolean;
};
/** Creates a random report of a step, usually a sufficient one. */
export function makeReport(random: () => number, step: LegStep): Report {
  const isUnsafe = (step === 'pickup-failed' || step === 'drop-failed') && random() < 0.2;
  const hasPhoto = random() < (NEEDS_PHOTO.includes(step) ? 0.6 : 0.02);
  const hasProof = HANDS_OVER.includes(step) && random() < 0.7;
  return { isUnsafe, hasPhoto, isNear: random() < 0.6, hasProof };
}

type Moment = { readonly now: number; readonly isBusy: boolean; readonly report: Report; readonly town: Town };
/** Whether the step must succeed; 'unknown' where it may do either. */
export type Verdict = boolean | 'unknown';

const waited = (leg: Leg, now: number) => leg.arrivedAt !== undefined && now - leg.arrivedAt >= 5 * MINUTE_MS;
const isProven = ({ town, report }: Moment) => !town.isCareful || report.hasProof;
const mayFail = (leg: Leg, { now, report }: Moment) => report.isUnsafe || (waited(leg, now) && report.hasPhoto);

/** A Duber's steps: the statuses from which each is allowed to the Duber of the delivery. */
const DUBER_STEPS: Partial<Record<LegStep, (leg: Leg, moment: Moment) => Verdict>> = {
  'way-to-pickup': ({ status }) => status === 'Accepted',
  collected: ({ status }, moment) => status === 'Way_To_Pick' && isProven(moment),
  'way-to-drop': ({ status }) => status === 'Collected',
  delivered: ({ status }, moment) => status === 'Way_To_Drop' && isProven(moment),
  'drop-delivery': ({ status }) => status === 'Accepted' || status === 'Way_To_Pick',
  'arrived-at-pickup': (leg, moment) => leg.status === 'Way_To_Pick' && mayArrive(leg, moment),
  'arrived-at-drop': (leg, moment) => leg.status === 'Way_To_Drop' && mayArrive(leg, moment),
  'pickup-failed': (leg, moment) => leg.status === 'Way_To_Pick' && mayFail(leg, moment),
  'drop-failed': (leg, moment) => leg.status === 'Way_To_Drop' && mayFail(leg, moment),
  'try-again': ({ status, hasLaundry, collectedAt }, { now }) =>
    status === 'Failed' && hasLaundry && now - collectedAt <= 24 * 60 * MINUTE_MS,
  'bring-back': ({ status, hasLaundry }) => status === 'Failed' && hasLaundry,
  'brought-back': ({ status }, moment) => status === 'Way_Back' && isProven(moment),
  correct: (leg, { now, isBusy }) => {
    if (!['Collected', 'Delivered', 'Failed'].includes(leg.status) || leg.isLost) return false;
    if (leg.isUsed) return false;
    if (now - leg.changedAt > 10 * MINUTE_MS || leg.corrections[leg.duber ?? 'duber'] === 2) return false;
    return !isBusy;
  },
  'report-lost': ({ status }) => ['Collected', 'Way_To_Drop', 'Way_Back'].includes(status),
};

// A second arrival at the same door changes nothing: it may be refused or repeated.
const mayArrive = (leg: Leg, { report }: Moment): Verdict =>
  leg.arrivedAt === undefined ? report.isNear || report.hasPhoto : 'unknown';

export function predictLegStep(leg: Leg, actor: Person, step: LegStep, moment: Moment): Verdict {
  if (step === 're-offer') {
    if (actor !== 'bud' || leg.wasOfferedAgain) return false;
    return leg.status === 'Returned' || (leg.status === 'Failed' && !leg.hasLaundry);
  }
  if (actor !== 'duber' && actor !== 'otherDuber') return false;
  if (step === 'accept-delivery') {
    if (leg.status !== 'Pending' || moment.isBusy) return false;
    return leg.leftBy !== actor || moment.now - leg.leftAt >= LET_OTHERS_FIRST_MS;
  }
  return leg.duber === actor && (DUBER_STEPS[step]?.(leg, moment) ?? false);
}

const STATUS_AFTER: Readonly<Record<string, string>> = {
  'accept-delivery': 'Accepted',
  'way-to-pickup': 'Way_To_Pick',
  collected: 'Collected',
  'way-to-drop': 'Way_To_Drop',
  delivered: 'Delivered',
  'drop-delivery': 'Pending',
  'pickup-failed': 'Failed',
  'drop-failed': 'Failed',
  'try-again': 'Way_To_Drop',
  'bring-back': 'Way_Back',
  'brought-back': 'Returned',
  're-offer': 'Pending',
  'report-lost': 'Failed',
};

/** Applies a step that succeeded. `bags` were counted with it. */
export function applyLegStep(life: Life, leg: Leg, actor: Person, step: LegStep, now: number, bags?: number): void {
  leg.heardAt = now;
  if (step === 'arrived-at-pickup' || step === 'arrived-at-drop') {
    leg.arrivedAt ??= now;
    return;
  }
  const before = leg.status;
  if (step === 'pickup-failed' || step === 'drop-failed') life.cases.add(`failed-${step.slice(0, step.indexOf('-'))}`);
  if (step === 'report-lost') life.cases.add('lost');
  if (step === 'correct') {
    leg.corrections[actor as Duber] += 1;
    if (before !== 'Failed') leg.hasLaundry = before === 'Delivered';
    if (before !== 'Failed') takeBack(life, leg);
    leg.status = leg.hasLaundry ? 'Way_To_Drop' : 'Way_To_Pick';
  } else leg.status = STATUS_AFTER[step] ?? before;
  Object.assign(leg, { changedAt: now, arrivedAt: undefined, isLost: step === 'report-lost', isUsed: false });
  if (step === 'accept-delivery') leg.duber = actor as Duber;
  if (step === 'drop-delivery') loseDuber(leg, now);
  if (step === 're-offer') Object.assign(leg, { duber: undefined, wasOfferedAgain: true, leftBy: undefined });
  if (step === 'collected') {
    Object.assign(leg, { hasLaundry: true, collectedAt: now });
    handOver(life, actor, leg, bags);
  }
  if (step === 'delivered' || step === 'brought-back') {
    leg.hasLaundry = false;
    handOver(life, step === 'delivered' ? takerOf(leg, life) : giverOf(leg, life), leg, bags);
  }
}

const loseDuber = (leg: Leg, now: number) =>
  Object.assign(leg, { status: 'Pending', leftBy: leg.duber, leftAt: now, duber: undefined });

const SILENT_MS = 20 * MINUTE_MS;
const SCRUB_SILENT_MS = 8 * HOUR_MS;

/** Applies the timers that are due by now. */
export function applyTime(life: Life, now: number): void {
  if (life.status === 'Requested' && now >= life.endsAt) life.status = 'Cancelled';
  applyWeighingTime(life, now);
  const brought = life.legs.find(isAtScrub);
  if (brought && life.status === 'Accepted' && now - brought.changedAt >= SCRUB_SILENT_MS)
    life.cases.add('scrub-silent');
  for (const leg of life.town.isCareful ? life.legs : []) {
    const isAwaited = leg.status === 'Accepted' || leg.status === 'Way_To_Pick';
    if (isAwaited && now - leg.heardAt >= SILENT_MS)
      Object.assign(loseDuber(leg, now), { changedAt: now, arrivedAt: undefined });
  }
}

const ENDED = ['Delivered', 'Called_Off'];
const hasMoved = ({ legs }: Life) =>
  legs.some(
    ({ status, hasLaundry }) => hasLaundry || ['Collected', 'Way_To_Drop', 'Way_Back', 'Delivered'].includes(status),
  );

const isAtScrub = ({ type, status }: Leg) => type === 'Bud_To_Scrub' && status === 'Delivered';
const isLaundryHere = ({ legs }: Life) => legs.some(isAtScrub);

/** The Scrub whom the Bud chooses instead. */
export const otherScrubOf = ({ scrub }: Life): Life['scrub'] => (scrub === 'scrub' ? 'otherScrub' : 'scrub');

export function predictOrderStep(life: Life, actor: Person, step: OrderStep): Verdict {
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
      return isScrub && life.status === 'In_Progress' && mayComplete(life);
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

const callOff = (life: Life) => {
  for (const leg of life.legs) {
    if (!ENDED.includes(leg.status)) Object.assign(leg, { status: 'Called_Off', hasLaundry: false });
  }
};

/** Applies a step that succeeded. */
export function applyOrderStep(life: Life, step: OrderStep, now: number): void {
  const after: Partial<Record<OrderStep, string>> = {
    'accept-order': 'Accepted',
    'reject-order': 'Rejected',
    'cancel-order': 'Cancelled',
    'start-order': 'In_Progress',
    'complete-order': 'Completed',
    'cancel-accepted': 'Cancelled',
    'give-back': 'Requested',
  };
  if (step === 'cancel-accepted' || step === 'give-back') callOff(life);
  if (step === 'give-back') dropCorrection(life);
  if (step === 'give-back')
    Object.assign(life, { isGivenBack: true, gaveBack: [...life.gaveBack, life.scrub], endsAt: now + 4 * HOUR_MS });
  if (step === 'choose-scrub')
    Object.assign(life, { isGivenBack: false, scrub: otherScrubOf(life), endsAt: now + REQUEST_MS });
  if (step === 'start-order' && life.selfDelivery && holderOf(life) === 'bud') handOver(life, life.scrub);
  if (step === 'complete-order' && life.selfPickup && holderOf(life) === life.scrub) handOver(life, 'bud');
  if (step === 'start-order' || step === 'complete-order') useLaundry(life, now);
  life.status = after[step] ?? life.status;
}

/** The delivery that a step opens. */
export const legFor = ({ selfDelivery, selfPickup }: Life, step: OrderStep): Leg['type'] | undefined => {
  if (step === 'accept-order' && !selfDelivery) return 'Bud_To_Scrub';
  return step === 'complete-order' && !selfPickup ? 'Scrub_To_Bud' : undefined;
};

/** What ends a Duber's work at each status. */
export const WAY_ON: Readonly<Record<string, LegStep>> = {
  Accepted: 'drop-delivery',
  Way_To_Pick: 'drop-delivery',
  Collected: 'way-to-drop',
  Way_To_Drop: 'delivered',
  Failed: 'bring-back',
  Way_Back: 'brought-back',
};
