import { describe, expect, test } from 'vitest';
import { caseNumber, contestableUntil, parseCaseNumber } from './cases.ts';
import {
  ageText,
  type ClaimItem,
  findCapProblem,
  isClaimInTime,
  maxForItem,
  needsPhoto,
  openingOfClaim,
  percentAtAge,
} from './claims.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const CAPS = { garment: 5_000, order: 30_000 };
const SHIRT: ClaimItem = { what: 'Shirt', kind: 'stained', worth: 4_000, ageMonths: 2, asked: 4_000 };

test('the week counts from the end of another report that opened in it, and not of one that came later', () => {
  const day = (count: number) => ago(-count * DAY_MS);
  const until = (...reports: readonly (readonly [opened: number, ended: number | null])[]) => {
    const others = reports.map(([opened, ended]) => ({
      openedAt: day(opened),
      endedAt: ended === null ? null : day(ended),
    }));
    return (contestableUntil(NOW, others) - NOW.getTime()) / DAY_MS;
  };
  expect(until()).toBe(7);
  expect(until([-3, -1])).toBe(7);
  expect(until([1, 2])).toBe(9);
  expect(until([1, null])).toBe(Number.POSITIVE_INFINITY);
  expect(until([7, 8])).toBe(7);
  expect(until([7, null])).toBe(7);
  // It opened again while the days counted from its first end.
  expect(until([6, 10], [16, 20])).toBe(27);
  expect(until([6, 10], [17, 20])).toBe(17);
});

test('the number of a case is read as people write it', () => {
  expect(caseNumber(207)).toBe('C-207');
  expect([parseCaseNumber('C-207'), parseCaseNumber(' c-207 ')]).toEqual([207, 207]);
  for (const text of ['207', 'C-0', 'C-', 'C-1x', 'R-207']) expect(parseCaseNumber(text), text).toBeUndefined();
});

describe('the rules of a claim', () => {
  test.each([
    [0, 100],
    [3, 100],
    [4, 60],
    [12, 60],
    [13, 40],
    [24, 40],
    [25, 20],
    [600, 20],
  ])('what is %i months old is still worth %i percent', (months, percent) => {
    expect(percentAtAge(months)).toBe(percent);
  });

  test('an item is worth its value by age, and never more than the cap of a garment', () => {
    expect(maxForItem({ worth: 4_000, ageMonths: 6 }, CAPS)).toBe(2_400);
    expect(maxForItem({ worth: 40_000, ageMonths: 1 }, CAPS)).toBe(5_000);
    expect(maxForItem({ worth: 99, ageMonths: 6 }, CAPS)).toBe(59);
  });

  test('an item above its value and a claim above the cap of an order are found', () => {
    expect(findCapProblem([SHIRT], CAPS)).toBeUndefined();
    expect(findCapProblem([SHIRT, { ...SHIRT, asked: 4_001 }], CAPS)).toEqual({
      why: 'item-above-cap',
      index: 1,
      most: 4_000,
    });
    const coats = Array<ClaimItem>(6).fill({ ...SHIRT, worth: 9_000, asked: 5_000 });
    expect(findCapProblem(coats, CAPS)).toBeUndefined();
    expect(findCapProblem(coats, CAPS, 1)).toEqual({ why: 'order-above-cap', most: 29_999 });
  });

  test('a photo shows damage, stains and water', () => {
    expect((['damaged', 'stained', 'wet'] as const).map((kind) => needsPhoto([{ kind }]))).toEqual([true, true, true]);
    expect(needsPhoto([{ kind: 'missing' }, { kind: 'late' }, { kind: 'smell' }])).toBe(false);
    expect(needsPhoto([{ kind: 'missing' }, { kind: 'wet' }])).toBe(true);
  });

  test('a claim is made within 48 hours, and one about missing things alone within 7 days', () => {
    const isInTime = (kinds: readonly ClaimItem['kind'][], hours: number) =>
      isClaimInTime(
        kinds.map((kind) => ({ kind })),
        { deliveredAt: ago(hours * HOUR_MS), now: NOW },
      );
    expect([isInTime(['wet'], 48), isInTime(['wet'], 48.01)]).toEqual([true, false]);
    expect([isInTime(['missing'], 168), isInTime(['missing'], 168.01)]).toEqual([true, false]);
    expect(isInTime(['missing', 'wet'], 49)).toBe(false);
  });

  test('the Scrub is asked first, the Duber about the way, and the town about a third claim in 90 days', () => {
    const open = (kind: ClaimItem['kind'], recentClaims = 0, hasDuber = true) =>
      openingOfClaim([{ kind }], { recentClaims, hasDuber }).to;
    expect([open('stained'), open('late'), open('wrong-bag')]).toEqual(['with-scrub', 'with-duber', 'with-duber']);
    expect(open('late', 0, false)).toBe('with-scrub');
    expect([open('stained', 1), open('stained', 2)]).toEqual(['with-scrub', 'with-town']);
  });
});

test('an age is said in months, and one month is one', () => {
  expect([0, 1, 2].map(ageText)).toEqual(['0 months old', '1 month old', '2 months old']);
});
