import { expect, test } from 'vitest';
import { needsApproval } from './approvals.ts';

const LIMITS = { order: 3_000, day: 15_000 };

test.each([
  [3_000, { order: 0, day: 0 }, false],
  [3_001, { order: 0, day: 0 }, true],
  [1, { order: 3_000, day: 3_000 }, true],
  [500, { order: 2_500, day: 2_500 }, false],
  [2_000, { order: 0, day: 13_000 }, false],
  [2_000, { order: 0, day: 13_001 }, true],
  [1, { order: 0, day: 15_000 }, true],
])('a refund of %i cents after %o needs approval: %s', (cents, soFar, needed) => {
  expect(needsApproval(cents, soFar, LIMITS)).toBe(needed);
});
