import { expect, test } from 'vitest';
import { describeLastRuns } from './lastNight.ts';

const ran = (date: string, passed = true) => ({ date, seconds: 60, passed });

test('the night says when its steps ran last, which of them failed, and which have not run yet', () => {
  expect(describeLastRuns(['a', 'b'], {})).toBe('None of the 2 steps has run yet.');
  expect(describeLastRuns(['a'], { a: ran('2026-11-29') })).toBe('1 of 1 steps ran last on 2026-11-29.');
  const runs = { a: ran('2026-11-20'), b: ran('2026-11-29', false), gone: ran('2026-01-01') };
  expect(describeLastRuns(['a', 'b', 'c'], runs).split('\n')).toEqual([
    '2 of 3 steps ran last between 2026-11-20 and 2026-11-29.',
    'Failed: b (2026-11-29).',
    'Have not run yet: c.',
  ]);
});
