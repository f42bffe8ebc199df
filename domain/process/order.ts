import type { Need } from '../needs.ts';
import {
  CLOSE_AFTER_MS,
  GIVEN_BACK_LIFETIME_MS,
  LATE_AFTER_MS,
  type OrderAction,
  type OrderExceptionAction,
  type OrderExceptionTimer,
  type OrderStatus,
  type OrderTimer,
  type OrderTownAction,
  REMIND_AFTER_MS,
  REQUEST_LIFETIME_MS,
  SCRUB_SILENT_AFTER_MS,
  type TripPayer,
  type WayHome,
  type WayHomePayer,
} from '../orders.ts';
import { OVERDUE_AFTER_MS, REMIND_PROMISE_MS, SETTLE_PROMISE_MS } from '../promises.ts';
import { type Actor, fromEach, rowsOfOperators, rowsOfPeople, rowsOfTimers, type Transition } from '../workflow.ts';
import type { OrderCauses } from './row.ts';

// The life of an order: who may do what, at which status, what it needs, and what it causes. Weighing is in weighing.ts.

/** A step that is being taken. */
export type OrderTaken = {
  readonly at: Date;
  /** Who pays the Dubers of an order that is cleaned again, or whose laundry is brought home. */
  readonly waysPaidBy: WayHomePayer | undefined;
  /** How the laundry gets home; undefined while its Bud has it. */
  readonly wayHome: WayHome | undefined;
};

/** The columns of an order that its rows set. */
export type OrderColumns = {
  readonly completedAt: Date | null;
  readonly givenBackAt: Date | null;
  /** When the laundry came to the Scrub without a Duber, in this round. */
  readonly handedOverAt: Date | null;
  readonly closedAt: Date | null;
  readonly waysPaidBy: TripPayer | null;
  readonly wayHome: WayHome | null;
} & Readonly<Record<keyof typeof NO_TIMES, null>>;

/** An order without windows and without a promised time. */
const NO_TIMES = {
  ...{ pickupFrom: null, pickupUntil: null, returnFrom: null, returnUntil: null },
  ...{ turnaround: null, promisedAt: null },
} as const;

type RowCauses = OrderCauses<OrderTaken, OrderColumns>;

/** A row of an order, as the server takes it. */
export type OrderRow = Transition<
  OrderAction | OrderTimer | OrderExceptionAction | OrderExceptionTimer | OrderTownAction,
  OrderStatus,
  Actor
> &
  RowCauses & {
    /** A step of the normal life of an order, spec 4.1. Rows without this are its exceptions. */
    readonly planned?: true;
    /**
     * The time from which `after` counts: by default, when the row began to fit. `request`: when this Scrub was asked, and so that the
     * row is taken when the pickup window begins at the latest. `proposal`: until when its Bud can answer. `promise`: the time at which
     * the laundry is promised to be back. `missed-promise`: the promised time that was missed.
     */
    readonly countsFrom?: 'request' | 'proposal' | 'promise' | 'missed-promise';
    /** The System takes it once an order or once a proposal, and not once a round. */
    readonly once?: 'order' | 'proposal';
  };

const BOTH = ['Bud', 'Scrub'] as const;
const notifies = <const Kind extends string>(kind: Kind) => ({ notifies: { kind, to: BOTH } }) as const;

/** The effects of placing an order, once its amount is held on the card. */
export const PLACED = {
  action: 'place-order',
  to: 'Requested',
  by: 'Bud',
  ...notifies('placed'),
} as const;

const EXPIRED = { to: 'Cancelled', by: 'System', refunds: 'ended' } as const;

/** Each row adds `callsOff`, with the side that bears the earning of a Duber on the way. */
const CANCELLED = { to: 'Cancelled', refunds: 'ended', ...notifies('cancelled') } as const;

const CANCELLED_BY_OPERATOR = {
  ...CANCELLED,
  action: 'cancel-by-operator',
  by: 'Operator',
  callsOff: 'platform',
  sets: ({ wayHome = null }) => ({ wayHome }),
} as const satisfies Omit<OrderRow, 'from'>;

