import { DAY_MS, HOUR_MS } from './durations.ts';
import { credit, debit, dropZeroLines, type EntryKind, type LedgerLine, linesOfEarning, reversalOf } from './ledger.ts';
import { isSameSide, linesOfCutEarning, type OrderBalance } from './orderBalance.ts';
import type { Cents } from './payments.ts';

/** What a Duber is paid for: the whole trip, a pickup without laundry, the trip back, a part of the trip. */
export const EARNING_KINDS = ['leg', 'trip', 'return', 'relay'] as const;
export type EarningKind = (typeof EARNING_KINDS)[number];

/** The ledger entry of each kind of earning. */
export const ENTRY_KIND_OF_EARNING = {
  leg: 'delivered',
  trip: 'trip',
  return: 'returned',
  relay: 'relayed',
} as const satisfies Record<EarningKind, EntryKind>;

/** The part of the Bud's fee for one direction that nobody has earned or got back, and of the fees of the whole order. */
export type FeeLeft = { readonly fee: Cents; readonly order: Cents };

/** The part of an earning that the order bears. It never bears more than the Bud's fee for this direction. */
export function orderShareOfEarning(cents: Cents, left: FeeLeft): Cents {
  return Math.max(0, Math.min(cents, left.fee, left.order));
}

/** A Duber earns at least a third of the fee for the whole way for a part of it: they have to come to where it begins. */
export const leastEarningOfPart = (wholeWay: Cents): Cents => Math.ceil(wholeWay / 3);

export type EarningShares = {
  readonly duberId: string;
  readonly cents: Cents;
  /** The part that the order bears. */
  readonly fromOrder: Cents;
  /** The Scrub who bears the rest; null when the platform does. */
  readonly bearerId: string | null;
};

/** A Duber is paid: by the order as `linesOfCutEarning` says when it has refunds, and by the bearer of the rest. */
export function linesOfDuberEarning(earning: EarningShares, balance: OrderBalance | undefined): LedgerLine[] {
  const { duberId, fromOrder } = earning;
  const own = dropZeroLines([credit('duber', fromOrder, duberId)]);
  const ofOrder = balance ? linesOfCutEarning(own, balance) : linesOfEarning(own);
  return addUpBySign([...ofOrder, ...linesOfRest(earning)]);
}

const isSameSideAndSign = (a: LedgerLine, b: LedgerLine) =>
  isSameSide(a, b) && Math.sign(a.amount) === Math.sign(b.amount);

/** Adds up debits and credits apart: a Duber who bears a refund of the order is still credited with the whole earning. */
function addUpBySign(lines: readonly LedgerLine[]): LedgerLine[] {
  const totals: LedgerLine[] = [];
  for (const line of lines) {
    const total = totals.find((one) => isSameSideAndSign(one, line));
    if (total) totals.splice(totals.indexOf(total), 1, { ...total, amount: total.amount + line.amount });
    else totals.push(line);
  }
  return totals;
}

/** The part that the order does not pay. */
function linesOfRest({ duberId, cents, fromOrder, bearerId }: EarningShares): LedgerLine[] {
  const rest = cents - fromOrder;
  const bearer = bearerId === null ? debit('refund-costs', rest) : debit('scrub', rest, bearerId);
  return dropZeroLines([bearer, credit('duber', rest, duberId)]);
}

/** The lines of an earning's entry, or of its reversal, without the part that the order does not pay. */
export function orderLinesOf(lines: readonly LedgerLine[], earning: EarningShares, isContrary: boolean): LedgerLine[] {
  const rest = linesOfRest(earning);
  const others = isContrary ? reversalOf(rest) : rest;
  const partOf = (line: LedgerLine) => others.find((other) => isSameSideAndSign(other, line))?.amount ?? 0;
  return dropZeroLines(lines.map((line) => ({ ...line, amount: line.amount - partOf(line) })));
}

/** An order that has ended with all its deliveries. */
export type EndedOrder = {
  readonly captured: Cents;
  /** What everybody earns of its price. */
  readonly earned: Cents;
  /** Its refunds, those under way included. */
  readonly refunded: Cents;
  /** The part of them that nobody bears. */
  readonly released: Cents;
  /** Whether it ended without being done. */
  readonly isUndone: boolean;
};

/**
 * The unearned amount to refund. Refunds with a liable party come on top of it when the order was completed. Otherwise they are a
 * part of it.
 */
export function centsToRefund({ captured, earned, refunded, released, isUndone }: EndedOrder): Cents {
  const unearned = captured - earned;
  return Math.max(0, isUndone ? unearned - refunded : Math.min(unearned - released, captured - refunded));
}

/** Why a credit is in no payout yet. */
export const PENDING_REASONS = [
  'laundry-not-seen',
  'case',
  'lost',
  'not-charged',
  'account',
  'chargeback',
  'same-people',
  'ways',
  'claim-time',
  'platform-pay',
  'trip',
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** The laundry counts as seen this long after the completion when no Duber carries it and nobody contradicts. */
export const SEEN_AFTER_MS = 12 * 60 * 60 * 1000;

/** An earning that may be for nothing is payable by itself after this time, when it is proven and nobody denies it. */
export const PROVEN_EARNING_WAITS_MS = 72 * HOUR_MS;
/** The time of which `platformPayWeek` is the sum. */
export const PLATFORM_PAY_WEEK_MS = 7 * DAY_MS;

/** What says that a Duber did what they are paid for. */
export type EarningEvidence = {
  /** Whether it is more than their word. */
  readonly isProven: boolean;
  /** The open case about it. */
  readonly caseId?: string | undefined;
};

export type EarningRisk = EarningEvidence & {
  /** What the platform pays of it, also in place of a Scrub who does not have the money. */
  readonly ofPlatform: Cents;
  /** What it paid the same Duber in the week before. */
  readonly inWeek: Cents;
  /** What it pays one person in a week without asking anybody. */
  readonly weekLimit: Cents;
};

/** Whether the credit of an earning waits: not at all, a while, or until the town has looked at it. */
export function waitOfEarning({
  ofPlatform,
  inWeek,
  weekLimit,
  isProven,
  caseId,
}: EarningRisk): 'none' | 'while' | 'town' {
  if (ofPlatform === 0 && caseId === undefined) return 'none';
  const isAboveLimit = ofPlatform > 0 && inWeek + ofPlatform > weekLimit;
  return isProven && !isAboveLimit ? 'while' : 'town';
}
