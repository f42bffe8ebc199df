import { expect, test } from 'vitest';
import { describeCost, describeTerms, describeTimes, stateOf } from './promoTexts.ts';

const TERMS = {
  kind: 'percent',
  value: 20,
  maxDiscount: 5,
  minTotal: 20,
  firstOrderOnly: true,
  maxUses: 100,
  maxUsesPerBud: 1,
} as const;

test('the terms of a code are said in plain words', () => {
  expect(describeTerms(TERMS)).toBe(
    '20 % off, at most $5.00. For orders of $20.00 or more. First orders only. 100 uses in all. 1 for each Bud.',
  );
  const none = { maxDiscount: null, minTotal: 0, firstOrderOnly: false, maxUses: null, maxUsesPerBud: null };
  expect(describeTerms({ ...none, kind: 'amount', value: 5 })).toBe('$5.00 off.');
});

test('a code says the days of the town on which it can be used', () => {
  const times = { startsAt: '2026-11-30T19:00:00.000Z', endsAt: '2026-12-31T19:00:00.000Z', endedAt: null };
  const said = describeTimes(times, 'Asia/Karachi').replaceAll('\u00a0', ' ');
  expect(said).toBe('From 01 Dec 2026 to the end of 31 Dec 2026');
});

test('a code says whether it is active, and why not', () => {
  const now = new Date('2026-11-25T12:00:00Z');
  const [before, after] = ['2026-11-25T11:00:00.000Z', '2026-11-25T13:00:00.000Z'];
  const code = { startsAt: before, endsAt: after, endedAt: null, uses: 2, maxUses: 3 };
  expect(stateOf(code, now)).toBe('active');
  expect(stateOf({ ...code, startsAt: after }, now)).toBe('later');
  expect(stateOf({ ...code, uses: 3 }, now)).toBe('used-up');
  expect(stateOf({ ...code, endsAt: before }, now)).toBe('over');
  expect(stateOf({ ...code, endedAt: before, endsAt: before }, now)).toBe('ended');
});

test('a code says what it has cost, and what it can cost in the end', () => {
  expect(describeCost({ uses: 1, cost: 5, atMost: 50 })).toBe('1 use, $5.00 so far of at most $50.00');
  expect(describeCost({ uses: 3, cost: 12, atMost: null })).toBe('3 uses, $12.00 so far without a limit');
});
