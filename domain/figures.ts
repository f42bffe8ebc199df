import { DAY_MS } from './durations.ts';

/** What the figures of a town can be listed by. */
export const FIGURES_BY = ['week', 'zone', 'scrub'] as const;
export type FiguresBy = (typeof FIGURES_BY)[number];

/** The figures are of the orders that were placed in so many weeks, this one included. */
export const FIGURES_WEEKS = 13;
export const MAX_FIGURES_WEEKS = 26;

/** The figures of so many orders take half of the time that a statement may take. Where there are more, they are of fewer weeks. */
export const MAX_FIGURES_ORDERS = 100_000;
export const FEWER_FIGURES_WEEKS = [13, 4, 1] as const;

/** A Bud has ordered again who places another order within this time after one that was completed. */
export const ORDER_AGAIN_WITHIN_MS = 28 * DAY_MS;
