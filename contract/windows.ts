import { z } from 'zod';
import { LEFT, TURNAROUNDS } from '../domain/windows.ts';
import { call } from './call.ts';
import { id, instant, strict, time } from './fields.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

/** A span of time in which somebody comes. */
export const TimeWindow = z.object({ from: time, until: time }).meta({ id: 'TimeWindow' });
export type TimeWindow = z.output<typeof TimeWindow>;

/** When the laundry of an order is fetched and brought back, as agreed. */
export const OrderTimes = z
  .object({
    pickup: TimeWindow,
    return: TimeWindow,
    turnaround: z.enum(TURNAROUNDS),
    promisedAt: time.describe('when it is back at the latest'),
  })
  .meta({ id: 'OrderTimes' });
export type OrderTimes = z.output<typeof OrderTimes>;

const MAX_OFFERS = 150;

export const WindowOffer = TimeWindow.extend({ left: z.enum(LEFT).describe('how many places are left') }).meta({
  id: 'WindowOffer',
});
export type WindowOffer = z.output<typeof WindowOffer>;

export const WindowOffers = z
  .object({
    timeZone: z.string().describe('of the town, in which people read the windows'),
    closed: z
      .object({ until: time, words: z.string() })
      .optional()
      .describe('until when the zone of the address takes no orders for as soon as possible, while the town is open'),
    fastest: z.enum(TURNAROUNDS).describe('the fastest turnaround that is offered'),
    pickup: z.array(WindowOffer).max(MAX_OFFERS).describe('soonest first; none where people come as soon as possible'),
    return: z.array(WindowOffer).max(MAX_OFFERS),
    costsMore: z
      .partialRecord(z.enum(TURNAROUNDS), z.number())
      .describe('what a turnaround costs, in percent of the load; those that are missing cost nothing more'),
  })
  .meta({ id: 'WindowOffers' });
export type WindowOffers = z.output<typeof WindowOffers>;

export const listWindows = call({
  method: 'GET',
  path: '/windows',
  who: ['Bud'],
  query: strict({ budAddressId: id('budAddressId') }),
  answer: WindowOffers,
  status: 200,
  failures: ['notFound'],
  summary: 'The windows of the next two weeks in which laundry is fetched from an address, and brought back to it',
  spec: '7.3',
  example: { query: { budAddressId: ID } },
});

const start = (name: string) =>
  z.iso
    .datetime({ error: `${name} must be the start of a window, like 2026-12-04T17:00:00.000Z` })
    .optional()
    .describe('the start of a window of GET /windows; both of them, or none for as soon as possible');

/** The windows that a Bud chooses. */
export const chosenWindows = { pickupFrom: start('pickupFrom'), returnFrom: start('returnFrom') };

const searched = (name: string) =>
  instant(name).optional().describe('of the windows that a Bud has chosen; all four or none');

/** The windows for which a Bud looks for a Scrub. */
export const searchedWindows = {
  pickupFrom: searched('pickupFrom'),
  pickupUntil: searched('pickupUntil'),
  returnFrom: searched('returnFrom'),
  returnUntil: searched('returnUntil'),
};
