import type { Cents } from './payments.ts';
import { centsOfEarner, EARNERS, EARNERS_AT_COMPLETION, type PriceLine } from './prices.ts';

/**
 * The accounts of the ledger. Lines of card-clearing have the Bud as their party; lines of scrub, duber and payouts have
 * the person who earned the money.
 */
export const LEDGER_ACCOUNTS = [
  'card-clearing',
  'unearned',
  'scrub',
  'duber',
  'platform-revenue',
  'taxes-payable',
  'refund-costs',
  'payouts',
  'card-fees',
  'disputes',
  'promotions',
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** One line of an entry in cents: debits are positive, credits negative. The lines of an entry add up to zero. */
export type LedgerLine = { readonly account: LedgerAccount; readonly party: string | null; readonly amount: Cents };

export const ENTRY_KINDS = [
  'captured',
  'completed',
  'delivered',
  'trip',
  'returned',
  'relayed',
  'corrected',
  'held',
  'refunded',
  'adjusted',
  'paid-out',
  'payout-returned',
  'card-fee',
  'disputed',
  'dispute-won',
  'dispute-lost',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What Scrubs and Dubers earn by their own work. */
export const WORK_KINDS = [
  'completed',
  'delivered',
  'trip',
  'returned',
  'relayed',
] as const satisfies readonly EntryKind[];
export type WorkKind = (typeof WORK_KINDS)[number];

export const debit = (account: LedgerAccount, amount: Cents, party: string | null = null): LedgerLine => ({
  account,
  party,
  amount,
});
export const credit = (account: LedgerAccount, amount: Cents, party: string | null = null): LedgerLine =>
  debit(account, -amount, party);
/** The same lines on the other side: what takes them back. */
export const reversalOf = (lines: readonly LedgerLine[]): LedgerLine[] =>
  lines.map((line) => ({ ...line, amount: -line.amount }));
export const dropZeroLines = (lines: readonly LedgerLine[]) => lines.filter((line) => line.amount !== 0);

type Capture = { readonly budId: string; readonly amount: Cents; readonly discount?: Cents };

/** The card was charged `amount`, and the platform pays what a promo code took off. Nobody has earned any of it yet. */
export function linesOfCapture({ budId, amount, discount = 0 }: Capture): LedgerLine[] {
  return dropZeroLines([
    debit('card-clearing', amount, budId),
    debit('promotions', discount),
    credit('unearned', amount + discount),
  ]);
}

/** What the card network keeps for itself of a payment. Less than zero when it gives a part back. */
export function linesOfCardFee({ budId, fee }: { budId: string; fee: Cents }): LedgerLine[] {
  return dropZeroLines([debit('card-fees', fee), credit('card-clearing', fee, budId)]);
}

/** The card network takes back what a cardholder contests. */
export function linesOfDispute({ budId, amount }: { budId: string; amount: Cents }): LedgerLine[] {
  return dropZeroLines([debit('disputes', amount), credit('card-clearing', amount, budId)]);
}

/** The bank has decided for us: the money is back. */
export function linesOfWonDispute({ budId, amount }: { budId: string; amount: Cents }): LedgerLine[] {
  return dropZeroLines([debit('card-clearing', amount, budId), credit('disputes', amount)]);
}

/** The money stays with the cardholder. `liable` is who bears it, the platform without one. */
export function linesOfLostDispute({
  amount,
  liable,
}: {
  amount: Cents;
  liable: { readonly account: 'scrub' | 'duber'; readonly userId: string } | null;
}): LedgerLine[] {
  const bearer = liable ? debit(liable.account, amount, liable.userId) : debit('refund-costs', amount);
  return dropZeroLines([bearer, credit('disputes', amount)]);
}

/** What the Scrub, the platform and the state earn with a completed order: credits. */
export function creditsOfCompletion({
  scrubId,
  lines,
}: {
  scrubId: string;
  lines: readonly PriceLine[];
}): LedgerLine[] {
  const credits = EARNERS_AT_COMPLETION.map((earner) =>
    credit(EARNERS[earner].account, centsOfEarner(lines, earner), earner === 'scrub' ? scrubId : null),
  );
  return dropZeroLines(credits);
}

/** What the Duber earns with a delivery: its whole price. */
export function creditsOfDelivery({ duberId, price }: { duberId: string; price: Cents }): LedgerLine[] {
  return dropZeroLines([credit('duber', price, duberId)]);
}

/** The order has no refunds: what is earned was unearned until now. */
export function linesOfEarning(credits: readonly LedgerLine[]): LedgerLine[] {
  const earned = credits.reduce((sum, { amount }) => sum - amount, 0);
  return dropZeroLines([debit('unearned', earned), ...credits]);
}

export const LIABLE_PARTIES = ['platform', 'scrub', 'duber'] as const;
export type LiableParty = (typeof LIABLE_PARTIES)[number];
/** Nobody bears a refund of what nobody will earn. */
export type RefundBearer = LiableParty | 'nobody';

/** A person's balance was paid to their bank. */
export function linesOfPayout(payout: { account: 'scrub' | 'duber'; userId: string; amount: Cents }): LedgerLine[] {
  const { account, userId, amount } = payout;
  return dropZeroLines([debit(account, amount, userId), credit('payouts', amount, userId)]);
}

/** The bank sent a payout back: the person is owed it again. */
export const linesOfReturnedPayout = (payout: Parameters<typeof linesOfPayout>[0]): LedgerLine[] =>
  linesOfPayout({ ...payout, amount: -payout.amount });

/** Lines of these kinds move what a person has earned to their bank, or back. The others are what they earn. */
export const PAYOUT_KINDS = ['paid-out', 'payout-returned'] as const satisfies readonly EntryKind[];

/**
 * The taxes in a refund: the share of everything refunded so far, less the taxes of earlier refunds. So partial refunds
 * that add up to the whole price return all of the taxes.
 */
export function taxesInRefund(
  order: { readonly total: Cents; readonly taxes: Cents },
  before: { readonly refunded: Cents; readonly taxes: Cents },
  amount: Cents,
): Cents {
  const share = Math.floor((order.taxes * (before.refunded + amount) * 2 + order.total) / (order.total * 2));
  return Math.min(amount, Math.max(0, share - before.taxes));
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
// 1 January 1970 was a Thursday, so the first Monday was four days later.
const FIRST_MONDAY_MS = 4 * 24 * 60 * 60 * 1000;

/** The last Monday 00:00 UTC that is not after `time`. */
export function mondayBefore(time: Date): Date {
  return new Date(FIRST_MONDAY_MS + Math.floor((time.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS);
}

export function weekAfter(monday: Date): Date {
  return new Date(monday.getTime() + WEEK_MS);
}
