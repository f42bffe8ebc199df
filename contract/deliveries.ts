import { z } from 'zod';
import { DELIVERY_STATUSES, DELIVERY_TYPES, type DeliveryAction } from '../domain/deliveries.ts';
import { ORDER_SIZES } from '../domain/orders.ts';
import { DELIVERY_CALL_ROWS } from '../domain/process/delivery.ts';
import { DELIVERY_SITUATIONS } from '../domain/process/situation.ts';
import { fieldsParameter } from './answerFields.ts';
import { anyRole, call } from './call.ts';
import { DeliveryException, failuresOf } from './exceptions.ts';
import { id, latitude, longitude, money, numberInQuery, orderNumber, strict, time, uuid } from './fields.ts';
import { type ListShape, listAnswer, listQuery } from './lists.ts';
import { Price } from './payments.ts';
import { AddressSnapshotShape, maxDistanceMeters, nearbyLimit, Person } from './places.ts';
import { Review } from './reviews.ts';
import { TimeWindow } from './windows.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

export const DeliveryStep = z
  .object({
    status: z.enum(DELIVERY_STATUSES),
    createdAt: time,
    takenAt: time.nullable().describe('when a device without a network took the step; null if it was sent at once'),
    deliveryId: uuid,
  })
  .meta({ id: 'DeliveryStep' });
export type DeliveryStep = z.output<typeof DeliveryStep>;

const contact = { id: uuid, fullname: z.string(), email: z.string().nullable(), phone: z.string().nullable() };
const DeliveryBud = z.object(contact).meta({ id: 'DeliveryBud' });
const DeliveryScrub = z.object({ ...contact, addresses: z.array(AddressSnapshotShape) }).meta({ id: 'DeliveryScrub' });

/** What a delivery shows of its order. */
const DeliveryOrder = z
  .object({
    id: uuid,
    number: orderNumber,
    loadSize: z.enum(ORDER_SIZES),
    price: Price.nullable().describe('null for the Duber'),
    orderInstructions: z.string().nullable().describe('null for a Duber who has not accepted the delivery'),
    budAddress: AddressSnapshotShape,
    bud: DeliveryBud,
    scrub: DeliveryScrub,
    reviews: z.array(Review),
  })
  .meta({ id: 'DeliveryOrder' });

