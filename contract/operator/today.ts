import { z } from 'zod';
import { WORKER_ROLES } from '../../domain/admissions.ts';
import { DELIVERY_STATUSES, DELIVERY_TYPES } from '../../domain/deliveries.ts';
import { DAY_STATES } from '../../domain/reconciledDays.ts';
import { WORK_QUEUES } from '../../domain/workQueues.ts';
import { MAX_ZONES } from '../../domain/zones.ts';
import { money, orderNumber, time, uuid } from '../fields.ts';
import { operatorCall } from './call.ts';
import { CaseLine } from './orders.ts';

/** How many rows of each kind Today has at most. The counts say how many there are. */
export const TODAY_ROWS = 50;
/** The limit of the counts of Today, so that they are quick. */
export const TODAY_COUNT_MAX = 1000;

const list = <T extends z.ZodType>(row: T) =>
  z.object({
    count: z.int().describe(`at most ${TODAY_COUNT_MAX}`),
    items: z.array(row).max(TODAY_ROWS).describe('the oldest first'),
  });

const Places = z.object({
  places: z.int().describe('of the windows of the day, those that have begun included'),
  taken: z.int().describe('by orders for which a Duber drives'),
});

const ofOrder = { orderId: uuid, orderNumber };

const OrderThatWaits = z
  .object({ ...ofOrder, since: time, bud: z.string(), scrub: z.string() })
  .meta({ id: 'OrderThatWaits' });
const DeliveryThatWaits = z
  .object({
    ...ofOrder,
    deliveryId: uuid,
    type: z.enum(DELIVERY_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    since: time,
    duber: z.string().nullable(),
    from: z.string().describe('the street of the pickup'),
    to: z.string().describe('the street of the drop-off'),
  })
  .meta({ id: 'DeliveryThatWaits' });
export type DeliveryThatWaits = z.output<typeof DeliveryThatWaits>;

export const Today = z
  .object({
    at: time,
    cases: list(CaseLine.extend({ orderId: uuid.nullable(), orderNumber: orderNumber.nullable() })),
    approvals: list(
      z.object({ id: uuid, action: z.string(), amount: money.nullable(), askedBy: z.string(), since: time }),
    ),
    documents: list(
      z.object({ personId: uuid, fullname: z.string(), role: z.enum(WORKER_ROLES), since: time }),
    ).describe('workers whose documents nobody has looked at'),
    unanswered: list(OrderThatWaits).describe('requested more than 2 hours ago'),
    givenBack: list(OrderThatWaits).describe('their Scrub gave them back, and no other one was chosen'),
    notStarted: list(OrderThatWaits).describe('the laundry has been at the Scrub for more than 4 hours'),
    atRisk: list(OrderThatWaits).describe(
      'promised to be back within two hours or missed, and neither back nor on the way; since the promised time',
    ),
    unclaimed: list(DeliveryThatWaits).describe('no Duber has taken them for 15 minutes'),
    stopped: list(DeliveryThatWaits).describe('failed or came back, and nobody has decided how they go on'),
    silent: list(DeliveryThatWaits).describe('their Duber has said nothing for a long time'),
    windows: z
      .array(
        z.object({
          zone: z.object({ id: uuid, name: z.string() }).nullable().describe('null for outside of all zones'),
          closedUntil: time.nullable().describe('until when this zone alone takes no orders; null when it does'),
          days: z
            .array(
              z.object({
                day: z.iso.date(),
                ...{ pickup: Places, return: Places },
                promised: z.int().describe('to be back on this day, and not back yet'),
                atRisk: z.int().describe('of the orders that `atRisk` lists; the first day has those of earlier days'),
              }),
            )
            .length(2),
        }),
      )
      .max(MAX_ZONES + 1)
      .describe('of today and tomorrow; none where the town offers no windows'),
    stuckPayments: z.int(),
    stuckRefunds: z.int(),
    differingDays: z.int().describe('differ at the card network, or could not be compared, and no operator knows it'),
    givenUpMessages: z.int(),
    mailTrouble: z
      .object({ count: z.int().describe(`at most ${TODAY_COUNT_MAX}`), since: time, why: z.string() })
      .nullable()
      .describe('mails that our mail server does not take, which are tried again; null when there is none'),
    queues: z
      .array(z.object({ queue: z.enum(WORK_QUEUES), length: z.int().describe('due now'), lateSince: time.nullable() }))
      .describe('what the server does by itself'),
    books: z
      .object({ day: z.iso.date().describe('of UTC'), state: z.enum(DAY_STATES), checkedAt: time.nullable() })
      .nullable()
      .describe('the last day that was compared with the card network; null before the first one'),
    backupAt: time.nullable().describe('when `npm run backup` was last run; null where it never was'),
    counters: z.object({
      since: time.describe("when the town's day began"),
      placed: z.int(),
      completed: z.int(),
      cancelled: z.int().describe('of those that were placed today'),
      inProgress: z.int().describe('now, whenever they were placed'),
      money: money.describe('what the orders of today cost, without those that were called off'),
    }),
  })
  .meta({ id: 'Today' });
export type Today = z.output<typeof Today>;

export const readToday = operatorCall({
  method: 'GET',
  path: '/operator/today',
  permission: 'see',
  answer: Today,
  status: 200,
  failures: [],
  summary: 'What needs somebody now, and the figures of the day',
});

export const MAP_PINS = 500;

export const TownMap = z
  .object({
    deliveries: z
      .array(
        z.object({
          ...ofOrder,
          deliveryId: uuid,
          type: z.enum(DELIVERY_TYPES),
          status: z.enum(DELIVERY_STATUSES),
          since: time.describe('of the status'),
          latitude: z.number(),
          longitude: z.number(),
          isShared: z.boolean().describe('whether it is the last place that the Duber has shared, not the pickup'),
        }),
      )
      .max(MAP_PINS),
    scrubs: z
      .array(z.object({ id: uuid, fullname: z.string(), latitude: z.number(), longitude: z.number() }))
      .max(MAP_PINS)
      .describe('those who take orders now'),
  })
  .meta({ id: 'TownMap' });
export type TownMap = z.output<typeof TownMap>;

export const readTownMap = operatorCall({
  method: 'GET',
  path: '/operator/map',
  permission: 'see',
  answer: TownMap,
  status: 200,
  failures: [],
  summary: 'Deliveries that wait or are under way, and the Scrubs who take orders',
});

/** Something that Today shows has changed: the console reads it again. */
export const TodayEvent = z.object({ entity: z.literal('today') }).meta({ id: 'TodayEvent' });
export type TodayEvent = z.output<typeof TodayEvent>;

/** Not in OPERATOR_API, because the typed client cannot read a stream. */
export const streamToday = operatorCall({
  method: 'GET',
  path: '/operator/events',
  permission: 'see',
  streams: true,
  answer: TodayEvent,
  status: 200,
  failures: [],
  summary:
    'Says that something on Today has changed, as server-sent events, each a TodayEvent in JSON, at most one a second; heartbeats are comments. To resume, send the id of the last event, or the X-Events-Cursor of the answer, as Last-Event-ID',
});
