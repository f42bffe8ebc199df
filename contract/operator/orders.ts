import { z } from 'zod';
import { ROLES } from '../../domain/accounts.ts';
import { CASE_KINDS, CASE_PRIORITIES, CASE_STATUSES } from '../../domain/cases.ts';
import { DELIVERY_STATUSES, DELIVERY_TYPES } from '../../domain/deliveries.ts';
import { PROOFS } from '../../domain/handovers.ts';
import { LIABLE_PARTIES } from '../../domain/ledger.ts';
import { ORDER_SIZES, ORDER_STATUSES, WAYS_HOME } from '../../domain/orders.ts';
import { PAYMENT_STATES, REFUND_STATES } from '../../domain/payments.ts';
import { ORDER_SITUATIONS, WAYS } from '../../domain/process/situation.ts';
import { MISSED_STATES, UNPAID_REASONS } from '../../domain/promises.ts';
import { BOOKED_PARTS } from '../../domain/windows.ts';
import { actorRole } from '../exceptions.ts';
import { id, instant, money, numberInQuery, oneOf, orderNumber, strict, time, uuid } from '../fields.ts';
import { OrderTimes } from '../windows.ts';
import { AuditRow } from './audit.ts';
import { act, operatorCall } from './call.ts';
import { LedgerLineView } from './money.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

/** A person by name. Another call reads the contacts, and leaves a row in the audit. */
export const Person = z.object({ id: uuid, role: z.enum(ROLES), fullname: z.string() }).meta({ id: 'TownPerson' });
export type Person = z.output<typeof Person>;

/** Near where it is, and without the house, for an operator who has not said why they need it. */
const Place = z.object({ address: z.string(), latitude: z.number(), longitude: z.number() }).meta({ id: 'TownPlace' });

/** What an operator can do at the present status. */
export const TownAction = z
  .object({
    action: z.string().describe('the last part of the path of its call'),
    hint: z.string().nullable().describe('why it cannot be done now; null when it can'),
    reasons: z.array(z.string()).describe('the values of `why`'),
    needsWords: z.boolean().describe('whether words are needed with every reason, not only with `other`'),
    needsPlace: z.boolean(),
    needsPayer: z.boolean(),
    waysHome: z
      .array(z.enum(WAYS_HOME))
      .describe('the values of `wayHome`, of which one is needed; empty while the Bud has the laundry'),
  })
  .meta({ id: 'TownAction' });
export type TownAction = z.output<typeof TownAction>;

const Step = z
  .object({
    at: time,
    takenAt: time.nullable().describe('when a device says that it was taken, if it was sent later'),
    action: z.string().nullable().describe('null in steps of early releases'),
    status: z.string().describe('what it led to'),
    attempt: z.int().describe('the attempt of a delivery, or the round of an order'),
    by: z.object({ role: actorRole.nullable(), id: uuid.nullable(), name: z.string().nullable() }),
    reason: z.string().nullable(),
    words: z.string().nullable(),
    fileIds: z.array(uuid).describe('its photos that are still kept'),
  })
  .meta({ id: 'TownStep' });
export type TownStep = z.output<typeof Step>;

