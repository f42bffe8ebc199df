import { describe, expect, test } from 'vitest';
import { continueAttempt, isFinalFailure, type OrderAttempt, parseAttempt } from './idempotencyKey.ts';

const order = { budAddressId: 'a1', scrubId: 's1', loadSize: 'Small', selfDelivery: false, selfPickup: false };
let keyCount = 0;
const newKey = () => `key-${++keyCount}`;

describe('the idempotency key', () => {
  test('stays the same while the order is the same, with any card, saved or not', () => {
    const first = continueAttempt(
      undefined,
      { ...order, paymentSourceId: 'cnon:one', verificationToken: 'v1', saveCard: true },
      newKey,
    );
    const again = continueAttempt(first, { ...order, paymentSourceId: 'cnon:two' }, newKey);
    expect(again).toBe(first);
  });

  test('ignores the order of properties and undefined ones', () => {
    const first = continueAttempt(undefined, { ...order, orderInstructions: undefined }, newKey);
    expect(continueAttempt(first, Object.fromEntries(Object.entries(order).reverse()), newKey)).toBe(first);
  });

  test('is new for a changed order', () => {
    const first = continueAttempt(undefined, order, newKey);
    const changed = continueAttempt(first, { ...order, loadSize: 'Large' }, newKey);
    expect(changed.key).not.toBe(first.key);
  });

  test('is used up by a refusal, and kept after no answer, a server error, an expired session and a 429', () => {
    for (const status of [400, 402, 404, 409]) expect(isFinalFailure(status)).toBe(true);
    for (const status of [undefined, 401, 429, 500, 502, 503]) expect(isFinalFailure(status)).toBe(false);
  });

  test('survives a refresh', () => {
    const attempt: OrderAttempt = continueAttempt(undefined, order, newKey);
    expect(parseAttempt(JSON.stringify(attempt))).toEqual(attempt);
    for (const kept of [null, '', '{', 'null', '{"key":1}']) expect(parseAttempt(kept)).toBeUndefined();
  });
});
