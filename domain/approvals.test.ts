import { expect, test } from 'vitest';
import { consentFor, isAboveLimits } from './approvals.ts';

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
  expect(isAboveLimits(cents, soFar, LIMITS)).toBe(needed);
});

test.each([
  // Of several operators another one approves, whatever the rule for one says.
  [false, undefined, true, 'approval'],
  [false, 'at-once', false, 'approval'],
  [false, 'waits-after-first-order', false, 'approval'],
  [true, undefined, true, 'code-and-mail'],
  [true, 'at-once', true, 'code-and-mail'],
  [true, 'waits', false, 'approval'],
  [true, 'waits-after-first-order', false, 'code-and-mail'],
  [true, 'waits-after-first-order', true, 'approval'],
] as const)(
  'an act that needs approval, alone: %s, rule %s, orders: %s, takes %s',
  (runsAlone, alone, hasOrders, consent) => {
    expect(consentFor({ needsApproval: true, runsAlone, alone, hasOrders })).toBe(consent);
    expect(consentFor({ needsApproval: false, runsAlone, alone, hasOrders })).toBe('none');
  },
);
