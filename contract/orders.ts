import { z } from 'zod';
import { ROLES } from '../domain/accounts.ts';
import { ORDER_SIZES, ORDER_STATUSES, type OrderAction, WAYS_HOME } from '../domain/orders.ts';
import { ORDER_CALL_ROWS } from '../domain/process/order.ts';
import { DELAYS, ORDER_SITUATIONS, WAYS } from '../domain/process/situation.ts';
import { CREDIT_BEARERS, MISSED_STATES, UNPAID_REASONS } from '../domain/promises.ts';
import { PROMO_REFUSALS } from '../domain/promos.ts';
import { TURNAROUNDS, WINDOW_REFUSALS } from '../domain/windows.ts';
import { call } from './call.ts';
import { Delivery } from './deliveries.ts';
import { actorRole, failuresOf, OrderException } from './exceptions.ts';
import type { Failure } from './failures.ts';
import { flag, id, money, optionalText, orderNumber, strict, text, time, uuid } from './fields.ts';
import { type ListShape, listAnswer, listQuery } from './lists.ts';
import { Price } from './payments.ts';
import { AddressSnapshotShape, Person } from './places.ts';
import { pricedFields } from './pricedFields.ts';
import { promoCode } from './promos.ts';
import { Proposal } from './proposals.ts';
import { Review } from './reviews.ts';
import { chosenWindows, OrderTimes } from './windows.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

export const OrderStep = z
  .object({ status: z.enum(ORDER_STATUSES), createdAt: time, orderId: uuid })
  .meta({ id: 'OrderStep' });
export type OrderStep = z.output<typeof OrderStep>;

