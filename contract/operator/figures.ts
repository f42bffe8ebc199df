import { z } from 'zod';
import { FIGURES_BY, FIGURES_WEEKS, MAX_FIGURES_WEEKS } from '../../domain/figures.ts';
import { integerParameter, money, oneOf, strict } from '../fields.ts';
import { operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const minutes = z.number().nullable();
const share = z.number().min(0).max(1).nullable();

/** Figures are of the orders that were placed in a week or a period. Null where no order says anything yet. */
export const Figures = z
  .object({
    orders: z.int().describe('that were placed'),
    completed: z.int(),
    minutesToYes: minutes.describe('from asking a Scrub to their yes: half of them were faster'),
    slowMinutesToYes: minutes.describe('the same: nine of ten were faster'),
    onTime: share.describe(
      'the share of orders that were back by the promised time, and without one of washes that were done within 48 hours',
    ),
    hoursToReturn: z
      .number()
      .nullable()
      .describe('from the yes until the laundry was back, or ready for a Bud who fetches it: half were faster'),
    orderedAgain: share.describe(
      'the share of Buds who placed another order within 28 days after one that was completed; null until these are over',
    ),
    scrubHourly: money.nullable().describe("what Scrubs earned for each hour from an order's start to its completion"),
    duberHourly: money
      .nullable()
      .describe('what Dubers earned for each hour from accepting a delivery to delivering it'),
    kept: money
      .nullable()
      .describe(
        'the platform fee less card fees, promo codes and what the platform bears; null without the right money',
      ),
  })
  .meta({ id: 'Figures' });
export type Figures = z.output<typeof Figures>;

export const FiguresRow = Figures.extend({
  key: z.string().nullable().describe('a Monday of the town, or the id of a zone or a Scrub; null outside every zone'),
  name: z.string().nullable().describe('of the zone or the Scrub'),
}).meta({ id: 'FiguresRow' });
export type FiguresRow = z.output<typeof FiguresRow>;

export const FIGURES_PAGE = 50;

export const listFigures = operatorCall({
  method: 'GET',
  path: '/operator/figures',
  permission: 'see',
  query: strict({
    by: oneOf(FIGURES_BY, `by must be one of ${FIGURES_BY.join(', ')}`).default('week'),
    weeks: integerParameter('weeks', 1, MAX_FIGURES_WEEKS, FIGURES_WEEKS),
    page: pageInQuery(),
  }),
  answer: pageOf(FiguresRow, FIGURES_PAGE)
    .extend({
      timeZone: z.string(),
      weeks: z.int().describe('how many these are: fewer than asked for where they have very many orders'),
      from: z.iso.date().describe('the first Monday'),
      total: Figures,
    })
    .meta({ id: 'FiguresPage' }),
  status: 200,
  failures: [],
  summary:
    "How the orders of the last weeks went, together and by week of the town's time zone (newest first), zone or Scrub (most orders first)",
  example: { query: { by: 'week', weeks: '4' } },
});
