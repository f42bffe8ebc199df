import { expect, test } from 'vitest';
import { compareLife, findDifferences } from './compareLives.ts';
import { recordLife } from './recordLife.ts';
import { createTown } from './town.ts';

/** Short lives. */
const SEEDS = [1, 10];
/** Stops a test that hangs on a very busy machine; it measures nothing. */
const timeout = 1_200_000;

test('two recordings of the same lives by the same build are equal', { timeout }, async () => {
  const [town, otherTown] = [await createTown(), await createTown()];
  for (const seed of SEEDS) {
    const first = await recordLife(town, seed);
    expect(first.lines.some((line) => line.startsWith('mail to '))).toBe(true);
    expect(first.lines.filter((line) => line.startsWith('trouble'))).toEqual([]);
    expect(compareLife(first, await recordLife(otherTown, seed))).toEqual([]);
  }
});

test('a changed answer is reported with its life, the call, and what it was before', () => {
  const before = { seed: 7, lines: ['bud readOrder → status "Accepted"', 'mail to bud', 'event'] };
  const after = { ...before, lines: ['bud readOrder → status "Rejected"', 'mail to bud', 'push to bud', 'event'] };
  expect(compareLife(before, after)).toEqual([
    'life 7 differs in 2 places (alone: compare --lives 1 --seed 7)',
    '  - bud readOrder → status "Accepted"',
    '  + bud readOrder → status "Rejected"',
    '',
    '  + push to bud',
    '',
  ]);
});

test('a line that is missing does not make the lines after it different', () => {
  expect(findDifferences(['one', 'two', 'three', 'four'], ['one', 'three', 'four'])).toEqual([
    { before: ['two'], after: [] },
  ]);
});
