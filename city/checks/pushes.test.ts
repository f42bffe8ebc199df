import { expect, test } from 'vitest';
import { findLostPushes, findUnsentPushes, type StoredPush } from './pushes.ts';

const push = (kind: string, about: string, more: Partial<StoredPush> = {}): StoredPush => ({
  ...{ kind, about, bud: null, state: 'sent', tries: 1, failure: null },
  ...more,
});

test('a push that was sent and did not come is found, also when one about something else came twice', () => {
  const stored = [push('accepted', 'a'), push('accepted', 'b')];
  expect(findLostPushes(['accepted-a', 'accepted-b'], stored)).toEqual([]);
  expect(findLostPushes(['accepted-a', 'accepted-a'], stored)).toEqual([
    '"accepted-b" came 0 times, and is stored as sent (tries: 1)',
  ]);
});

test('a push that still waits for its next try is not lost, and one that was given up is', () => {
  expect(findLostPushes([], [push('accepted', 'a', { state: 'due', tries: 3 })])).toEqual([]);
  expect(findLostPushes([], [push('accepted', 'a', { state: 'given-up', failure: 'gone' })])).toEqual([
    '"accepted-a" was given up: gone',
  ]);
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
    '"cancelled-a" came 2 times, and is stored as sent (tries: 1)',
  ]);
});

test('a push that is not stored is found, except where the server deletes it itself', () => {
  expect(findUnsentPushes(['cancelled-a', 'nearby-b'], [])).toEqual(['"cancelled-a" came, and is not stored']);
});
