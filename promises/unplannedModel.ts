// What may happen to an order and its deliveries when something goes wrong, written by hand: importing the product's tables
// would copy their mistakes.

export type Person = 'bud' | 'scrub' | 'otherScrub' | 'duber' | 'otherDuber';
export type Duber = Extract<Person, 'duber' | 'otherDuber'>;

export type Leg = {
  readonly id: string;
  readonly type: 'Bud_To_Scrub' | 'Scrub_To_Bud';
  status: string;
  duber: Duber | undefined;
  hasLaundry: boolean;
  isLost: boolean;
  /** Since when the Duber is at the present door, in ms. */
  arrivedAt: number | undefined;
  changedAt: number;
  collectedAt: number;
  wasOfferedAgain: boolean;
  /** Who has dropped it since it was offered last. */
  dropper: Duber | undefined;
};

export type Life = {
  readonly id: string;
  status: string;
  scrub: Extract<Person, 'scrub' | 'otherScrub'>;
  givenBackBy: Person | undefined;
  legs: Leg[];
  /** Who has the laundry. */
  holder: Person;
};

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

const MINUTE_MS = 60_000;
const BUSY = ['Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back'];
export const isBusyWith = (leg: Leg, duber: Duber) =>
  leg.duber === duber && (BUSY.includes(leg.status) || (leg.status === 'Failed' && leg.hasLaundry));

const giverOf = (leg: Leg, { scrub }: Life): Person => (leg.type === 'Bud_To_Scrub' ? 'bud' : scrub);
const takerOf = (leg: Leg, { scrub }: Life): Person => (leg.type === 'Bud_To_Scrub' ? scrub : 'bud');

/** What a step says and where it is taken. */
export type Report = { readonly isUnsafe: boolean; readonly hasPhoto: boolean; readonly isNear: boolean };
type Moment = { readonly now: number; readonly isBusy: boolean; readonly report: Report };
/** Whether the step must succeed; 'unknown' where it may do either. */
export type Verdict = boolean | 'unknown';

const waited = (leg: Leg, now: number) => leg.arrivedAt !== undefined && now - leg.arrivedAt >= 5 * MINUTE_MS;
const mayFail = (leg: Leg, { now, report }: Moment) => report.isUnsafe || (waited(leg, now) && report.hasPhoto);

