import type { Need } from '../needs.ts';
import type { OrderSize, OrderStatus, WeighingAction, WeighingTimer } from '../orders.ts';
import type { Tariff } from '../payments.ts';
import { linesOfOrder, linesOfTrips, type PricedOrder, type PriceLine } from '../prices.ts';
import { CHARGE_ESTIMATE_AFTER_MS, CORRECTION_LIFETIME_MS, WEIGHED_STATUSES } from '../weighing.ts';
import { type Actor, rowsOfTimers, type Transition } from '../workflow.ts';
import type { WeighingCauses } from './row.ts';

// The rows of weighing: the weight, its price, and the answer of the Bud. The status of the order stays.

/** The laundry of a step that is being taken. Money in cents. */
export type WeighingTaken = {
  readonly order: Omit<PricedOrder, 'loadSize'>;
  /** What the order costs by now. */
  readonly lines: readonly PriceLine[];
  readonly size: OrderSize;
  /** The largest size that is charged without asking. */
  readonly limit: OrderSize;
  /** The size of the weight; null when nothing is sold that takes so much. */
  readonly toSize: OrderSize | null;
  /** The prices that the order was placed with. */
  readonly tariff: Tariff;
};

/** A row of weighing, as the server takes it. */
export type WeighingRow = Transition<WeighingAction | WeighingTimer, OrderStatus, Actor> &
  WeighingCauses<WeighingTaken> & {
    /** The System takes it once an order, and not once a round; its time counts from when the order was placed. */
    readonly once?: 'order';
  };
type Charges = NonNullable<WeighingRow['charges']>;

/** The price lines of an order for a size, at the prices of its placement. */
export const linesOfSize = (loadSize: OrderSize, { order, tariff }: WeighingTaken): PriceLine[] =>
  linesOfOrder({ ...order, loadSize }, tariff);

const OF_ORDER: Charges = ({ size, lines }) => ({ size, lines });
const OF_WEIGHT: Charges = (taken) => {
  const { toSize } = taken;
  return toSize === null ? OF_ORDER(taken) : { size: toSize, lines: linesOfSize(toSize, taken) };
};
const OF_LIMIT: Charges = (taken) => ({ size: taken.limit, lines: linesOfSize(taken.limit, taken) });
/** The laundry goes back unwashed. */
const OF_TRIPS: Charges = ({ size, lines }) => ({ size, lines: linesOfTrips(lines) });

const stay = <const Status extends OrderStatus, const Row extends object>(statuses: readonly Status[], row: Row) =>
  statuses.map((status) => ({ ...row, from: status, to: status }));

/** The Scrub weighs the laundry. The card is charged by the weight, or the Bud is asked. */
const weigh = <const N extends readonly Need[], const Also extends object>(verdict: N, also: Also) =>
  stay(WEIGHED_STATUSES, {
    action: 'weigh',
    by: 'Scrub',
    needs: ['is-weighed', 'not-weighed-yet', 'laundry-here', ...verdict] as const,
    comparesScales: true,
    ...also,
  });

const TOLD_BUD = { notifies: { kind: 'weighed', to: ['Bud'] } } as const;
const ANSWERED = { notifies: { kind: 'weigh-answered', to: ['Scrub'] } } as const;
const UNANSWERED = {
  action: 'unanswered',
  by: 'System',
  after: CORRECTION_LIFETIME_MS,
  opens: { case: 'weighing', reason: 'unanswered' },
  notifies: { kind: 'weigh-answered', to: ['Bud', 'Scrub'] },
} as const;

/** An action may have several rows: the first whose status and needs fit is taken. */
export const WEIGHING_ROWS = [
  // Claims change the price of work that is earned.
  ...weigh(['already-earned'], {}),
  ...weigh(['lighter'], { corrects: 'lighter', charges: OF_WEIGHT } as const),
  ...weigh(['heavier'], { corrects: 'auto', charges: OF_WEIGHT, ...TOLD_BUD } as const),
  ...weigh(['beyond-limit'], { corrects: 'asked', ...TOLD_BUD } as const),
  ...weigh([], { charges: OF_ORDER } as const),
  // With a new hold for the whole price.
  ...stay(WEIGHED_STATUSES, {
    action: 'pay',
    by: 'Bud',
    needs: ['asked', 'sold', 'price-as-shown'],
    answers: 'paid',
    charges: OF_WEIGHT,
    ...ANSWERED,
  }),
  ...stay(WEIGHED_STATUSES, {
    action: 'keep',
    by: 'Bud',
    needs: ['asked', 'splits', 'price-as-shown'],
    answers: 'kept',
    charges: OF_LIMIT,
    ...ANSWERED,
  }),
  ...stay(WEIGHED_STATUSES, {
    action: 'send-back',
    by: 'Bud',
    needs: ['asked', 'price-as-shown'],
    answers: 'sent-back',
    charges: OF_TRIPS,
    ...ANSWERED,
  }),
  ...stay([...WEIGHED_STATUSES, 'Completed'], {
    action: 'contest',
    by: 'Bud',
    needs: ['charged-more', 'first-contest', 'first-day', 'price-as-shown'],
    contests: true,
    opens: { case: 'weighing', reason: 'contest' },
  }),
  // The Scrub washes what fits the limit, if they agreed to that; otherwise everything goes back.
  ...stay(WEIGHED_STATUSES, { ...UNANSWERED, needs: ['asked', 'splits'], answers: 'kept', charges: OF_LIMIT }),
  ...stay(WEIGHED_STATUSES, { ...UNANSWERED, needs: ['asked'], answers: 'sent-back', charges: OF_TRIPS }),
  // An order that its Scrub gave back is Requested, with the same hold, which would end soon.
  ...stay(['Requested', ...WEIGHED_STATUSES], {
    action: 'charge-estimate',
    by: 'System',
    after: CHARGE_ESTIMATE_AFTER_MS,
    once: 'order',
    needs: ['is-weighed', 'accepted-once', 'not-weighed-yet'],
    chargesEstimate: true,
  }),
] as const satisfies readonly WeighingRow[];

export const WEIGHING_TIMER_ROWS = rowsOfTimers(WEIGHING_ROWS);