/** An order whose laundry is not with its Bud ends only with a way home for the laundry. */
const cancelByOperator = <const Way extends Need, const Also extends object>(way: readonly Way[], also: Also) =>
  fromEach(['Requested', 'Accepted', 'In_Progress'], {
    ...CANCELLED_BY_OPERATOR,
    needs: ['not-with-a-duber', 'reason', 'way-home', ...way] as const,
    ...also,
  });

const REFUSED = {
  action: 'refuse-window',
  by: 'Bud',
  answersProposal: 'no',
  forgets: ['moved'],
  notifies: { kind: 'moved', to: ['Scrub'] },
} as const satisfies Omit<OrderRow, 'from' | 'to'>;

/** Rows for an order whose windows are not over. Its status stays. */
const whileTimed = <const Row extends object>(row: Row) =>
  (['Requested', 'Accepted', 'In_Progress'] as const).map((status) => ({ ...row, from: status, to: status }));

/** A row of the promised time of an order. Its status stays. */
const ofPromise = <const Status extends OrderStatus, const Row extends Pick<OrderRow, 'countsFrom'>>(
  statuses: readonly Status[],
  row: Row,
) =>
  statuses.map((status) => ({
    ...{ from: status, to: status, by: 'System', once: 'order' },
    ...row,
  })) as readonly (Row & {
    readonly from: Status;
    readonly to: Status;
    readonly by: 'System';
    readonly once: 'order';
  })[];

const GIVEN_BACK = {
  action: 'give-back',
  to: 'Requested',
  startsOver: true,
  sets: ({ at }) => ({ givenBackAt: at, handedOverAt: null }),
  // The next Scrub weighs the laundry.
  forgetsWeight: true,
  forgets: ['accepted', 'given-back', 'weighed'],
  tells: ['Bud'],
  leaves: 'Scrub',
  notifies: { kind: 'given-back', to: ['Bud'] },
} as const satisfies Omit<OrderRow, 'by' | 'from'>;

/** The Scrub bears what a Duber on the way is paid. Otherwise friends could have the platform pay for orders that they give back. */
const GIVEN_BACK_BY_SCRUB = { ...GIVEN_BACK, by: 'Scrub', callsOff: 'scrub' } as const;

