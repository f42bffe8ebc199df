import { z } from 'zod';
import { MAX_CLOSURE_WORDS, MAX_CLOSURES, MAX_SPANS } from '../../domain/hours.ts';
import { MAX_TOUCHED, TOUCHED_CHOICES } from '../../domain/moves.ts';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { id, instant, longText, money, oneOf, orderNumber, strict, time, uuid } from '../fields.ts';
import { weekOf } from '../hours.ts';
import { TimeWindow } from '../windows.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

const hours = weekOf('hours', MAX_SPANS, 'Too many times');

export const Closure = z
  .object({
    id: uuid,
    zone: z.object({ id: uuid, name: z.string() }).nullable().describe('null for the whole town'),
    from: time,
    until: time,
    words: z.string().describe('what people read'),
    addedBy: z.string(),
    takenBack: z.object({ at: time, by: z.string() }).nullable().describe('from when it does not hold, and by whom'),
  })
  .meta({ id: 'Closure' });
export type Closure = z.output<typeof Closure>;

export const TownHours = z
  .object({
    timeZone: z.string(),
    hours: hours.describe('when orders are taken, in the order of a week; none when they always are'),
    setBy: z.string().nullable(),
    since: time.nullable().describe('since when they hold; null while nobody has set them'),
    closures: z.array(Closure).max(MAX_CLOSURES).describe('those of now and those to come, soonest first'),
  })
  .meta({ id: 'TownHours' });
export type TownHours = z.output<typeof TownHours>;

export const readHours = operatorCall({
  method: 'GET',
  path: '/operator/hours',
  permission: 'see',
  answer: TownHours,
  status: 200,
  failures: [],
  summary: 'When orders are taken: the hours of each weekday, and the closures to come',
});

export const setHours = act({
  path: '/operator/hours/set',
  permission: 'prices',
  act: { subject: 'town' },
  body: { before: hours, hours },
  failures: ['wrongStatus'],
  summary: 'Take orders at these hours instead of those of `before`, from now on. Without any, they are always taken',
  example: {
    body: {
      before: [],
      hours: [
        { weekday: 'Monday', from: '08:00', until: '12:00' },
        { weekday: 'Monday', from: '13:00', until: '20:00' },
      ],
      reason: 'Nobody works at night',
    },
  },
});

export const CLOSURES_PAGE = 20;

export const listPastClosures = operatorCall({
  method: 'GET',
  path: '/operator/closures/past',
  permission: 'see',
  query: strict({ page: pageInQuery() }),
  answer: pageOf(Closure, CLOSURES_PAGE).meta({ id: 'PastClosures' }),
  status: 200,
  failures: [],
  summary: 'Closures that are over or were taken back, newest first',
  example: { query: {} },
});

const isLocalTime = (value: string) => {
  const at = new Date(`${value}:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
};

/** A time on the town's clocks. */
const localTime = (name: string) =>
  z
    .string({ error: `${name} must be a time of the town, like 2026-12-25T08:00` })
    .regex(/^20\d\d-\d\d-\d\dT\d\d:\d\d$/, { error: `${name} must be a time of the town, like 2026-12-25T08:00` })
    .refine(isLocalTime, { error: `${name} is not in the calendar` });

const TouchedOrder = z
  .object({
    id: uuid,
    number: orderNumber,
    status: z.enum(ORDER_STATUSES),
    bud: z.string(),
    scrub: z.string(),
    pickup: TimeWindow.nullable().describe('null when the pickup is not touched, or was before'),
    return: TimeWindow.nullable().describe('null when the return is not touched'),
    total: money.describe('what its card is charged, and gets back if it is cancelled'),
    isAtBud: z.boolean().describe('whether it can be cancelled: its Bud has the laundry, and nobody is on the way'),
  })
  .meta({ id: 'TouchedOrder' });
export type TouchedOrder = z.output<typeof TouchedOrder>;

export const listTouched = operatorCall({
  method: 'GET',
  path: '/operator/closures/touched',
  permission: 'see',
  query: strict({ from: instant('from').optional(), until: instant('until'), zone: id('zone').optional() }),
  answer: z
    .object({ items: z.array(TouchedOrder).max(MAX_TOUCHED), hasMore: z.boolean() })
    .meta({ id: 'TouchedOrders' }),
  status: 200,
  failures: [],
  summary:
    'The orders with a window in a span, from now on without `from`, of the town or of one zone: what a closure, a pause or the end of a zone would touch',
  example: { query: { until: '2030-12-26T00:00:00.000Z' } },
});

/** What becomes of the orders with a window in a time at which nobody comes. */
export const touchedField = {
  touched: oneOf(TOUCHED_CHOICES, `touched must be one of ${TOUCHED_CHOICES.join(', ')}`)
    .optional()
    .describe(
      'what becomes of the orders with a window then: they are offered the next one, kept, or cancelled. Needed when there are some',
    ),
};

/** The zone that an act is about. */
export const zoneField = { zone: id('zone').optional().describe('the id of a zone; the whole town without it') };

export const addClosure = act({
  path: '/operator/closures/add',
  permission: 'prices',
  act: { subject: 'town' },
  body: {
    from: localTime('from').optional().describe("on the town's clocks; now when it is missing"),
    until: localTime('until').describe("on the town's clocks"),
    words: longText({ required: 'Say what people read', name: 'The words', max: MAX_CLOSURE_WORDS }),
    ...zoneField,
    ...touchedField,
  },
  failures: ['wrongStatus', 'ordersTouched', 'windowGone', 'noRight', 'notFound'],
  summary:
    'Take no new orders for a while, now or later, in the town or in one zone. A zone takes orders for windows after it. Orders that are under way go on',
  example: {
    body: { from: '2030-12-25T00:00', until: '2030-12-26T00:00', words: 'Merry Christmas!', reason: 'A holiday' },
  },
});

export const takeBackClosure = act({
  path: '/operator/closures/:id/take-back',
  permission: 'prices',
  act: { subject: 'town' },
  params: strict({ id: id('id') }),
  failures: ['notFound', 'wrongStatus'],
  summary: 'End a closure, or take back one that is to come',
  example: { params: { id: ID }, body: { reason: 'The fair is called off' } },
});
