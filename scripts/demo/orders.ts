import type { DeliveryAction } from '../../domain/deliveries.ts';
import type { LoadSize, OrderAction } from '../../domain/orders.ts';
import { DELIVERY_FLOW } from '../../domain/process/delivery.ts';
import type { Phase, PhaseTimes } from './times.ts';

/** The Duber of a delivery and the steps that they have taken. */
export type Delivery = { readonly duber: string; readonly steps: readonly DeliveryAction[] };

/** The rating and message of each review. The Bud writes all of them but `toBud`. */
export type DemoReviews = {
  readonly toScrub?: readonly [number, string];
  readonly toBud?: readonly [number, string];
  readonly toOutboundDuber?: readonly [number, string];
  readonly toReturnDuber?: readonly [number, string];
};

export type DemoOrder = {
  readonly bud: string;
  readonly scrub: string;
  readonly size: LoadSize;
  readonly note?: string;
  readonly selfDelivery?: boolean;
  readonly selfPickup?: boolean;
  readonly steps: readonly OrderAction[];
  readonly outboundDelivery?: Delivery;
  readonly returnDelivery?: Delivery;
  readonly reviews?: DemoReviews;
};

/**
 * When an order was placed. An order of an earlier day has the usual times after that. One that is under way has all its
 * times, in minutes before the demo is added.
 */
type When =
  | { readonly daysAgo: number }
  | { readonly minutesAgo: { readonly placed: number } & { readonly [P in Phase]?: number } };

export type PlannedOrder = {
  /** Tells the orders apart, also when an interrupted start is continued. */
  readonly key: string;
  readonly order: DemoOrder;
  readonly times: PhaseTimes;
};

export type FixedOrder = DemoOrder & { readonly when: When };

const DELIVERY_STEPS: readonly DeliveryAction[] = DELIVERY_FLOW.map((row) => row.action);

export const deliveredBy = (duber: string): Delivery => ({ duber, steps: DELIVERY_STEPS });
const partlyDeliveredBy = (duber: string, steps: number): Delivery => ({
  duber,
  steps: DELIVERY_STEPS.slice(0, steps),
});

const ACCEPTED = ['accept-order'] as const;
const STARTED = ['accept-order', 'start-order'] as const;
export const DONE = ['accept-order', 'start-order', 'complete-order'] as const;