/** The whole life of an order. An action may have several rows: the first whose status and needs fit is taken. */
export const ORDER_ROWS = [
  {
    planned: true,
    action: 'cancel-order',
    from: 'Requested',
    to: 'Cancelled',
    by: 'Bud',
    counts: 'cancellation',
    refunds: 'ended',
  },
  {
    planned: true,
    action: 'accept-order',
    from: 'Requested',
    to: 'Accepted',
    by: 'Scrub',
    needs: ['still-theirs'],
    makesPins: true,
    charges: 'hold',
    counts: 'acceptance',
    opensDelivery: { type: 'Bud_To_Scrub' },
    notifies: { kind: 'accepted', to: ['Bud'] },
  },
  {
    planned: true,
    action: 'reject-order',
    from: 'Requested',
    to: 'Rejected',
    by: 'Scrub',
    needs: ['still-theirs'],
    refunds: 'ended',
    notifies: { kind: 'rejected', to: ['Bud'] },
  },
  {
    ...EXPIRED,
    planned: true,
    action: 'expire-request',
    from: 'Requested',
    after: REQUEST_LIFETIME_MS,
    countsFrom: 'request',
    needs: ['not-given-back'],
    ...notifies('expired'),
  },
  {
    ...CANCELLED,
    action: 'cancel-accepted',
    from: 'Accepted',
    by: 'Bud',
    needs: ['no-bag-moved', 'reason', 'fee-as-shown'],
    callsOff: 'bud',
  },
  { ...GIVEN_BACK_BY_SCRUB, from: 'Accepted', needs: ['no-bag-here', 'reason'] },
  // The orders of a Scrub who is suspended.
  ...fromEach(['Requested', 'Accepted'], {
    ...GIVEN_BACK,
    by: 'Operator',
    needs: ['not-given-back', 'no-bag-here', 'reason'],
    callsOff: 'platform',
  }),
  // At the same price. The new Scrub has as long as the first one.
  {
    action: 'choose-scrub',
    from: 'Requested',
    to: 'Requested',
    by: 'Bud',
    needs: ['given-back', 'scrub-known', 'scrub-available'],
    changesScrub: true,
    leaves: 'Scrub',
    notifies: { kind: 'placed', to: ['Scrub'] },
  },
  {
    ...EXPIRED,
    action: 'expire-given-back',
    from: 'Requested',
    after: GIVEN_BACK_LIFETIME_MS,
    needs: ['given-back'],
    tells: ['Bud'],
    notifies: { kind: 'cancelled', to: ['Bud'] },
  },
  {
    action: 'remind',
    from: 'Accepted',
    to: 'Accepted',
    by: 'System',
    after: REMIND_AFTER_MS,
    needs: ['laundry-here'],
    tells: ['Scrub'],
    notifies: { kind: 'reminder', to: ['Scrub'] },
  },
  {
    action: 'scrub-silent',
    from: 'Accepted',
    to: 'Accepted',
    by: 'System',
    after: SCRUB_SILENT_AFTER_MS,
    needs: ['laundry-here'],
    opens: { case: 'scrub-silent' },
  },
  {
    planned: true,
    action: 'start-order',
    from: 'Accepted',
    to: 'In_Progress',
    by: 'Scrub',
    needs: ['laundry-seen'],
    handsOver: 'Scrub',
  },
  {
    action: 'late',
    from: 'In_Progress',
    to: 'In_Progress',
    by: 'System',
    after: LATE_AFTER_MS,
    // Other orders are late by the promise.
    needs: ['not-promised'],
    opens: { case: 'late' },
    ...notifies('late'),
  },
  {
    planned: true,
    action: 'complete-order',
    from: 'In_Progress',
    to: 'Completed',
    by: 'Scrub',
    // Only orders that are weighed need the first two.
    needs: ['weighed', 'correction-answered', 'laundry-in-hand'],
    sets: ({ at }) => ({ completedAt: at }),
    earns: 'completion',
    handsOver: 'Bud',
    opensDelivery: { type: 'Scrub_To_Bud' },
  },
  // The windows of an order move while they are not over. What its people have agreed on costs what it cost.
  ...whileTimed({
    action: 'move-window',
    by: 'Bud',
    needs: [
      'has-times',
      'still-theirs',
      'pickup-not-begun',
      'other-times',
      'time-to-move',
      'window-offered',
      'not-faster',
    ],
    movesWindows: 'asked',
    forgets: ['moved'],
    notifies: { kind: 'moved', to: ['Scrub'] },
  }),
  ...whileTimed({
    action: 'propose-window',
    by: 'Scrub',
    needs: [
      'has-times',
      'still-theirs',
      'reason',
      'pickup-not-begun',
      'other-times',
      'window-offered',
      'none-proposed',
    ],
    proposes: true,
    forgets: ['proposed'],
    notifies: { kind: 'proposed', to: ['Bud'] },
  }),
  // With a closure or a pause, which says what becomes of the orders that it touches.
  ...whileTimed({
    action: 'propose-window',
    by: 'Operator',
    needs: ['has-times', 'pickup-not-begun', 'other-times', 'window-offered'],
    proposes: true,
    forgets: ['proposed'],
    notifies: { kind: 'proposed', to: ['Bud'] },
  }),
  ...whileTimed({
    action: 'accept-window',
    by: 'Bud',
    needs: ['proposed', 'pickup-not-begun', 'window-offered'],
    movesWindows: 'proposed',
    answersProposal: 'yes',
    forgets: ['moved'],
    notifies: { kind: 'moved', to: ['Scrub'] },
  }),
  // The town cannot come at the agreed time, and the Bud refuses the other time: an operator has to decide.
  ...whileTimed({ ...REFUSED, needs: ['proposed', 'proposed-by-town'], opens: { case: 'window' } }),
  ...whileTimed({ ...REFUSED, needs: ['proposed'] }),
  ...whileTimed({
    action: 'window-unanswered',
    by: 'System',
    after: 0,
    countsFrom: 'proposal',
    once: 'proposal',
    needs: ['proposed'],
    answersProposal: 'expired',
    opens: { case: 'window' },
  }),
  ...ofPromise(['Accepted', 'In_Progress', 'Completed'], {
    action: 'promise-near',
    countsFrom: 'promise',
    after: -REMIND_PROMISE_MS,
    needs: ['promised', 'not-back'],
    tells: ['Scrub'],
    notifies: { kind: 'promise-near', to: ['Scrub', 'Duber'] },
  }),
  ...ofPromise(['Accepted', 'In_Progress', 'Completed'], {
    action: 'promise-missed',
    countsFrom: 'promise',
    after: 0,
    needs: ['promised', 'not-back-in-time'],
    owes: 'credit',
    notifies: { kind: 'promise-missed', to: ['Bud', 'Scrub', 'Duber'] },
  }),
  ...ofPromise(['Accepted', 'In_Progress', 'Completed'], {
    action: 'promise-overdue',
    countsFrom: 'promise',
    after: OVERDUE_AFTER_MS,
    needs: ['promised', 'not-back'],
    opens: { case: 'late' },
  }),
  // The order may be cleaned again by then, without a promised time.
  ...ofPromise(['Requested', 'Accepted', 'In_Progress', 'Completed'], {
    action: 'promise-settled',
    countsFrom: 'missed-promise',
    after: SETTLE_PROMISE_MS,
    needs: ['credit-owed'],
    settlesPromise: true,
    forgets: ['promise-missed'],
    notifies: { kind: 'promise-missed', to: ['Bud'] },
  }),
  ...cancelByOperator(['newly-lost'], { opens: { case: 'lost', about: 'Scrub' } } as const),
  ...cancelByOperator(['is-brought'], { opensDelivery: { type: 'Scrub_To_Bud', isWayHome: true } } as const),
  ...cancelByOperator([], {}),
  {
    action: 'reopen',
    from: 'Completed',
    to: 'In_Progress',
    by: 'Operator',
    needs: ['deliveries-ended', 'not-closed', 'reason'],
    startsOver: true,
    // It is done as soon as possible: the times that were agreed on are over.
    sets: ({ waysPaidBy }) => ({
      ...{ ...NO_TIMES, completedAt: null, handedOverAt: null },
      waysPaidBy: waysPaidBy === 'scrub' ? 'scrub' : 'platform',
    }),
    forgets: ['reopened', 'late', 'reminder'],
    opensDelivery: { type: 'Bud_To_Scrub' },
    // A timer that runs late finds no promised time any more.
    owes: 'credit',
    ...notifies('reopened'),
  },
  {
    action: 'close',
    from: 'Completed',
    to: 'Completed',
    by: 'System',
    after: CLOSE_AFTER_MS,
    needs: ['deliveries-ended'],
    sets: ({ at }) => ({ closedAt: at }),
    refunds: 'unearned',
  },
] as const satisfies readonly OrderRow[];

