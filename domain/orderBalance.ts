import {
  credit,
  debit,
  dropZeroLines,
  type EntryKind,
  type LedgerLine,
  type RefundBearer,
  reversalOf,
} from './ledger.ts';
import type { Cents } from './payments.ts';

/** A refund that is under way or made. */
export type OrderRefund = {
  /** What goes back, to the card and to the platform for a promo code. */
  readonly amount: Cents;
  /** The part of the amount that goes back to the platform. */
  readonly discount: Cents;
  /** The part of the amount that is taxes. The liable party pays the rest. */
  readonly taxes: Cents;
  readonly liable: RefundBearer;
  /** The Scrub or the Duber who is liable; null when the platform or nobody is. */
  readonly liableUser: string | null;
  /** What of its part the platform bears instead. */
  readonly forgiven: Cents;
  /** Whether it is in the ledger. */
  readonly isMade: boolean;
};

/** Everything about one order's money: what was captured, its lines in the ledger, and its refunds. What others pay a Duber is no part of it. */
export type OrderLedger = {
  /** By the card, and by the platform for a promo code. Without what goes back because the laundry weighed less. */
  readonly captured: Cents;
  readonly lines: readonly (LedgerLine & { readonly kind: EntryKind })[];
  readonly refunds: readonly OrderRefund[];
};

/** What an order has in the ledger, and what its refunds still have to be paid from. All amounts in cents. */
export type OrderBalance = {
  /** The credit in `unearned`. */
  readonly unearned: Cents;
  /** The part of it that no refund under way needs. */
  readonly free: Cents;
  /** The credit in `taxes-payable`. */
  readonly taxes: Cents;
  /** Whether all that was captured is refunded by somebody who bears it, or about to be. */
  readonly isRefunded: boolean;
  /** The taxes in the refunds that `taxes-payable` has not given back. */
  readonly taxesDue: Cents;
  /** The rest of the refunds by liable party, as far as it has not paid: debits. */
  readonly costsDue: readonly LedgerLine[];
  /** What refunds took from `taxes-payable` and from the liable parties so far: debits. */
  readonly paid: readonly LedgerLine[];
};

export const sum = (lines: readonly LedgerLine[]): Cents => lines.reduce((total, { amount }) => total + amount, 0);
export const isSameSide = (a: LedgerLine, b: LedgerLine) => a.account === b.account && a.party === b.party;

const LIABLE_ACCOUNTS = { platform: 'refund-costs', scrub: 'scrub', duber: 'duber', nobody: 'unearned' } as const;
export const liableSide = ({ liable, liableUser }: Pick<OrderRefund, 'liable' | 'liableUser'>, amount: Cents) =>
  debit(LIABLE_ACCOUNTS[liable], amount, liableUser);

/** Adds up the lines of each account and party. */
export function addUp(lines: readonly LedgerLine[]): LedgerLine[] {
  const sides: LedgerLine[] = [];
  for (const line of lines) {
    const index = sides.findIndex((side) => isSameSide(side, line));
    const { account, party, amount } = line;
    const total = (sides[index]?.amount ?? 0) + amount;
    sides.splice(index === -1 ? sides.length : index, 1, { account, party, amount: total });
  }
  return sides;
}

const PAYING_ACCOUNTS = ['taxes-payable', 'refund-costs', 'scrub', 'duber'];

/**
 * Debits of refunds, and of credits that refunds have cut, less what was given back. A sum is negative when somebody was given
 * back more than they paid.
 */
function findPaid({ lines }: OrderLedger): LedgerLine[] {
  const paid: LedgerLine[] = [];
  for (const line of lines.filter(({ account }) => PAYING_ACCOUNTS.includes(account))) {
    const before = sum(paid.filter((side) => isSameSide(side, line)));
    paid.push({ ...line, amount: paidBy(line, before) });
  }
  return dropZeroLines(addUp(paid));
}

