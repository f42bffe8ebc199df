import type { EntryKind, LedgerLine } from './ledger.ts';

/** What an entry does with somebody's money: they earn some, lose some of what they have earned, or their card is concerned. */
export const MONEY_MOVES = ['earns', 'loses', 'card'] as const;
export type MoneyMove = (typeof MONEY_MOVES)[number];

/**
 * How a person learns of it: by a notice `money`; by the notice of the week's payout, when it is for their own work; by the notice
 * that an order was accepted, unless its laundry is weighed first; by a mail of an operator; or it is their own doing at their bank.
 */
export type MoneyTelling = 'money' | 'payout' | 'accepted' | 'operator-mail' | 'own-bank';

type Tellings = Readonly<Partial<Record<MoneyMove, MoneyTelling>>>;
const OF_WORK: Tellings = { earns: 'payout', loses: 'money' };

/** A move that is missing does not happen in an entry of the kind, or moves nothing between people. */
export const MONEY_TELLINGS: Readonly<Record<EntryKind, Tellings>> = {
  captured: { card: 'accepted' },
  completed: OF_WORK,
  delivered: OF_WORK,
  trip: OF_WORK,
  returned: OF_WORK,
  relayed: OF_WORK,
  corrected: { earns: 'money', loses: 'money' },
  // Moves a part of a person's credit to a line of its own.
  held: {},
  refunded: { loses: 'money', card: 'money' },
  adjusted: { earns: 'money', loses: 'money', card: 'money' },
  'paid-out': { loses: 'payout' },
  'payout-returned': { earns: 'operator-mail' },
  // The card network keeps it from what the platform gets.
  'card-fee': {},
  disputed: { card: 'own-bank' },
  'dispute-won': { card: 'own-bank' },
  'dispute-lost': { loses: 'money' },
};

/** What a line of the ledger does with the money of its party; undefined when that is nobody's. */
export function moveOf({ account, party, amount }: LedgerLine): MoneyMove | undefined {
  if (party === null) return undefined;
  if (account === 'card-clearing') return 'card';
  if (account === 'scrub' || account === 'duber') return amount > 0 ? 'loses' : 'earns';
  return undefined;
}

/** The people who get a notice `money` about an entry. */
export function peopleToNotify(kind: EntryKind, lines: readonly LedgerLine[]): string[] {
  const notified = lines.filter((line) => {
    const move = moveOf(line);
    return move !== undefined && MONEY_TELLINGS[kind][move] === 'money';
  });
  return [...new Set(notified.flatMap(({ party }) => party ?? []))];
}
