import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { openJournal } from '../journal.ts';
import type { Outcome } from './testCards.ts';
import { type Answer, type CardFacts, type Payment, type Refund, refuse } from './types.ts';

// A card that the form in the browser turned into a token. Nothing here leads back to its number.
export type Token = {
  id: string;
  card: CardFacts;
  outcome: Outcome;
  expires_at: string;
  used: boolean;
};

type Given = { key: string; fingerprint: string; answer: Answer };

// One line of the journal: everything that one act changed, so that no crash can keep half of it.
export type Change = {
  at: string;
  what: string;
  payment?: Payment;
  refund?: Refund;
  token?: Token;
  given?: Given;
  freedKey?: string;
};

export type Books = {
  payments: Map<string, Payment>;
  refunds: Map<string, Refund>;
  tokens: Map<string, Token>;
  given: Map<string, Given>;
  paymentByKey: Map<string, string>;
  history: Map<string, { at: string; what: string }[]>;
  // Changes the books at once; `settled` tells when the change is on the disk.
  write(change: Change): void;
  settled(): Promise<void>;
  close(): Promise<void>;
};

export async function openBooks(dataDir: string, tell: (change: Change) => void = () => {}): Promise<Books> {
  const journal = await openJournal<Change>(join(dataDir, 'sandbox', 'square.jsonl'));
  const books: Books = {
    payments: new Map(),
    refunds: new Map(),
    tokens: new Map(),
    given: new Map(),
    paymentByKey: new Map(),
    history: new Map(),
    write(change) {
      apply(books, change);
      // Whoever is waiting for an answer hears of a full disk through settled().
      journal.append(change).then(
        () => tell(change),
        () => undefined,
      );
    },
    settled: () => journal.settled(),
    close: () => journal.close(),
  };
  for (const change of journal.entries) apply(books, change);
  return books;
}

function apply(books: Books, { at, what, payment, refund, token, given, freedKey }: Change): void {
  if (token) books.tokens.set(token.id, token);
  if (refund) books.refunds.set(refund.id, refund);
  if (given) books.given.set(given.key, given);
  if (payment) {
    books.payments.set(payment.id, payment);
    books.history.set(payment.id, [...(books.history.get(payment.id) ?? []), { at, what }]);
    if (given && !books.paymentByKey.has(given.key)) books.paymentByKey.set(given.key, payment.id);
  }
  if (freedKey) {
    books.given.delete(freedKey);
    books.paymentByKey.delete(freedKey);
  }
}

// The same key and body get the same answer again; the key with another body is refused.
export function findGiven(books: Books, key: string, fingerprint: string): Answer | undefined {
  const given = books.given.get(key);
  if (!given) return undefined;
  if (given.fingerprint === fingerprint) return given.answer;
  throw refuse(
    'IDEMPOTENCY_KEY_REUSED',
    'Different request parameters used for the same idempotency_key: the key was already used for another request.',
    'idempotency_key',
  );
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newId(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