export const Contact = z
  .object({
    id: uuid,
    fullname: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .meta({ id: 'Contact' });
export type Contact = z.output<typeof Contact>;

// spec 3. As lists and dashboards have it.
export const ListedOrder = z
  .object({
    id: uuid,
    number: orderNumber,
    status: z.enum(ORDER_STATUSES),
    statusHistory: z.array(OrderStep),
    budId: uuid,
    scrubId: uuid,
    loadSize: z.enum(ORDER_SIZES),
    selfDelivery: z.boolean().describe('the Bud brings the laundry'),
    selfPickup: z.boolean().describe('the Bud fetches the laundry'),
    orderInstructions: z.string().nullable(),
    price: Price,
    scrubEarning: money,
    createdAt: time,
    budAddress: AddressSnapshotShape,
    scrub: Person.extend({ addresses: z.array(AddressSnapshotShape) }),
    bud: Contact,
    deliveries: z.array(Delivery),
    reviews: z.array(Review),
    round: z.int().describe('1, and one more each time it starts over'),
    isHandedOver: z.boolean().describe('whether the laundry came to the Scrub without a Duber in this round'),
    exceptions: z.array(OrderException).describe('what did not go as planned; empty on a good day'),
    isScrubAway: z
      .boolean()
      .describe(
        'for the Bud of an open order: whether its Scrub cannot work now, so that nobody knows when it goes on',
      ),
    situation: z.enum(ORDER_SITUATIONS).optional().describe('where it stands'),
    way: z.enum(WAYS).optional().describe('where the laundry goes: there to the Scrub, or back to its Bud'),
    delay: z
      .enum(DELAYS)
      .nullable()
      .optional()
      .describe('what the server has last said in this round about work that takes long'),
    isCleanedAgain: z.boolean().optional().describe('whether it was completed before, and is cleaned again'),
    givenBackUntil: time
      .nullable()
      .optional()
      .describe('when it is cancelled unless its Bud chooses another Scrub; null unless it was given back'),
    times: OrderTimes.optional().describe('missing for an order that is done as soon as possible'),
  })
  .meta({ id: 'Order' });
export type ListedOrder = z.output<typeof ListedOrder>;

/** A step in the history of an order by itself. */
const OrderHistoryStep = OrderStep.extend({
  action: z.string().nullable().optional().describe('the step, if it was not planned; else null'),
  by: actorRole.nullable().optional().describe('who took a step that was not planned'),
}).meta({ id: 'OrderHistoryStep' });

/** An order by itself. */
export const Order = ListedOrder.extend({
  statusHistory: z.array(OrderHistoryStep),
  changeWords: z
    .object({ by: actorRole, words: z.string() })
    .nullable()
    .optional()
    .describe(
      'what the person wrote who cancelled the order, gave it back or had it cleaned again, while it is in that state',
    ),
  failureWords: z
    .object({ deliveryId: uuid, words: z.string() })
    .nullable()
    .optional()
    .describe('what a Duber wrote about a pickup or a drop-off that failed, until the delivery is offered again'),
  townWords: z
    .string()
    .nullable()
    .optional()
    .describe('what an operator wrote about the delivery that the order has now, until that delivery goes on'),
  hasPaidDuber: z
    .boolean()
    .optional()
    .describe('whether a Duber came in vain, brought the laundry back or handed it on, which is paid'),
  missedPromise: z
    .object({
      amount: money.describe('what goes back to the card'),
      state: z
        .enum(MISSED_STATES)
        .describe('`owed` until it is certain who had the laundry then; `kept` when it was back in time after all'),
      promisedAt: time,
      backAt: time.optional().describe('missing while the laundry is not back'),
      holder: z.enum(ROLES).optional().describe('who had the laundry at the promised time, from when that is certain'),
      reason: z.enum(UNPAID_REASONS).optional().describe('why nothing goes back to the card'),
      borneBy: z
        .enum(CREDIT_BEARERS)
        .optional()
        .describe('who bears the credit: who had the laundry then, or the town'),
    })
    .optional()
    .describe('of a promised time that was missed, where the town pays for that by itself'),
  ceilingSize: z
    .enum(ORDER_SIZES)
    .optional()
    .describe('the highest size that is charged without asking; only of orders that are weighed'),
  promo: z
    .object({ code: z.string(), discount: money.describe('what the card pays less than the total price') })
    .optional()
    .describe('only for the Bud, of orders that were placed with a promo code'),
  proposal: Proposal.optional().describe('another time that somebody proposes, until its Bud answers'),
  wayHome: z
    .enum(WAYS_HOME)
    .optional()
    .describe('how the laundry gets home, of a cancelled order whose laundry is not with its Bud'),
}).meta({ id: 'OrderDetails' });
export type Order = z.output<typeof Order>;

export const ORDER_LIST = {
  filters: {
    id: 'id',
    number: 'order-number',
    status: ORDER_STATUSES,
    budId: 'id',
    scrubId: 'id',
    loadSize: ORDER_SIZES,
    selfDelivery: 'boolean',
    selfPickup: 'boolean',
    createdAt: 'time',
  },
  sorts: ['createdAt', 'status', 'price', 'scrubEarning'],
  sums: ['price', 'scrubEarning'],
  item: ListedOrder,
} as const satisfies ListShape;

export const listOrders = call({
  method: 'GET',
  path: '/scrub-orders',
  who: ['Bud', 'Scrub'],
  query: listQuery(ORDER_LIST),
  answer: listAnswer(ListedOrder),
  status: 200,
  failures: [],
  summary: "The caller's orders: placed by a Bud, or placed with a Scrub",
  spec: '7.3',
  example: {
    query: { pageNumber: '1', pageSize: '10', filters: '[{"field":"status","operator":"eq","value":"Requested"}]' },
  },
});

export const placeOrder = call({
  method: 'POST',
  path: '/scrub-orders',
  who: ['Bud'],
  idempotent: true,
  body: strict({
    budAddressId: id('budAddressId'),
    loadSize: pricedFields.loadSize,
    ceilingSize: pricedFields.ceilingSize,
    orderInstructions: optionalText('Special Instructions', 1000, 'many'),
    scrubId: id('scrubId'),
    selfDelivery: pricedFields.selfDelivery,
    selfPickup: pricedFields.selfPickup,
    paymentSourceId: text({ required: 'A card is required', name: 'paymentSourceId', max: 255 }).describe(
      'a token of the card form, or the id of a saved card',
    ),
    verificationToken: text({
      required: 'verificationToken must be text',
      name: 'verificationToken',
      max: 255,
    }).optional(),
    saveCard: z
      .literal(true, { error: 'saveCard must be true, or missing' })
      .optional()
      .describe('the Bud agrees that the card is saved for their next orders'),
    shownTotal: z
      .number({ error: 'shownTotal must be an amount in dollars' })
      .optional()
      .describe('what the Bud has seen that is held on the card; another amount is refused'),
    promoCode: promoCode.optional(),
    ...chosenWindows,
  }),
  answer: Order,
  status: 201,
  failures: [
    'townPaused',
    'priceChanged',
    ...PROMO_REFUSALS,
    ...WINDOW_REFUSALS,
    'tooManyCodes',
    'newWorkHeld',
    'notFound',
    'scrubUnavailable',
    'keyReused',
    'cardGone',
    'tooManySavedCards',
    'cardDeclined',
    'tooManyDeclines',
    'tooManyOrders',
    'cardNetworkAway',
  ],
  summary: 'Place an order. Puts a hold for the price on the card; charges nothing yet',
  spec: '7.3',
  example: {
    body: {
      budAddressId: ID,
      loadSize: 'Medium',
      orderInstructions: 'Cold wash, please.',
      scrubId: ID,
      selfDelivery: false,
      selfPickup: false,
      paymentSourceId: 'cnon:card-nonce-ok',
    },
  },
});

const PriceQuote = Price.extend({
  atMost: money.optional().describe('what is charged without asking, at most; with a ceilingSize'),
  turnaround: z
    .object({ name: z.enum(TURNAROUNDS), amount: money.describe('what being so fast costs, within the load price') })
    .optional()
    .describe('with windows'),
  choices: z
    .object({ prices: z.partialRecord(z.enum(ORDER_SIZES), Price), pickup: money, delivery: money })
    .optional()
    .describe('with `withChoices`: the price of each size that is sold, and what a Duber costs each way'),
}).meta({ id: 'PriceQuote' });
export type PriceQuote = z.output<typeof PriceQuote>;

export const calculatePrice = call({
  method: 'POST',
  path: '/scrub-orders/calculate-price',
  who: ['Bud'],
  body: strict({
    ...pricedFields,
    ...chosenWindows,
    budAddressId: id('budAddressId').optional(),
    withChoices: flag('withChoices').optional(),
  }),
  answer: PriceQuote,
  status: 200,
  failures: ['notFound', 'windowGone'],
  summary: 'The price of an order where its laundry is fetched; without an address, the price of the town',
  spec: '7.3',
  example: { body: { loadSize: 'Medium', selfDelivery: false, selfPickup: false } },
});

export const totalSpending = call({
  method: 'GET',
  path: '/scrub-orders/bud-total-spending',
  who: ['Bud'],
  answer: z.object({ totalSpending: money }),
  status: 200,
  failures: [],
  summary: 'What was charged to the Bud so far, less refunds',
  spec: '7.3',
});

export const readOrder = call({
  method: 'GET',
  path: '/scrub-orders/:id',
  who: ['Bud', 'Scrub'],
  params: strict({ id: id('id') }),
  answer: Order,
  status: 200,
  failures: ['notFound'],
  summary: "One of the caller's orders",
  spec: '7.3',
  example: { params: { id: ID } },
});

/** The failures of a step besides those of its needs: a Scrub may be kept from new work. */
const OTHER_FAILURES: Partial<Record<OrderAction, readonly Failure[]>> = { 'accept-order': ['newWorkHeld'] };

const ORDER_STEP_SUMMARIES: Record<OrderAction, string> = {
  'cancel-order': 'Cancel a requested order. Releases the hold on the card',
  'accept-order': 'Accept a requested order. Charges the card',
  'reject-order': 'Reject a requested order. Releases the hold on the card',
  'start-order': 'Start an accepted order',
  'complete-order': 'Complete an order in progress',
};

type OrderTransition = (typeof ORDER_CALL_ROWS)[number];

function defineStep<R extends OrderTransition>(row: R) {
  return call({
    method: 'GET',
    path: `/scrub-orders/:id/${row.action}`,
    who: [row.by],
    changesState: true,
    idempotent: true,
    params: strict({ id: id('id') }),
    answer: OrderStep,
    status: 200,
    failures: [
      ...new Set<Failure>([
        ...(['notFound', 'wrongStatus'] as const),
        ...failuresOf(ORDER_CALL_ROWS, row.action),
        ...(OTHER_FAILURES[row.action] ?? []),
      ]),
    ],
    summary: ORDER_STEP_SUMMARIES[row.action],
    spec: '4.1',
    example: { params: { id: ID } },
  });
}

/** One call per row of ORDER_FLOW that people take, by its action. */
export const orderSteps = Object.fromEntries(ORDER_CALL_ROWS.map((row) => [row.action, defineStep(row)])) as {
  [R in OrderTransition as R['action']]: ReturnType<typeof defineStep<R>>;
};
