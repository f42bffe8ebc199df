import { describe, expect, test } from 'vitest';
import { type Attempt, attemptFor, endsAttempt, readAttempt } from './attempt.ts';

const order = { budAddressId: 'a1', scrubId: 's1', loadSize: 'Small', selfDelivery: false, selfPickup: false };
let made = 0;
const newKey = () => `key-${++made}`;

describe('the key of an attempt', () => {
  test('stays while the order stays, whatever card token it carries', () => {
    const first = attemptFor(undefined, { ...order, paymentSourceId: 'cnon:one', verificationToken: 'v1' }, newKey);
    const again = attemptFor(first, { ...order, paymentSourceId: 'cnon:two' }, newKey);
    expect(again).toBe(first);
  });

  test('does not mind the order of properties nor absent ones', () => {
    const first = attemptFor(undefined, { ...order, orderInstructions: undefined }, newKey);
    expect(attemptFor(first, Object.fromEntries(Object.entries(order).reverse()), newKey)).toBe(first);
  });

  test('is new for a changed order', () => {
    const first = attemptFor(undefined, order, newKey);
    const changed = attemptFor(first, { ...order, loadSize: 'Large' }, newKey);
    expect(changed.key).not.toBe(first.key);
  });

  test('is used up by a refusal, and kept by silence, a broken server, a dead session and a full one', () => {
    for (const status of [400, 402, 404, 409]) expect(endsAttempt(status)).toBe(true);
    for (const status of [undefined, 401, 429, 500, 502, 503]) expect(endsAttempt(status)).toBe(false);
  });

  test('outlives a refresh', () => {
    const attempt: Attempt = attemptFor(undefined, order, newKey);
    expect(readAttempt(JSON.stringify(attempt))).toEqual(attempt);
    for (const kept of [null, '', '{', 'null', '{"key":1}']) expect(readAttempt(kept)).toBeUndefined();
  });
});
