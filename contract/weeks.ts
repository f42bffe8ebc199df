import { z } from 'zod';
import { MAX_SPANS } from '../domain/hours.ts';
import { DAYS_OFF_CHOICES, MAX_TOUCHED } from '../domain/moves.ts';
import { ORDER_SIZES } from '../domain/orders.ts';
import { CALENDAR_DAYS, MAX_DAYS_OFF, MAX_ORDERS_A_DAY, MAX_POUNDS_A_DAY } from '../domain/weeks.ts';
import { MAX_NOTICE_HOURS } from '../domain/windows.ts';
import { call } from './call.ts';
import { id, oneOf, orderNumber, strict, uuid, wholeNumber } from './fields.ts';
import { weekOf } from './hours.ts';
import { TimeWindow } from './windows.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

const date = (name: string) => z.iso.date({ error: `${name} must be a day, like 2026-12-24` });

/** When a Scrub works, and how much. */
export const ScrubWeek = z
  .strictObject({
    hours: weekOf('hours', MAX_SPANS, 'Too many times').describe(
      'when laundry comes and goes, on the clocks of the town; none for any time',
    ),
    poundsADay: wholeNumber('The pounds of a day', 1, MAX_POUNDS_A_DAY).nullable().describe('null for no limit'),
    ordersADay: wholeNumber('The orders of a day', 1, MAX_ORDERS_A_DAY).nullable().describe('null for no limit'),
    sizes: z
      .array(oneOf(ORDER_SIZES, `A size is one of ${ORDER_SIZES.join(', ')}`))
      .min(1, { error: 'Choose at least one size' })
      .max(ORDER_SIZES.length)
      .nullable()
      .describe('the load sizes that they take; null for all'),
    noticeHours: wholeNumber('The notice', 0, MAX_NOTICE_HOURS).describe(
      'how many hours before its window an order comes at the latest',
    ),
  })
  .meta({ id: 'ScrubWeek' });
export type ScrubWeek = z.output<typeof ScrubWeek>;

const DaysOff = z
  .object({ id: uuid, from: z.string(), until: z.string().describe('the last day') })
  .meta({ id: 'DaysOff' });

const Job = z
  .object({
    orderId: uuid,
    number: orderNumber,
    kind: z
      .enum(['pickup', 'return', 'soon'])
      .describe('whether its laundry comes or goes; `soon`: it comes as soon as possible'),
    window: TimeWindow.optional().describe('missing for as soon as possible'),
    bud: z.string(),
    loadSize: z.enum(ORDER_SIZES),
  })
  .meta({ id: 'CalendarJob' });

/** A Scrub's week and the next days of it. */
export const Calendar = z
  .object({
    timeZone: z.string(),
    week: ScrubWeek,
    daysOff: z.array(DaysOff).max(MAX_DAYS_OFF),
    hasFeed: z.boolean().describe('whether a calendar program can read it at a secret address'),
    days: z
      .array(
        z.object({
          day: z.string(),
          isOff: z.boolean(),
          orders: z.int(),
          pounds: z.int().describe('booked for that day'),
          jobs: z.array(Job),
        }),
      )
      .max(CALENDAR_DAYS),
  })
  .meta({ id: 'ScrubCalendar' });
export type Calendar = z.output<typeof Calendar>;

export const readCalendar = call({
  method: 'GET',
  path: '/scrub/calendar',
  who: ['Scrub'],
  answer: Calendar,
  status: 200,
  failures: [],
  summary: "A Scrub's week, the days on which they do not work, and what the next two weeks have for them",
  spec: '7.3',
});

const WEEK = { hours: [], poundsADay: 40, ordersADay: null, sizes: null, noticeHours: 2 };

