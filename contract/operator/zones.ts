import { z } from 'zod';
import { ENDED_ZONE_CHOICES } from '../../domain/moves.ts';
import { LOAD_SIZES } from '../../domain/orders.ts';
import { MAX_CORNERS, MAX_ZONE_NAME, MAX_ZONES, ZONE_ITEMS } from '../../domain/zones.ts';
import { id, latitude, longitude, numberInQuery, oneOf, strict, text, time, uuid } from '../fields.ts';
import { Price } from '../payments.ts';
import { act, operatorCall } from './call.ts';
import { atOnce, atOnceInQuery } from './prices.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const CORNERS = [
  { latitude: 24.8, longitude: 67 },
  { latitude: 24.9, longitude: 67 },
  { latitude: 24.9, longitude: 67.1 },
];
const MAX_COMING = 100;

const params = strict({ id: id('id') });

const corners = z
  .array(strict({ latitude, longitude }), { error: 'corners must be a list of places' })
  .max(MAX_CORNERS, { error: `A zone has at most ${MAX_CORNERS} corners` });

const item = oneOf(ZONE_ITEMS, `An item is one of ${ZONE_ITEMS.join(', ')}`);
const ownPrices = z
  .array(strict({ item, value: z.number({ error: 'value must be a number' }) }), { error: 'prices must be a list' })
  .max(ZONE_ITEMS.length, { error: 'One price for each item' })
  .describe('its own; the others are those of the town');

/** A day of the town, like 2026-12-01. */
const from = z.iso
  .date({ error: 'from must be a date, like 2026-12-01' })
  .optional()
  .describe(
    'a day of the town, tomorrow at the earliest; tomorrow when it is missing, and at once before the first order',
  );

export const Zone = z
  .object({
    id: uuid,
    name: z.string(),
    corners: corners.nullable().describe('along its edge; null when it does not hold now'),
    nextAreas: z.array(z.object({ from: time, corners: corners.nullable() })).max(MAX_COMING),
    prices: ownPrices,
    nextPrices: z.array(z.object({ from: time, prices: ownPrices })).max(MAX_COMING),
  })
  .meta({ id: 'Zone' });
export type Zone = z.output<typeof Zone>;

export const listZones = operatorCall({
  method: 'GET',
  path: '/operator/zones',
  permission: 'see',
  answer: z.object({ items: z.array(Zone).max(MAX_ZONES) }).meta({ id: 'Zones' }),
  status: 200,
  failures: [],
  summary: 'The zones that hold now or later, with their own prices and what is to come',
});

const value = numberInQuery(z.number(), 'value must be a number').optional();

export const previewZonePrices = operatorCall({
  method: 'GET',
  path: '/operator/zones/preview',
  permission: 'see',
  query: strict({
    zone: id('zone').optional().describe('a zone that is not added yet without it'),
    from,
    atOnce: atOnceInQuery,
    'wash-and-fold': value,
    pickup: value,
    delivery: value,
    'platform-fee': value,
    taxes: value,
  }),
  answer: z
    .object({
      from: time.describe('from when it would hold'),
      sizes: z
        .array(z.object({ size: z.enum(LOAD_SIZES), town: Price, before: Price, after: Price }))
        .max(LOAD_SIZES.length),
    })
    .meta({ id: 'ZonePreview' }),
  status: 200,
  failures: ['notFound'],
  summary:
    'What an order of each size, with both deliveries, would cost in the town, and in the zone before and after it has these prices of its own',
  example: { query: { zone: ID, pickup: '7.5' } },
});

export const addZone = act({
  path: '/operator/zones/add',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: {
    name: text({ required: 'Name the zone', name: 'The name', max: MAX_ZONE_NAME }),
    corners,
    prices: ownPrices.optional(),
    from,
  },
  failures: ['wrongStatus'],
  summary: 'A part of the town, with or without prices of its own, from a later day on. Needs a second operator',
  example: { body: { name: 'Riverside', corners: CORNERS, reason: 'It is far away' } },
});

export const drawZone = act({
  path: '/operator/zones/:id/draw',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  params,
  body: {
    corners: corners.nullable().describe('null to end the zone'),
    from,
    touched: oneOf(ENDED_ZONE_CHOICES, `touched must be one of ${ENDED_ZONE_CHOICES.join(', ')}`)
      .optional()
      .describe('what becomes of its orders with a window after its end. Needed when there are some'),
  },
  failures: ['notFound', 'wrongStatus', 'ordersTouched', 'noRight'],
  summary: 'Redraw a zone, or end it, from a later day on. Needs a second operator. Orders keep their price',
  example: { params: { id: ID }, body: { corners: CORNERS, reason: 'The new bridge belongs to it' } },
});

export const setZonePrices = act({
  path: '/operator/zones/:id/prices/set',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  params,
  body: { prices: ownPrices, from, atOnce },
  failures: ['notFound', 'wrongStatus'],
  summary:
    'The prices of a zone from a later day on, or corrected at once. Needs a second operator. Orders keep the price they were placed at',
  example: {
    params: { id: ID },
    body: { prices: [{ item: 'pickup', value: 7.5 }], reason: 'It is far away' },
  },
});
