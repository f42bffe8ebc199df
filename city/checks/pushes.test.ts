import { expect, test } from 'vitest';
import { findLostPushes, findUnsentPushes, type StoredPush } from './pushes.ts';

const push = (kind: string, about: string, more: Partial<StoredPush> = {}): StoredPush => ({
  ...{ kind, about, bud: null, isSent: true, tries: 1 },
  ...more,
});

test('a push that was sent and did not come is found, also when another one came twice', () => {
  const stored = [push('accepted', 'a'), push('accepted', 'b')];
  expect(findLostPushes(['accepted-a', 'accepted-b'], stored)).toEqual([]);
  expect(findLostPushes(['accepted-a', 'accepted-a'], stored)).toEqual([
    '"accepted-b" was sent in 1 tries, and came 0 times',
  ]);
});

test('a push that still waits for its next try is not lost', () => {
  expect(findLostPushes([], [push('accepted', 'a', { isSent: false, tries: 3 })])).toEqual([]);
});

test('each of two requests of one Bud is a push of its own', () => {
  const stored = ['a', 'b'].map((about) => push('placed', about, { bud: 'x' }));
  expect(findLostPushes(['placed-x', 'placed-x'], stored)).toEqual([]);
  expect(findLostPushes(['placed-x'], stored)).toHaveLength(1);
});

test('a push about a request that was answered already is one of its Bud too', () => {
  const stored = ['a', 'b'].map((about) => push('placed', about, { bud: 'x' }));
  expect(findLostPushes(['placed-x', 'placed-b'], stored)).toEqual([]);
  expect(findUnsentPushes(['placed-x', 'placed-b'], stored)).toEqual([]);
});

test('a push that came more often than anybody tried to send it is found', () => {
  const came = ['cancelled-a', 'cancelled-a'];
  expect(findUnsentPushes(came, [push('cancelled', 'a', { tries: 2 })])).toEqual([]);
  expect(findUnsentPushes(came, [push('cancelled', 'a')])).toEqual([
    '"cancelled-a" was sent in 1 tries, and came 2 times',
  ]);
});

test('a push that is not stored is found, except where the server deletes it itself', () => {
  expect(findUnsentPushes(['cancelled-a', 'nearby-b'], [])).toEqual(['"cancelled-a" came, and is not stored']);
});