const TownDelivery = z
  .object({
    id: uuid,
    type: z.enum(DELIVERY_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    round: z.int(),
    attempt: z.int(),
    price: money,
    duber: Person.nullable(),
    hasLaundry: z.boolean(),
    pickup: z.object({ latitude: z.number(), longitude: z.number() }),
    position: z
      .object({ latitude: z.number(), longitude: z.number(), accuracy: z.number().nullable(), at: time })
      .nullable()
      .describe('the last place that the Duber has shared; its accuracy includes the rounding of places'),
    askedPlace: z
      .object({ latitude: z.number(), longitude: z.number() })
      .nullable()
      .describe('where the Duber was who cannot go on, while that case is open'),
    steps: z.array(Step),
    actions: z.array(TownAction),
  })
  .meta({ id: 'TownDelivery' });
export type TownDelivery = z.output<typeof TownDelivery>;

const TownCustody = z
  .object({
    holder: Person,
    since: time.nullable().describe('null while the Bud has it and nobody has taken it'),
    bags: z.int().nullable(),
    handovers: z.array(
      z.object({
        at: time,
        giver: Person,
        taker: Person,
        deliveryId: uuid.nullable(),
        proof: z.enum(PROOFS),
        bags: z.int().nullable(),
        confirmedBags: z.int().nullable(),
        takesBack: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'TownCustody' });

const TownPayment = z
  .object({
    state: z.enum(PAYMENT_STATES),
    amount: money,
    held: money.describe('what the card holds or was charged at most'),
    reduced: money,
    refunded: money,
    card: z.string().nullable().describe('brand and last four digits'),
    squareId: z.string().nullable(),
    failure: z.string().nullable(),
    concern: z.string().nullable().describe('where the books and the card network disagree'),
  })
  .meta({ id: 'TownPayment' });

/** An entry of the ledger, debits above zero. */
const TownEntry = z
  .object({
    id: z.string(),
    at: time,
    kind: z.string(),
    lines: z.array(LedgerLineView),
  })
  .meta({ id: 'TownEntry' });

const TownRefund = z
  .object({
    id: uuid,
    at: time,
    amount: money,
    state: z.enum(REFUND_STATES),
    liable: z.enum([...LIABLE_PARTIES, 'nobody']).describe('nobody gives back what nobody had earned'),
    reason: z.string(),
    failure: z.string().nullable(),
  })
  .meta({ id: 'TownRefund' });

export const CaseLine = z
  .object({
    id: uuid,
    number: z.string(),
    kind: z.enum(CASE_KINDS),
    status: z.enum(CASE_STATUSES),
    priority: z.enum(CASE_PRIORITIES),
    since: time,
  })
  .meta({ id: 'TownCaseLine' });

/** The whole order: what happened, where the laundry is, its money, and what an operator can do. */
export const TownOrder = z
  .object({
    id: uuid,
    number: orderNumber,
    status: z.enum(ORDER_STATUSES),
    situation: z.enum(ORDER_SITUATIONS).describe('where it stands, in one name'),
    way: z.enum(WAYS).describe('where its laundry goes now'),
    round: z.int(),
    placedAt: time,
    completedAt: time.nullable(),
    closedAt: time.nullable(),
    givenBackAt: time.nullable().describe('since when it waits for another Scrub'),
    size: z.enum(ORDER_SIZES),
    ceilingSize: z.enum(ORDER_SIZES).nullable().describe('null when it is not weighed'),
    selfDelivery: z.boolean(),
    selfPickup: z.boolean(),
    leaveAtDoor: z.boolean(),
    times: OrderTimes.nullable().describe('null for as soon as possible'),
    missedPromise: z
      .object({
        amount: money,
        state: z.enum(MISSED_STATES),
        liable: z.enum(LIABLE_PARTIES).nullable().describe('null until it is certain'),
        promisedAt: time,
        backAt: time.nullable().describe('null while the laundry is not back'),
        holder: z.enum(ROLES).nullable().describe('who had the laundry at the promised time; null until it is certain'),
        reason: z.enum(UNPAID_REASONS).nullable().describe('why nothing is paid'),
      })
      .nullable()
      .describe('what a missed promise pays by itself; null where none was missed, or the town does not pay for that'),
    instructions: z.string().nullable(),
    price: z.object({
      loadPrice: money,
      delivery: money,
      pickup: money,
      platformFee: money,
      taxes: money,
      totalPrice: money,
    }),
    promo: z
      .object({ code: z.string(), discount: money.describe('what the platform pays of the price') })
      .nullable()
      .describe('null without a promo code'),
    bud: Person,
    scrub: Person,
    budPlace: Place,
    scrubPlace: Place,
    placesUntil: time.nullable().describe('until when all places are exact; null while they are rounded'),
    steps: z.array(Step),
    deliveries: z.array(TownDelivery),
    custody: TownCustody,
    weighings: z.array(z.object({ at: time, pounds: z.number(), scale: z.string(), by: Person })),
    payment: TownPayment.nullable(),
    ledger: z.array(TownEntry),
    refunds: z.array(TownRefund),
    cases: z.array(CaseLine),
    audit: z.array(AuditRow).describe('the last acts about the order and its deliveries'),
    actions: z.array(TownAction),
  })
  .meta({ id: 'TownOrder' });
export type TownOrder = z.output<typeof TownOrder>;

export const readTownOrder = operatorCall({
  method: 'GET',
  path: '/operator/orders/:id',
  permission: 'see',
  params: strict({ id: id('id') }),
  answer: TownOrder,
  status: 200,
  failures: ['notFound'],
  summary: 'The whole order, and what an operator can do with it',
  example: { params: { id: ID } },
});

export const showPlaces = act({
  path: '/operator/orders/:id/places/show',
  permission: 'see',
  act: { subject: 'order' },
  params: strict({ id: id('id') }),
  failures: ['notFound'],
  summary: 'Say why you need to know where the people of an order live. You can read its places for 15 minutes',
  example: { params: { id: ID }, body: { reason: 'The Duber does not find the door' } },
});

export const OrderLine = z
  .object({
    id: uuid,
    number: orderNumber,
    status: z.enum(ORDER_STATUSES),
    placedAt: time,
    bud: z.string(),
    scrub: z.string(),
    size: z.enum(ORDER_SIZES),
    total: money,
  })
  .meta({ id: 'TownOrderLine' });
export type OrderLine = z.output<typeof OrderLine>;

export const ORDERS_PAGE = 50;

export const listTownOrders = operatorCall({
  method: 'GET',
  path: '/operator/orders',
  permission: 'see',
  query: strict({
    status: oneOf(ORDER_STATUSES, `status must be one of ${ORDER_STATUSES.join(', ')}`).optional(),
    before: instant('before').optional().describe('the time of `next`, with `beforeNumber`'),
    beforeNumber: numberInQuery(z.int().min(1), 'beforeNumber must be the number of an order').optional(),
    booked: oneOf(BOOKED_PARTS, `booked must be one of ${BOOKED_PARTS.join(', ')}`)
      .optional()
      .describe('the orders with windows that Today counts so'),
    day: z.iso
      .date({ error: 'day must be a date, like 2026-12-01' })
      .optional()
      .describe('of the town, with `booked`: the day on which they count'),
    zone: id('zone').optional().describe('only with an address in this zone; zeros for outside of all zones'),
  }),
  answer: z
    .object({
      items: z.array(OrderLine).max(ORDERS_PAGE),
      next: z
        .object({ before: time, beforeNumber: z.int() })
        .nullable()
        .describe('where the next page begins; null after the last one'),
    })
    .meta({ id: 'TownOrders' }),
  status: 200,
  failures: [],
  summary: 'The orders of the town, newest first',
  example: { query: {} },
});
