import { Unreachable } from '../../contract/callClient.ts';

/** One attempt to place an order: the Idempotency-Key, and a fingerprint of the order it belongs to. */
export type OrderAttempt = { readonly key: string; readonly order: string };

/**
 * The fingerprint of an order. Card tokens are used once, and an order that may exist keeps its price and its card: they are not
 * part of it.
 */
function orderFingerprint(order: object): string {
  const entries = Object.entries(order).filter(([name, value]) => !LEFT_OUT.has(name) && value !== undefined);
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const LEFT_OUT: ReadonlySet<string> = new Set(['paymentSourceId', 'verificationToken', 'saveCard', 'shownTotal']);

/** The attempt to use: the last one while the order is the same, otherwise a new one. */
export function continueAttempt(last: OrderAttempt | undefined, order: object, newKey: () => string): OrderAttempt {
  const print = orderFingerprint(order);
  return last?.order === print ? last : { key: newKey(), order: print };
}

/**
 * Whether a failure is final, so that the next attempt needs a new key.
 * No answer, a broken answer, an expired session and a 429 are not: an order may already exist under that key.
 */
export function isFinalFailure(statusCode: number | undefined): boolean {
  return statusCode === 400 || statusCode === 402 || statusCode === 404 || statusCode === 409;
}

/** Reads a stored attempt; undefined when there is none. */
export function parseAttempt(kept: string | null): OrderAttempt | undefined {
  try {
    const { key, order } = JSON.parse(kept ?? 'null') as Record<string, unknown>;
    return typeof key === 'string' && typeof order === 'string' ? { key, order } : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a request with a new key, and once more when no answer came: with the same key it happens only once. */
export async function sendOnce<T>(send: (idempotencyKey: string) => Promise<T>, newKey: () => string): Promise<T> {
  const key = newKey();
  try {
    return await send(key);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return send(key);
  }
}
