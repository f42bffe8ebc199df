import { z } from 'zod';
import { WEEKDAYS } from '../../domain/hours.ts';
import { CREDIT_BEARERS, MAX_CREDIT } from '../../domain/promises.ts';
import { MAX_NOTICE_HOURS, MAX_PLACES, MAX_WINDOWS_A_DAY, TURNAROUNDS } from '../../domain/windows.ts';
import { MAX_ZONES } from '../../domain/zones.ts';
import { hasCents, money, oneOf, time, uuid, wholeNumber } from '../fields.ts';
import { weekOf } from '../hours.ts';
import { act, operatorCall } from './call.ts';

const MAX_WEEK = WEEKDAYS.length * MAX_WINDOWS_A_DAY;
const week = weekOf('The windows', MAX_WEEK, 'Too many windows');
const places = wholeNumber('The number of places', 1, MAX_PLACES);

/** The windows of each week. */
export const WindowPlan = z
  .strictObject({
    pickup: week.describe('when laundry is fetched'),
    return: week.describe('when laundry is brought back'),
    places: places.describe('how many orders one window takes in each zone'),
    placesIn: z
      .record(uuid, places)
      .refine((zones) => Object.keys(zones).length <= MAX_ZONES, { error: 'Too many zones' })
      .describe('the zones with another number'),
    fastest: oneOf(TURNAROUNDS, `The fastest turnaround is one of ${TURNAROUNDS.join(', ')}`),
    noticeHours: wholeNumber('The notice', 0, MAX_NOTICE_HOURS).describe(
      'how long before its start a window can be chosen',
    ),
  })
  .meta({ id: 'WindowPlan' });

const MOST = MAX_CREDIT / 100;
const PromiseCredit = z
  .strictObject({
    amount: money
      .refine((dollars) => dollars > 0 && dollars <= MOST && hasCents(dollars), {
        error: `The amount is from $0.01 to $${MOST}`,
      })
      .describe('what goes back to the card of an order that is late'),
    borneBy: oneOf(CREDIT_BEARERS, `Who bears it is one of ${CREDIT_BEARERS.join(', ')}`).describe(
      'who had the laundry when the promise was missed, or the town',
    ),
  })
  .meta({ id: 'PromiseCredit' });

const set = {
  setBy: z.string().nullable(),
  since: time.nullable().describe('since when it holds; null while nobody has set it'),
};

export const TownWindows = z
  .object({
    timeZone: z.string(),
    plan: WindowPlan.nullable().describe('null for a town that comes as soon as possible'),
    ...set,
    credit: PromiseCredit.nullable().describe('what a missed promise pays by itself; null for nothing'),
  })
  .meta({ id: 'TownWindows' });
export type TownWindows = z.output<typeof TownWindows>;

export const readWindows = operatorCall({
  method: 'GET',
  path: '/operator/windows',
  permission: 'see',
  answer: TownWindows,
  status: 200,
  failures: [],
  summary: 'The windows in which laundry is fetched and brought back, and what a missed promise pays',
});

const EVENINGS = [{ weekday: 'Friday' as const, from: '17:00', until: '19:00' }];

export const setWindows = act({
  path: '/operator/windows/set',
  permission: 'prices',
  act: { subject: 'town' },
  body: {
    before: WindowPlan.nullable(),
    plan: WindowPlan.nullable(),
  },
  failures: ['wrongStatus'],
  summary:
    'Offer these windows instead of those of `before`, from now on. Without a plan people come as soon as possible; booked windows stay',
  example: {
    body: {
      before: null,
      plan: { pickup: EVENINGS, return: EVENINGS, places: 8, placesIn: {}, fastest: 'standard', noticeHours: 2 },
      reason: 'People ask when somebody comes',
    },
  },
});

export const setPromiseCredit = act({
  path: '/operator/windows/set-credit',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: { before: PromiseCredit.nullable(), credit: PromiseCredit.nullable().describe('null for nothing') },
  failures: ['wrongStatus'],
  summary:
    'Let a missed promise pay this by itself instead of `before`, from now on: the amount goes back to the card of the order',
  example: { body: { before: null, credit: { amount: 5, borneBy: 'holder' }, reason: 'We keep what we promise' } },
});
