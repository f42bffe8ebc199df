import { describe, expect, test } from 'vitest';
import { ROLES } from './accounts.ts';
import { DELIVERY_STATUSES } from './deliveries.ts';
import { ORDER_STATUSES } from './orders.ts';
import { findReviewRule, mayReview, REVIEW_TYPES } from './reviews.ts';

// spec 4.3
const EXPECTED_RULES: Record<string, readonly [type: string, once: string]> = {
  'Bud of Scrub': ['Bud_To_Scrub', 'Completed'],
  'Scrub of Bud': ['Scrub_To_Bud', 'Completed'],
  'Bud of Duber': ['Bud_To_Duber', 'Delivered'],
  'Scrub of Duber': ['Scrub_To_Duber', 'Delivered'],
};

const pairs = ROLES.flatMap((by) => ROLES.map((of) => ({ by, of })));

describe.each(pairs)('a review by a $by of a $of', ({ by, of }) => {
  const [type, once] = EXPECTED_RULES[`${by} of ${of}`] ?? [];

  test('has the type and the subject that the specification says', () => {
    expect(findReviewRule(by, of)?.type).toBe(type);
    expect(findReviewRule(by, of)?.about).toBe(type && (of === 'Duber' ? 'delivery' : 'order'));
  });

  test.each([...new Set([...ORDER_STATUSES, ...DELIVERY_STATUSES])])(
    'is allowed at %s only if the specification says so',
    (status) => {
      expect(mayReview(by, of, { status, reviews: [] })).toBe(type !== undefined && status === once);
    },
  );

  test('is allowed once, whatever reviews of other types exist', () => {
    if (!type || !once) return;
    for (const there of REVIEW_TYPES) {
      expect(mayReview(by, of, { status: once, reviews: [{ type: there }] })).toBe(there !== type);
    }
  });
});