export const setWeek = call({
  method: 'POST',
  path: '/scrub/week',
  who: ['Scrub'],
  body: strict({ before: ScrubWeek, week: ScrubWeek }),
  answer: z.object({}),
  status: 200,
  failures: ['weekChanged'],
  summary: 'Work like this from now on, instead of as in `before`. Orders that are booked stay',
  spec: '7.3',
  example: { body: { before: { ...WEEK, poundsADay: null, noticeHours: 0 }, week: WEEK } },
});

const TouchedJob = z
  .object({
    id: uuid,
    number: orderNumber,
    bud: z.string(),
    pickup: TimeWindow.nullable().describe('null when the pickup is not touched, or was before'),
    return: TimeWindow.nullable().describe('null when the return is not touched'),
    canGiveBack: z.boolean().describe('whether another Scrub can do it: its Bud has the laundry'),
  })
  .meta({ id: 'TouchedJob' });
export type TouchedJob = z.output<typeof TouchedJob>;

const LAST_DAY = 'the last day';

export const listDaysOffTouched = call({
  method: 'GET',
  path: '/scrub/days-off/touched',
  who: ['Scrub'],
  query: strict({ from: date('from'), until: date('until').describe(LAST_DAY) }),
  answer: z.object({ items: z.array(TouchedJob).max(MAX_TOUCHED), hasMore: z.boolean() }).meta({ id: 'TouchedJobs' }),
  status: 200,
  failures: [],
  summary: "A Scrub's orders with a window on these days: what days off would touch",
  spec: '7.3',
  example: { query: { from: '2030-12-24', until: '2030-12-26' } },
});

export const addDaysOff = call({
  method: 'POST',
  path: '/scrub/days-off',
  who: ['Scrub'],
  body: strict({
    from: date('from'),
    until: date('until').describe(LAST_DAY),
    touched: oneOf(DAYS_OFF_CHOICES, `touched must be one of ${DAYS_OFF_CHOICES.join(', ')}`)
      .optional()
      .describe(
        'what becomes of the orders with a window then: their Buds are offered the next one, they are kept, or given back. Needed when there are some',
      ),
  }),
  answer: DaysOff,
  status: 201,
  failures: ['ordersTouched', 'windowGone', 'tooManyDaysOff'],
  summary: 'Do not work on these days, and say what becomes of the orders with a window then',
  spec: '7.3',
  example: { body: { from: '2030-12-24', until: '2030-12-26' } },
});

export const removeDaysOff = call({
  method: 'DELETE',
  path: '/scrub/days-off/:id',
  who: ['Scrub'],
  params: strict({ id: id('id') }),
  answer: z.undefined(),
  status: 204,
  failures: ['notFound'],
  summary: 'Work on these days after all',
  spec: '7.3',
  example: { params: { id: ID } },
});

export const makeCalendarFeed = call({
  method: 'POST',
  path: '/scrub/calendar-feed',
  who: ['Scrub'],
  answer: z.object({ url: z.string() }).meta({ id: 'CalendarFeed' }),
  status: 201,
  failures: [],
  summary: 'Make a secret address at which a calendar program reads the calendar. The one before no longer works',
  spec: '7.3',
});

export const stopCalendarFeed = call({
  method: 'DELETE',
  path: '/scrub/calendar-feed',
  who: ['Scrub'],
  answer: z.undefined(),
  status: 204,
  failures: [],
  summary: 'Let nobody read the calendar at its secret address any more',
  spec: '7.3',
});

export const readCalendarFeed = call({
  method: 'GET',
  path: '/calendar/:secret',
  who: 'anyone',
  params: strict({
    secret: z.string().regex(/^[\w-]{20,100}(\.ics)?$/, { error: 'This is not the address of a calendar' }),
  }),
  answersFile: 'calendar',
  answer: z.instanceof(Blob),
  status: 200,
  failures: ['notFound'],
  summary: 'The calendar of a Scrub for a calendar program, as iCalendar (RFC 5545)',
  spec: '7.3',
  example: { params: { secret: 'Aa3x0123456789abcdefgh.ics' } },
});
