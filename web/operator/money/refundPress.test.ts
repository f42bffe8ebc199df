import { expect, test } from 'vitest';
import { CallFailed, Unreachable } from '../../../contract/callClient.ts';
import type { Failure } from '../../../contract/failures.ts';
import { isPressedAgain, isSettled, pressToSend } from './refundPress.ts';

const FIRST = { amount: 5, liable: 'platform', left: 26.83 } as const;
const refused = (statusCode: number, code: Failure) =>
  new CallFailed(statusCode, { statusCode, error: '', message: '', code }, new Headers());

test('a refund whose answer was lost is pressed again with what was left before it', () => {
  expect(pressToSend(undefined, FIRST)).toBe(FIRST);
  const again = { ...FIRST, left: 21.83 };
  expect([isPressedAgain(FIRST, again), pressToSend(FIRST, again)]).toEqual([true, FIRST]);
});

test('a refund of something else is sent with what is left now', () => {
  for (const change of [{ amount: 6 }, { liable: 'scrub' }, { deliveryId: 'a-delivery' }] as const) {
    const other = { ...FIRST, ...change, left: 21.83 };
    expect([isPressedAgain(FIRST, other), pressToSend(FIRST, other)]).toEqual([false, other]);
  }
});

test('only an answer of the server settles what became of a refund: it was refused, or the first one was made', () => {
  for (const code of ['refundedSince', 'wrongStatus', 'keyReused'] as const)
    expect(isSettled(refused(409, code))).toBe(true);
  for (const error of [new Unreachable(undefined), refused(500, 'broken')]) expect(isSettled(error)).toBe(false);
});