/** What a line adds to what its side has paid for refunds before. */
function paidBy({ kind, amount }: OrderLedger['lines'][number], before: Cents): Cents {
  // It takes an earning back: its debits are earnings that end, and its credits give back what was cut from them.
  if (kind === 'corrected') return Math.min(0, amount);
  // What an adjustment credits beyond what was paid are earnings.
  if (kind === 'adjusted') return Math.max(amount, -Math.max(0, before));
  return Math.max(0, amount);
}

/** What the taxes and each liable party pay for refunds in the end: debits. */
export const sharesOf = (refunds: readonly OrderRefund[]): LedgerLine[] =>
  addUp(
    refunds
      .filter(({ liable }) => liable !== 'nobody')
      .flatMap((refund) => [
        debit('taxes-payable', refund.taxes),
        liableSide(refund, refund.amount - refund.taxes - refund.forgiven),
        ...(refund.forgiven > 0 ? [debit('refund-costs', refund.forgiven)] : []),
      ]),
  );

export const totalOf = (refunds: readonly OrderRefund[]): Cents =>
  refunds.reduce((cents, { amount }) => cents + amount, 0);

export function balanceOf(ledger: OrderLedger): OrderBalance {
  const { captured, lines, refunds } = ledger;
  const creditIn = (account: string) => 0 - sum(lines.filter((line) => line.account === account));
  const paid = findPaid(ledger);
  const due = addUp([...sharesOf(refunds), ...reversalOf(paid)]);
  const unearned = creditIn('unearned');
  return {
    unearned,
    free: unearned - totalOf(refunds.filter(({ isMade }) => !isMade)),
    taxes: creditIn('taxes-payable'),
    isRefunded: captured > 0 && totalOf(refunds.filter(({ liable }) => liable !== 'nobody')) >= captured,
    taxesDue: sum(due.filter(({ account }) => account === 'taxes-payable')),
    costsDue: due.filter(({ account, amount }) => account !== 'taxes-payable' && amount > 0),
    paid,
  };
}

/** Who pays what `unearned` does not cover: the taxes in the refunds, as far as they were credited, and the liable parties. */
export function linesOfShortfall(missing: Cents, { taxes, taxesDue, costsDue }: OrderBalance): LedgerLine[] {
  const fromTaxes = Math.max(0, Math.min(missing, taxesDue, taxes));
  const lines = [debit('taxes-payable', fromTaxes)];
  let left = missing - fromTaxes;
  for (const due of costsDue) {
    const amount = Math.min(left, due.amount);
    lines.push({ ...due, amount });
    left -= amount;
  }
  return dropZeroLines([...lines, debit('refund-costs', left)]);
}

/**
 * What people, the platform and the state earn of an order that has refunds. `unearned` pays as much as it has, and the
 * liable parties pay what refunds have taken from it. Nobody earns anything of an order that is refunded as a whole.
 */
export function linesOfCutEarning(credits: readonly LedgerLine[], balance: OrderBalance): LedgerLine[] {
  if (balance.isRefunded) return [];
  const earned = -sum(credits);
  const covered = Math.min(earned, Math.max(0, balance.free));
  const taxes = balance.taxes - sum(credits.filter(({ account }) => account === 'taxes-payable'));
  return dropZeroLines([
    debit('unearned', covered),
    ...credits,
    ...linesOfShortfall(earned - covered, { ...balance, taxes }),
  ]);
}

/** Money went back: what nobody has earned yet first, then the taxes in it, then the liable party's. */
export function linesOfRefund(
  refund: Omit<OrderRefund, 'isMade' | 'forgiven'> & { readonly budId: string },
  balance: OrderBalance,
): LedgerLine[] {
  const { budId, amount, discount } = refund;
  const fromUnearned = Math.min(amount, Math.max(0, balance.unearned));
  const own = liableSide(refund, 0);
  const costsDue = balance.costsDue.toSorted((a, b) => Number(isSameSide(b, own)) - Number(isSameSide(a, own)));
  return dropZeroLines([
    debit('unearned', fromUnearned),
    ...linesOfShortfall(amount - fromUnearned, { ...balance, costsDue }),
    credit('card-clearing', amount - discount, budId),
    credit('promotions', discount),
  ]);
}
