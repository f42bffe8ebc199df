import { DELIVERY_FLOW, type DeliveryAction } from '../../domain/deliveries.ts';
import type { LoadSize, OrderAction } from '../../domain/orders.ts';

/** The Duber of a leg and the steps that they have taken. */
export type Leg = { readonly duber: string; readonly steps: readonly DeliveryAction[] };

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
  readonly outboundLeg?: Leg;
  readonly returnLeg?: Leg;
  readonly reviews?: DemoReviews;
};

const DELIVERY_STEPS: readonly DeliveryAction[] = DELIVERY_FLOW.map((row) => row.action);

const deliveredBy = (duber: string): Leg => ({ duber, steps: DELIVERY_STEPS });
const partlyDeliveredBy = (duber: string, steps: number): Leg => ({ duber, steps: DELIVERY_STEPS.slice(0, steps) });

const ACCEPTED = ['accept-order'] as const;
const STARTED = ['accept-order', 'start-order'] as const;
const DONE = ['accept-order', 'start-order', 'complete-order'] as const;

/** The demo orders, oldest first. They cover every status of an order and of a delivery. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  {
    bud: 'bud',
    scrub: 'scrub',
    size: 'Medium',
    note: 'Cold wash, and no softener please.',
    steps: DONE,
    outboundLeg: deliveredBy('duber'),
    returnLeg: deliveredBy('duber'),
    reviews: {
      toScrub: [5, 'Folded better than I ever could. Thank you!'],
      toBud: [5, 'Sorted bags and a clear note: a pleasure.'],
      toOutboundDuber: [5, 'On the minute, and carried it down four floors.'],
      toReturnDuber: [4, 'Friendly and quick, rang the wrong bell first.'],
    },
  },
  {
    bud: 'tomas',
    scrub: 'scrub',
    size: 'Large',
    steps: DONE,
    outboundLeg: deliveredBy('ines'),
    returnLeg: deliveredBy('duber'),
    reviews: {
      toScrub: [4, 'All clean, one sock went on holiday.'],
      toBud: [5, 'Ready at the door when the driver came.'],
      toReturnDuber: [5, 'Called ahead, which I liked a lot.'],
    },
  },
  {
    bud: 'priya',
    scrub: 'amara',
    size: 'Small',
    note: 'The silk blouse by hand, please.',
    steps: DONE,
    outboundLeg: deliveredBy('duber'),
    returnLeg: deliveredBy('kofi'),
    reviews: {
      toScrub: [5, 'The blouse looks new. I will be back.'],
      toOutboundDuber: [5, 'Careful with the bag and very polite.'],
    },
  },
  {
    bud: 'jonah',
    scrub: 'otis',
    size: 'Medium',
    selfDelivery: true,
    selfPickup: true,
    steps: DONE,
    reviews: { toScrub: [3, 'Fine, but it took a day longer than I hoped.'] },
  },
  {
    bud: 'bud',
    scrub: 'felix',
    size: 'Large',
    steps: DONE,
    outboundLeg: deliveredBy('lena'),
    returnLeg: deliveredBy('duber'),
    reviews: { toScrub: [4, 'Good work, and the towels are soft again.'] },
  },
  {
    bud: 'lucia',
    scrub: 'scrub',
    size: 'Small',
    steps: DONE,
    outboundLeg: deliveredBy('arjun'),
    returnLeg: partlyDeliveredBy('kofi', 4),
  },
  { bud: 'wen', scrub: 'noor', size: 'Medium', steps: DONE, outboundLeg: deliveredBy('duber') },
  { bud: 'priya', scrub: 'scrub', size: 'Large', steps: STARTED, outboundLeg: deliveredBy('lena') },
  { bud: 'bud', scrub: 'amara', size: 'Small', note: 'Hypoallergenic soap.', steps: STARTED, selfDelivery: true },
  { bud: 'tomas', scrub: 'eun', size: 'Medium', steps: STARTED, outboundLeg: partlyDeliveredBy('ines', 3) },
  { bud: 'wen', scrub: 'scrub', size: 'Medium', steps: ACCEPTED, outboundLeg: partlyDeliveredBy('lena', 2) },
  { bud: 'jonah', scrub: 'marta', size: 'Small', steps: ACCEPTED, outboundLeg: partlyDeliveredBy('arjun', 1) },
  { bud: 'lucia', scrub: 'felix', size: 'Large', note: 'Two bags, by the blue door.', steps: ACCEPTED },
  { bud: 'bud', scrub: 'noor', size: 'Medium', steps: ACCEPTED },
  { bud: 'tomas', scrub: 'silas', size: 'Small', steps: ['cancel-order'] },
  { bud: 'bud', scrub: 'otis', size: 'Small', steps: ['cancel-order'] },
  { bud: 'jonah', scrub: 'scrub', size: 'Large', steps: ['reject-order'] },
  { bud: 'priya', scrub: 'scrub', size: 'Medium', note: 'Whites only, as hot as they bear.', steps: [] },
  { bud: 'lucia', scrub: 'scrub', size: 'Small', steps: [], selfPickup: true },
  { bud: 'bud', scrub: 'scrub', size: 'Medium', steps: [] },
];
