import { credit, debit, dropZeroLines, type LedgerLine, linesOfEarning, reversalOf } from './ledger.ts';
import {
  addUp,
  balanceOf,
  isSameSide,
  liableSide,
  linesOfShortfall,
  type OrderBalance,
  type OrderLedger,
  sharesOf,
  sum,
  totalOf,
} from './orderBalance.ts';

/**
 * The correction of an order whose ledger breaks the rules of orderBalance.ts; none when nothing is wrong. `expected` are the
 * credits of everything that was earned once the order has ended, undefined before. What goes wrong: earlier releases did
 * not take refunds from `unearned` first and paid out what was refunded, and a refund that was dropped in the end has kept
 * somebody from earning, or has made somebody pay.
 */
export function linesOfAdjustment(ledger: OrderLedger, expected: readonly LedgerLine[] | undefined): LedgerLine[] {
  const balance = balanceOf(ledger);
  const isDone = expected && ledger.captured > 0 && ledger.refunds.every(({ isMade }) => isMade);
  if (isDone && !balance.isRefunded && !isWhollyReturned(ledger, expected))
    return linesOfEarning(findMissing(ledger, expected));
  if (ledger.captured > 0 && balance.unearned < 0)
    return [credit('unearned', -balance.unearned), ...linesOfShortfall(-balance.unearned, balance)];
  return [
    ...linesOfRepayment(ledger),
    ...findGains(ledger).flatMap(({ account, party, amount }) => [
      debit(account, -amount, party),
      credit(account, -amount, party),
    ]),
  ];
}

/**
 * Whether all that was captured went back, and refunds asked their liable parties for more than was earned: the rest of them is what
 * nobody has earned, which goes back anyway.
 */
function isWhollyReturned({ captured, refunds }: OrderLedger, expected: readonly LedgerLine[]): boolean {
  const borne = totalOf(refunds.filter(({ liable }) => liable !== 'nobody'));
  return totalOf(refunds) >= captured && borne > -sum(expected);
}

/** What paid for the order, and waits to be earned. */
const PAID_IN = ['card-clearing', 'promotions', 'unearned'];

/**
 * What each side has too little or too much, compared with what it earned less its shares of the refunds. First what it
 * should have earned, then its share: so what it paid for refunds can still be read from the lines.
 */
function findMissing({ lines, refunds }: OrderLedger, expected: readonly LedgerLine[]): LedgerLine[] {
  const actual = lines.filter(({ account }) => !PAID_IN.includes(account));
  const shares = sharesOf(refunds);
  const wrong = dropZeroLines(addUp([...expected, ...shares, ...reversalOf(actual)]));
  return dropZeroLines(
    wrong.flatMap((side) => {
      const share = sum(shares.filter((line) => isSameSide(line, side)));
      return [
        { ...side, amount: side.amount - share },
        { ...side, amount: share },
      ];
    }),
  );
}

/**
 * The lines that return what a liable party has paid beyond its share after a part of its refund was forgiven. The platform pays
 * it.
 */
export function linesOfForgiveness(ledger: OrderLedger, refund: Parameters<typeof liableSide>[0]): LedgerLine[] {
  const own = liableSide(refund, 0);
  const isOwn = (line: LedgerLine) => isSameSide(line, own);
  const beyond = sum(balanceOf(ledger).paid.filter(isOwn)) - sum(sharesOf(ledger.refunds).filter(isOwn));
  if (beyond <= 0) return [];
  return [debit('refund-costs', beyond), { ...own, amount: -beyond }];
}

/**
 * The lines that return to those who paid for refunds what is free of `unearned`, and take back what somebody was given back
 * twice.
 */
export const linesOfRepayment = (ledger: OrderLedger): LedgerLine[] =>
  linesOfEarning(findRepayments(ledger, balanceOf(ledger)));

/** The free part of `unearned` goes to those who paid, first to those who paid more than their shares of the refunds. */
function findRepayments({ refunds }: OrderLedger, { free, paid }: OrderBalance): LedgerLine[] {
  const shares = sharesOf(refunds);
  const beyond = paid.map((side) => {
    const share = sum(shares.filter((line) => isSameSide(line, side)));
    return { ...side, amount: Math.max(Math.min(0, side.amount), side.amount - share) };
  });
  let left = Math.max(0, free);
  const repaid = [...beyond, ...addUp([...paid, ...reversalOf(beyond)])].map((side) => {
    const amount = Math.min(left, side.amount);
    left -= amount;
    return { ...side, amount: -amount };
  });
  return dropZeroLines(addUp(repaid));
}

/** What people earned although everything was refunded before, and no adjustment has allowed. */
function findGains({ captured, lines }: OrderLedger): LedgerLine[] {
  const lastRefund = lines.findLastIndex(({ kind }) => kind === 'refunded');
  const cards = sum(lines.filter(({ account }) => account === 'card-clearing'));
  if (captured === 0 || cards !== 0 || lastRefund === -1) return [];
  const later = lines.slice(lastRefund + 1).filter(({ account }) => account === 'scrub' || account === 'duber');
  // What a `corrected` entry credits gives back a share of a refund, and is not earned.
  const isGain = ({ kind, amount }: (typeof later)[number]) =>
    kind === 'adjusted' ? amount > 0 : kind !== 'corrected' && amount < 0;
  const gained = later.filter(isGain);
  return addUp(gained).filter(({ amount }) => amount < 0);
}
