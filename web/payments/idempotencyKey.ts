/** One try to place one order: the Idempotency-Key, and a print of the order it stands for. */
export type OrderAttempt = { readonly key: string; readonly order: string };

/** What an order is, as far as its key is concerned: card tokens are used once, so they are no part of it. */
function orderFingerprint(order: object): string {
  const entries = Object.entries(order).filter(([name, value]) => !CARD_FIELDS.has(name) && value !== undefined);
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const CARD_FIELDS: ReadonlySet<string> = new Set(['paymentSourceId', 'verificationToken']);

/** The attempt to go on with: the last one while the order is the same, a new one otherwise. */
export function continueAttempt(last: OrderAttempt | undefined, order: object, newKey: () => string): OrderAttempt {
  const print = orderFingerprint(order);
  return last?.order === print ? last : { key: newKey(), order: print };
}

/**
 * Whether a failure is the last word on its attempt, so that the next try needs a new key.
 * Silence, a broken answer, a dead session and "too many" are not: an order may already stand under that key.
 */
export function isFinalFailure(statusCode: number | undefined): boolean {
  return statusCode === 400 || statusCode === 402 || statusCode === 404 || statusCode === 409;
}

/** Reads a kept attempt, or undefined where there is none to read. */
export function parseAttempt(kept: string | null): OrderAttempt | undefined {
  try {
    const { key, order } = JSON.parse(kept ?? 'null') as Record<string, unknown>;
    return typeof key === 'string' && typeof order === 'string' ? { key, order } : undefined;
  } catch {
    return undefined;
  }
}