/** The newest demo orders, most of them under way. They cover every status of an order and of a delivery. */
export const DEMO_ORDERS: readonly FixedOrder[] = [
  {
    bud: 'bud',
    scrub: 'scrub',
    size: 'Medium',
    note: 'Cold wash, and no softener please.',
    steps: DONE,
    outboundDelivery: deliveredBy('duber'),
    returnDelivery: deliveredBy('duber'),
    reviews: {
      toScrub: [5, 'Folded better than I ever could. Thank you!'],
      toBud: [5, 'Sorted bags and a clear note: a pleasure.'],
      toOutboundDuber: [5, 'On the minute, and carried it down four floors.'],
      toReturnDuber: [4, 'Friendly and quick, rang the wrong bell first.'],
    },
    when: { daysAgo: 7 },
  },
  {
    bud: 'tomas',
    scrub: 'scrub',
    size: 'Large',
    steps: DONE,
    outboundDelivery: deliveredBy('ines'),
    returnDelivery: deliveredBy('duber'),
    reviews: {
      toScrub: [4, 'All clean, one sock went on holiday.'],
      toBud: [5, 'Ready at the door when the driver came.'],
      toReturnDuber: [5, 'Called ahead, which I liked a lot.'],
    },
    when: { daysAgo: 6 },
  },
  {
    bud: 'priya',
    scrub: 'amara',
    size: 'Small',
    note: 'The silk blouse by hand, please.',
    steps: DONE,
    outboundDelivery: deliveredBy('duber'),
    returnDelivery: deliveredBy('kofi'),
    reviews: {
      toScrub: [5, 'The blouse looks new. I will be back.'],
      toOutboundDuber: [5, 'Careful with the bag and very polite.'],
    },
    when: { daysAgo: 5 },
  },
  {
    bud: 'jonah',
    scrub: 'otis',
    size: 'Medium',
    selfDelivery: true,
    selfPickup: true,
    steps: DONE,
    reviews: { toScrub: [3, 'Fine, but it took a day longer than I hoped.'] },
    when: { daysAgo: 4 },
  },
  {
    bud: 'bud',
    scrub: 'felix',
    size: 'Large',
    steps: DONE,
    outboundDelivery: deliveredBy('lena'),
    returnDelivery: deliveredBy('duber'),
    reviews: { toScrub: [4, 'Good work, and the towels are soft again.'] },
    when: { daysAgo: 3 },
  },
  {
    bud: 'lucia',
    scrub: 'scrub',
    size: 'Small',
    steps: DONE,
    outboundDelivery: deliveredBy('arjun'),
    returnDelivery: partlyDeliveredBy('kofi', 4),
    when: {
      minutesAgo: { placed: 1_560, answered: 1_530, outbound: 1_380, started: 1_260, completed: 170, returned: 25 },
    },
  },
  {
    bud: 'wen',
    scrub: 'noor',
    size: 'Medium',
    steps: DONE,
    outboundDelivery: deliveredBy('duber'),
    when: { minutesAgo: { placed: 1_500, answered: 1_470, outbound: 1_320, started: 1_230, completed: 40 } },
  },
  {
    bud: 'priya',
    scrub: 'scrub',
    size: 'Large',
    steps: STARTED,
    outboundDelivery: deliveredBy('lena'),
    when: { minutesAgo: { placed: 660, answered: 640, outbound: 480, started: 130 } },
  },
  {
    bud: 'bud',
    scrub: 'amara',
    size: 'Small',
    note: 'Hypoallergenic soap.',
    steps: STARTED,
    selfDelivery: true,
    when: { minutesAgo: { placed: 540, answered: 500, started: 200 } },
  },
  {
    bud: 'tomas',
    scrub: 'eun',
    size: 'Medium',
    steps: STARTED,
    outboundDelivery: partlyDeliveredBy('ines', 3),
    when: { minutesAgo: { placed: 300, answered: 280, outbound: 18, started: 3 } },
  },
  {
    bud: 'wen',
    scrub: 'scrub',
    size: 'Medium',
    steps: ACCEPTED,
    outboundDelivery: partlyDeliveredBy('lena', 2),
    when: { minutesAgo: { placed: 180, answered: 150, outbound: 14 } },
  },
  {
    bud: 'jonah',
    scrub: 'marta',
    size: 'Small',
    steps: ACCEPTED,
    outboundDelivery: partlyDeliveredBy('arjun', 1),
    when: { minutesAgo: { placed: 150, answered: 140, outbound: 6 } },
  },
  {
    bud: 'lucia',
    scrub: 'felix',
    size: 'Large',
    note: 'Two bags, by the blue door.',
    steps: ACCEPTED,
    when: { minutesAgo: { placed: 120, answered: 75 } },
  },
  { bud: 'bud', scrub: 'noor', size: 'Medium', steps: ACCEPTED, when: { minutesAgo: { placed: 90, answered: 50 } } },
  {
    bud: 'tomas',
    scrub: 'silas',
    size: 'Small',
    steps: ['cancel-order'],
    when: { minutesAgo: { placed: 2_900, answered: 2_880 } },
  },
  {
    bud: 'bud',
    scrub: 'otis',
    size: 'Small',
    steps: ['cancel-order'],
    when: { minutesAgo: { placed: 4_400, answered: 4_385 } },
  },
  {
    bud: 'jonah',
    scrub: 'scrub',
    size: 'Large',
    steps: ['reject-order'],
    when: { minutesAgo: { placed: 3_000, answered: 2_950 } },
  },
  {
    bud: 'priya',
    scrub: 'scrub',
    size: 'Medium',
    note: 'Whites only, as hot as they bear.',
    steps: [],
    when: { minutesAgo: { placed: 55 } },
  },
  { bud: 'lucia', scrub: 'scrub', size: 'Small', steps: [], selfPickup: true, when: { minutesAgo: { placed: 35 } } },
  { bud: 'bud', scrub: 'scrub', size: 'Medium', steps: [], when: { minutesAgo: { placed: 12 } } },
];
