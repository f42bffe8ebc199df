import { expect, test } from 'vitest';
import { compareLife, findDifferences } from './compareLives.ts';
import { type RecordedLife, recordLives } from './recordLife.ts';
import { createTown } from './town.ts';

const SEEDS = [1, 2];

async function recordAll(): Promise<RecordedLife[]> {
  const lives: RecordedLife[] = [];
  for await (const life of recordLives(await createTown(), SEEDS)) lives.push(life);
  return lives;
}

test('two recordings of the same lives by the same build are equal', async () => {
  const [first, second] = [await recordAll(), await recordAll()];
  expect(first.map(({ seed }) => seed)).toEqual(SEEDS);
  for (const [index, life] of first.entries()) {
    expect(life.lines.some((line) => line.startsWith('mail to '))).toBe(true);
    expect(life.lines.filter((line) => /^(?:the life ended|trouble)/.test(line))).toEqual([]);
    expect(compareLife(life, second[index] as RecordedLife)).toEqual([]);
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
  expect(findDifferences(['one', 'two', 'three', 'two'], ['one', 'three', 'two'])).toEqual([
    { before: ['two'], after: [] },
  ]);
});
