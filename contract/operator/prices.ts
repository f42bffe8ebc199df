import { z } from 'zod';
import { LOAD_SIZES } from '../../domain/orders.ts';
import { PRICE_ITEMS } from '../../domain/payments.ts';
import { PRICE_UNITS } from '../../domain/prices.ts';
import { flag, numberInQuery, oneOf, strict, time } from '../fields.ts';
import { Price } from '../payments.ts';
import { act, operatorCall } from './call.ts';

const item = oneOf(PRICE_ITEMS, `An item is one of ${PRICE_ITEMS.join(', ')}`);
const MAX_COMING = 100;
const dated = { value: z.number(), from: time.describe('from when it holds') };

/** What is charged, by item: now, and from later days on. */
export const TownPrice = z
  .object({
    item: z.enum(PRICE_ITEMS),
    unit: z.enum(PRICE_UNITS),
    ...dated,
    next: z.array(z.object(dated)).max(MAX_COMING).describe('what was set for later, soonest first'),
  })
  .meta({ id: 'TownPrice' });
export type TownPrice = z.output<typeof TownPrice>;

export const listPrices = operatorCall({
  method: 'GET',
  path: '/operator/prices',
  permission: 'see',
  answer: z.object({ items: z.array(TownPrice).max(PRICE_ITEMS.length) }).meta({ id: 'TownPrices' }),
  status: 200,
  failures: [],
  summary: 'All prices, from when each holds, and those that are to come',
});

/** A price that was typed wrong is corrected for orders that are not placed yet. */
export const atOnce = flag('atOnce')
  .optional()
  .describe('instead of from: correct it in a minute, for orders that are not placed yet');
export const atOnceInQuery = oneOf(['true'], 'atOnce must be true')
  .transform(() => true)
  .optional();

/** A day of the town, like 2026-12-01. */
const date = z.iso.date({ error: 'from must be a date, like 2026-12-01' });

export const previewPrice = operatorCall({
  method: 'GET',
  path: '/operator/prices/preview',
  permission: 'see',
  query: strict({
    item,
    value: numberInQuery(z.number(), 'value must be a number'),
    from: date.optional(),
    atOnce: atOnceInQuery,
  }),
  answer: z
    .object({
      from: time.describe('from when it would hold'),
      sizes: z.array(z.object({ size: z.enum(LOAD_SIZES), before: Price, after: Price })).max(LOAD_SIZES.length),
    })
    .meta({ id: 'PricePreview' }),
  status: 200,
  failures: [],
  summary: 'What an order of each size, with both deliveries, would cost before and after a change',
  example: { query: { item: 'wash-and-fold', value: '3' } },
});

export const setPrice = act({
  path: '/operator/prices/:id/set',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  params: strict({ id: item }),
  body: {
    value: z.number({ error: 'value must be a number' }),
    from: date
      .optional()
      .describe(
        'a day of the town, tomorrow at the earliest; tomorrow when it is missing, and at once before the first order',
      ),
    atOnce,
  },
  failures: [],
  summary:
    'Set a price from a later day on, or correct it at once. Needs a second operator; if that takes until after the day, it holds from the day after. Orders keep the price they were placed at',
  example: { params: { id: 'wash-and-fold' }, body: { value: 2.75, reason: 'Water costs more' } },
});
