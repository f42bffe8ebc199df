import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { openJournal } from '../journal.ts';
import {
  type ApiResponse,
  type Card,
  type CardOnFile,
  type ChargeOutcome,
  type Customer,
  type Dispute,
  type Evidence,
  type Payment,
  type Refund,
  refuse,
} from './types.ts';

/** A card that the browser's form turned into a token. The card number cannot be recovered from it. */
export type CardToken = {
  id: string;
  card: Card;
  outcome: ChargeOutcome;
  expires_at: string;
  used: boolean;
};

type StoredAnswer = { key: string; fingerprint: string; answer: ApiResponse };

/** One line of the journal: everything that one request changed, so that a crash cannot keep half of it. */
export type Change = {
  at: string;
  what: string;
  payment?: Payment;
  refund?: Refund;
  dispute?: Dispute;
  isNewDispute?: true;
  evidence?: Evidence;
  token?: CardToken;
  customer?: Customer;
  cardOnFile?: CardOnFile;
  given?: StoredAnswer;
  freedKey?: string;
};

export type SquareStore = {
  payments: Map<string, Payment>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  evidence: Map<string, Evidence>;
  tokens: Map<string, CardToken>;
  customers: Map<string, Customer>;
  cards: Map<string, CardOnFile>;
  answersByKey: Map<string, StoredAnswer>;
  paymentByKey: Map<string, string>;
  history: Map<string, { at: string; what: string }[]>;
  // Applies the change at once; `settled` resolves when it is on disk.
  write(change: Change): void;
  whenFlushed(): Promise<void>;
  close(): Promise<void>;
};

export async function openSquareStore(
  dataDir: string,
  tell: (change: Change) => void = () => {},
): Promise<SquareStore> {
  const journal = await openJournal<Change>(join(dataDir, 'sandbox', 'square.jsonl'));
  const store: SquareStore = {
    payments: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    evidence: new Map(),
    tokens: new Map(),
    customers: new Map(),
    cards: new Map(),
    answersByKey: new Map(),
    paymentByKey: new Map(),
    history: new Map(),
    write(change) {
      applyChange(store, change);
      // Callers learn of a failed write through settled().
      journal.append(change).then(
        () => tell(change),
        () => undefined,
      );
    },
    whenFlushed: () => journal.whenFlushed(),
    close: () => journal.close(),
  };
  for (const change of journal.entries) applyChange(store, change);
  return store;
}

function applyChange(store: SquareStore, change: Change): void {
  const { at, what, payment, refund, dispute, evidence, token, customer, cardOnFile, given, freedKey } = change;
  if (token) store.tokens.set(token.id, token);
  if (customer) store.customers.set(customer.id, customer);
  if (cardOnFile) store.cards.set(cardOnFile.id, cardOnFile);
  if (refund) store.refunds.set(refund.id, refund);
  if (dispute) {
    store.disputes.set(dispute.id, dispute);
    addToHistory(store, dispute.disputed_payment.payment_id, { at, what });
  }
  if (evidence) store.evidence.set(evidence.id, evidence);
  if (given) store.answersByKey.set(given.key, given);
  if (payment) {
    store.payments.set(payment.id, payment);
    addToHistory(store, payment.id, { at, what });
    if (given && !store.paymentByKey.has(given.key)) store.paymentByKey.set(given.key, payment.id);
  }
  if (freedKey) {
    store.answersByKey.delete(freedKey);
    store.paymentByKey.delete(freedKey);
  }
}

function addToHistory(store: SquareStore, paymentId: string, event: { at: string; what: string }): void {
  store.history.set(paymentId, [...(store.history.get(paymentId) ?? []), event]);
}

/** The same key and body return the same answer; the same key with another body is refused. */
export function findStoredAnswer(store: SquareStore, key: string, fingerprint: string): ApiResponse | undefined {
  const given = store.answersByKey.get(key);
  if (!given) return undefined;
  if (given.fingerprint === fingerprint) return given.answer;
  throw refuse(
    'IDEMPOTENCY_KEY_REUSED',
    'Different request parameters used for the same idempotency_key: the key was already used for another request.',
    'idempotency_key',
  );
}

const ID_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newId(length: number): string {
  return Array.from({ length }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');
}