/** A Duber's steps: the statuses from which each is allowed to the Duber of the delivery. */
const DUBER_STEPS: Partial<Record<LegStep, (leg: Leg, moment: Moment) => Verdict>> = {
  'way-to-pickup': ({ status }) => status === 'Accepted',
  collected: ({ status }) => status === 'Way_To_Pick',
  'way-to-drop': ({ status }) => status === 'Collected',
  delivered: ({ status }) => status === 'Way_To_Drop',
  'drop-delivery': ({ status }) => status === 'Accepted' || status === 'Way_To_Pick',
  'arrived-at-pickup': (leg, moment) => leg.status === 'Way_To_Pick' && mayArrive(leg, moment),
  'arrived-at-drop': (leg, moment) => leg.status === 'Way_To_Drop' && mayArrive(leg, moment),
  'pickup-failed': (leg, moment) => leg.status === 'Way_To_Pick' && mayFail(leg, moment),
  'drop-failed': (leg, moment) => leg.status === 'Way_To_Drop' && mayFail(leg, moment),
  'try-again': ({ status, hasLaundry, collectedAt }, { now }) =>
    status === 'Failed' && hasLaundry && now - collectedAt <= 24 * 60 * MINUTE_MS,
  'bring-back': ({ status, hasLaundry }) => status === 'Failed' && hasLaundry,
  'brought-back': ({ status }) => status === 'Way_Back',
  correct: (leg, { now, isBusy }) => {
    if (!['Collected', 'Delivered', 'Failed'].includes(leg.status) || leg.isLost) return false;
    if (now - leg.changedAt > 10 * MINUTE_MS) return false;
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
    return leg.dropper === actor ? 'unknown' : true;
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

/** Applies a step that succeeded. */
export function applyLegStep(life: Life, leg: Leg, actor: Person, step: LegStep, now: number): void {
  if (step === 'arrived-at-pickup' || step === 'arrived-at-drop') {
    leg.arrivedAt ??= now;
    return;
  }
  const before = leg.status;
  if (step === 'correct') {
    leg.status =
      { Collected: 'Way_To_Pick', Delivered: 'Way_To_Drop' }[before] ??
      (leg.hasLaundry ? 'Way_To_Drop' : 'Way_To_Pick');
    if (before === 'Delivered') Object.assign(leg, { hasLaundry: true });
    if (before === 'Collected') Object.assign(leg, { hasLaundry: false });
    if (before === 'Delivered') life.holder = leg.duber as Duber;
    if (before === 'Collected') life.holder = giverOf(leg, life);
  } else leg.status = STATUS_AFTER[step] ?? before;
  leg.changedAt = now;
  leg.arrivedAt = undefined;
  leg.isLost = step === 'report-lost';
  if (step === 'accept-delivery') Object.assign(leg, { duber: actor, dropper: undefined });
  if (step === 'drop-delivery') Object.assign(leg, { duber: undefined, dropper: actor });
  if (step === 're-offer') Object.assign(leg, { duber: undefined, wasOfferedAgain: true, dropper: undefined });
  if (step === 'collected') {
    Object.assign(leg, { hasLaundry: true, collectedAt: now });
    life.holder = actor;
  }
  if (step === 'delivered' || step === 'brought-back') {
    leg.hasLaundry = false;
    life.holder = step === 'delivered' ? takerOf(leg, life) : giverOf(leg, life);
  }
}

const ENDED = ['Delivered', 'Called_Off'];
const hasMoved = ({ legs }: Life) =>
  legs.some(
    ({ status, hasLaundry }) =>
      hasLaundry || ['Collected', 'Way_To_Drop', 'Way_Back', 'Delivered', 'Returned'].includes(status),
  );

export function predictOrderStep(life: Life, actor: Person, step: OrderStep): Verdict {
  const isScrub = actor === life.scrub;
  switch (step) {
    case 'accept-order':
    case 'reject-order':
      return isScrub && life.status === 'Requested' && life.givenBackBy === undefined;
    case 'cancel-order':
      return actor === 'bud' && life.status === 'Requested';
    case 'start-order':
      return isScrub && life.status === 'Accepted';
    case 'complete-order':
      return isScrub && life.status === 'In_Progress';
    case 'cancel-accepted':
      return actor === 'bud' && life.status === 'Accepted' && !hasMoved(life);
    case 'give-back':
      return isScrub && life.status === 'Accepted' && !hasMoved(life);
    case 'choose-scrub':
      return actor === 'bud' && life.status === 'Requested' && life.givenBackBy !== undefined;
  }
}

const callOff = (life: Life) => {
  for (const leg of life.legs) {
    if (!ENDED.includes(leg.status)) Object.assign(leg, { status: 'Called_Off', hasLaundry: false });
  }
};

/** Applies a step that succeeded. `chosen` is the Scrub that the Bud has chosen. */
export function applyOrderStep(life: Life, step: OrderStep, chosen: Life['scrub']): void {
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
  if (step === 'give-back') life.givenBackBy = life.scrub;
  if (step === 'choose-scrub') Object.assign(life, { givenBackBy: undefined, scrub: chosen });
  life.status = after[step] ?? life.status;
}

/** The delivery that a status needs. */
export const legFor = ({ status }: Life, step: OrderStep): Leg['type'] | undefined => {
  if (step === 'accept-order' && status === 'Accepted') return 'Bud_To_Scrub';
  return step === 'complete-order' ? 'Scrub_To_Bud' : undefined;
};