// spec 3
export const Delivery = z
  .object({
    id: uuid,
    orderId: uuid,
    status: z.enum(DELIVERY_STATUSES),
    statusHistory: z.array(DeliveryStep),
    deliveryType: z.enum(DELIVERY_TYPES),
    budId: uuid,
    scrubId: uuid,
    duberId: uuid.nullable(),
    price: money.describe("the Duber's earnings, in dollars"),
    distanceInMeters: z.int(),
    createdAt: time,
    duber: z.object(contact).nullable(),
    bud: DeliveryBud,
    scrub: DeliveryScrub,
    order: DeliveryOrder,
    round: z.int().describe('the round of its order that it belongs to'),
    attempt: z.int().describe('1, and one more each time it starts over'),
    hasLaundry: z.boolean().describe('whether its Duber has the laundry'),
    pickup: z
      .object({ latitude, longitude })
      .nullable()
      .describe('for a Duber: where another one waits with the laundry who could not go on; else null'),
    exceptions: z.array(DeliveryException).describe('what did not go as planned; empty on a good day'),
    paid: money
      .nullable()
      .describe(
        'of a delivery that was called off: what its Duber was paid for it in dollars, for the Bud the part that the order paid; ' +
          'for the Duber also of one that failed without laundry, or came back; else null, and for the Scrub',
      ),
    isDuberAway: z
      .boolean()
      .describe(
        'for the Bud of a delivery under way: whether its Duber cannot work now, so that nobody knows when it goes on',
      ),
    leftAtDoorAt: time
      .nullable()
      .describe(
        'since when its laundry stands at the door of the Bud, until they say that they have it; else null, and for the Duber',
      ),
    situation: z.enum(DELIVERY_SITUATIONS).optional().describe('where it stands'),
    arrivedAt: time
      .nullable()
      .optional()
      .describe('when its Duber arrived at the door where it is now, or from when the wait at the door counts'),
    reOffers: z
      .int()
      .nullable()
      .optional()
      .describe('how often it was offered again after it failed; null for the Duber'),
    window: TimeWindow.optional().describe('when its Duber comes; missing for as soon as possible'),
    promisedAt: time
      .optional()
      .describe('when the laundry of its order is back at the latest; missing without windows'),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.output<typeof Delivery>;

/** A step in the history of a delivery by itself. */
const DeliveryHistoryStep = DeliveryStep.extend({
  action: z.string().nullable().optional().describe('the step, if it was not planned; else null'),
  reason: z
    .string()
    .nullable()
    .optional()
    .describe('why, of a step that was not planned, where the caller may read it'),
}).meta({ id: 'DeliveryHistoryStep' });

/** A delivery by itself. */
export const DeliveryDetails = Delivery.extend({
  statusHistory: z.array(DeliveryHistoryStep),
  townWords: z
    .string()
    .nullable()
    .optional()
    .describe(
      'what an operator wrote with the last step that was not planned, until the delivery goes on; null for the Duber',
    ),
  doneSteps: z
    .array(z.string())
    .optional()
    .describe('for the Duber: the steps of the present attempt, oldest first, with the “try-again” that started it'),
  isCarrier: z
    .boolean()
    .optional()
    .describe('true for a Duber who still has the laundry that another Duber goes on with'),
  isNextHere: z
    .boolean()
    .optional()
    .describe('true for that Duber once the next one has said that they are there to collect it'),
  isFinal: z
    .boolean()
    .optional()
    .describe(
      'true for its Duber once the last step can no longer be taken back, however recent it is: its taker has confirmed it, ' +
        'the order has gone on or ended, or the Duber has taken too many steps back',
    ),
}).meta({ id: 'DeliveryDetails' });
export type DeliveryDetails = z.output<typeof DeliveryDetails>;

export const DELIVERY_LIST = {
  filters: {
    id: 'id',
    orderId: 'id',
    status: DELIVERY_STATUSES,
    deliveryType: DELIVERY_TYPES,
    budId: 'id',
    scrubId: 'id',
    duberId: 'id',
    createdAt: 'time',
  },
  sorts: ['createdAt', 'status', 'price', 'distanceInMeters'],
  sums: ['price', 'distanceInMeters'],
  item: Delivery,
} as const satisfies ListShape;

export const listDeliveries = call({
  method: 'GET',
  path: '/deliveries',
  who: anyRole,
  query: listQuery(DELIVERY_LIST),
  answer: listAnswer(Delivery),
  status: 200,
  failures: [],
  summary: "The caller's deliveries: of the orders of a Bud or a Scrub, or accepted by a Duber",
  spec: '7.4',
  example: {
    query: {
      pageNumber: '1',
      pageSize: '10',
      sumFields: 'price',
      filters: '[{"field":"status","operator":"eq","value":"Delivered"}]',
    },
  },
});

const NearbyDelivery = z
  .object({
    delivery: Delivery,
    bud: Person,
    scrub: Person,
    budId: uuid,
    scrubId: uuid,
    distanceMeters: z.int().describe('from the centre of the search to the pickup'),
  })
  .meta({ id: 'NearbyDelivery' });
export type NearbyDelivery = z.output<typeof NearbyDelivery>;
export { NearbyDelivery as NearbyDeliveryShape };

const LATITUDE_MESSAGE = 'latitude must be a number between -90 and 90';
const LONGITUDE_MESSAGE = 'longitude must be a number between -180 and 180';

export const findDeliveriesNearby = call({
  method: 'GET',
  path: '/deliveries/find-deliveries-nearby',
  who: ['Duber'],
  query: strict({
    addressId: id('addressId'),
    maxDistanceMeters,
    latitude: numberInQuery(latitude, LATITUDE_MESSAGE).optional(),
    longitude: numberInQuery(longitude, LONGITUDE_MESSAGE).optional(),
    limit: nearbyLimit('limit'),
    fields: fieldsParameter(NearbyDelivery),
  }),
  answer: z.array(NearbyDelivery),
  status: 200,
  failures: ['notFound'],
  summary:
    "The nearest pending deliveries around the caller's address, or around latitude and longitude if both are given and at most 50 km away",
  spec: '7.4',
  example: { query: { addressId: ID, maxDistanceMeters: '5000' } },
});

export const readDelivery = call({
  method: 'GET',
  path: '/deliveries/:id',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: DeliveryDetails,
  status: 200,
  failures: ['notFound'],
  summary: "One of the caller's deliveries; for a Duber also a pending one",
  spec: '7.4',
  example: { params: { id: ID } },
});

const DELIVERY_STEP_SUMMARIES: Record<DeliveryAction, string> = {
  'accept-delivery': 'Accept a pending delivery. A Duber has one active delivery at most',
  'way-to-pickup': 'Start the way to the pickup',
  collected: 'Mark the laundry as collected',
  'way-to-drop': 'Start the way to the drop-off',
  delivered: 'Mark the laundry as delivered',
};

type DeliveryTransition = (typeof DELIVERY_CALL_ROWS)[number];

function defineStep<R extends DeliveryTransition>(row: R) {
  return call({
    method: 'GET',
    path: `/deliveries/:id/${row.action}`,
    who: [row.by],
    changesState: true,
    idempotent: true,
    takenAt: true,
    params: strict({ id: id('id') }),
    answer: DeliveryStep,
    status: 200,
    failures: [
      'notFound',
      row.action === 'accept-delivery' ? 'alreadyAccepted' : 'wrongStatus',
      ...failuresOf(DELIVERY_CALL_ROWS, row.action),
    ],
    summary: DELIVERY_STEP_SUMMARIES[row.action],
    spec: '4.2',
    example: { params: { id: ID } },
  });
}

/** One call per row of DELIVERY_FLOW that people take, by its action. */
export const deliverySteps = Object.fromEntries(DELIVERY_CALL_ROWS.map((row) => [row.action, defineStep(row)])) as {
  [R in DeliveryTransition as R['action']]: ReturnType<typeof defineStep<R>>;
};