type Row = (typeof ORDER_ROWS)[number];
type PlannedRow = Extract<Row, { planned: true }>;
type ExceptionRow = Exclude<Row, PlannedRow>;

const isPlanned = (row: Row): row is PlannedRow => 'planned' in row;

/** The normal life of an order, spec 4.1. */
export const ORDER_FLOW = ORDER_ROWS.filter(isPlanned);
export const ORDER_EXCEPTIONS = ORDER_ROWS.filter((row): row is ExceptionRow => !isPlanned(row));

export const isPlannedAction = (action: string): boolean => ORDER_FLOW.some((row) => row.action === action);

/** The rows of people, which are calls, those of operators, and those of the server. */
export const ORDER_CALL_ROWS = rowsOfPeople(ORDER_FLOW);
export const ORDER_EXCEPTION_ROWS = rowsOfPeople(ORDER_EXCEPTIONS);
type TownRow = ReturnType<typeof rowsOfOperators<ExceptionRow>>[number];
/** Operators propose windows with a closure, and not with an act of its own. */
const isActOfOrder = (row: TownRow): row is Exclude<TownRow, { action: 'propose-window' }> =>
  row.action !== 'propose-window';
export const ORDER_TOWN_ROWS = rowsOfOperators(ORDER_EXCEPTIONS).filter(isActOfOrder);
export const ORDER_TIMER_ROWS = rowsOfTimers(ORDER_ROWS);
