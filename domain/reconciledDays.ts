import { DAY_MS } from './durations.ts';
import type { Cents } from './payments.ts';

/** A day is compared this long after it has ended: the card network tells its fees some time after a payment. */
export const FEES_KNOWN_AFTER_MS = DAY_MS;
/** The first time, so many days are compared. */
export const DAYS_BACK = 30;
/** After a time without any comparison, such as with an old backup, so many days at most. */
export const LONGEST_GAP_DAYS = 400;
/** How many payments of a day are listed that are not the same at the card network. */
export const MAX_DIFFERENCES = 50;

/** `failed`: the card network did not answer, or answered with more than can be compared. */
export const DAY_STATES = ['equal', 'differs', 'failed'] as const;
export type DayState = (typeof DAY_STATES)[number];

export const DAY_SUMS = ['charged', 'refunded', 'fees', 'disputed'] as const;
export type DaySum = (typeof DAY_SUMS)[number];
/** In cents, each above zero. */
export type DaySums = Readonly<Record<DaySum, Cents>>;

export const NO_SUMS: DaySums = { charged: 0, refunded: 0, fees: 0, disputed: 0 };

/** How many payments, refunds and chargebacks of a day the card network has. */
export type DayCounts = { readonly charged: number; readonly refunded: number; readonly disputed: number };

/** A day's payments without refunds, fees and chargebacks. */
export const netOf = ({ charged, refunded, fees, disputed }: DaySums): Cents => charged - refunded - fees - disputed;

/** One amount that differs: of a payment, and of its refund or chargeback. */
export type DayDifference = {
  readonly what: DaySum;
  /** The id of the payment at the card network; of a refund or chargeback that only we know, its own id. */
  readonly squareId: string;
  readonly orderId: string | null;
  readonly ours: Cents;
  readonly theirs: Cents;
};

/** The day of a time. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** A day of UTC, like 2026-11-23: the card network and the ledger have no other time zone in common. */
export const boundsOfDay = (day: string): { readonly begin: Date; readonly end: Date } => {
  const begin = new Date(`${day}T00:00:00Z`);
  return { begin, end: new Date(begin.getTime() + DAY_MS) };
};
