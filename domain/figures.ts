import { DAY_MS } from './durations.ts';

/** What the figures of a town can be listed by. */
export const FIGURES_BY = ['week', 'zone', 'scrub'] as const;
export type FiguresBy = (typeof FIGURES_BY)[number];

/** The figures are of the orders that were placed in so many weeks, this one included. */
export const FIGURES_WEEKS = 13;
export const MAX_FIGURES_WEEKS = 26;

/** A Bud has ordered again who places another order within this time after one that was completed. */
export const ORDER_AGAIN_WITHIN_MS = 28 * DAY_MS;
