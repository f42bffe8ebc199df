import { expect, test } from 'vitest';
import { scrubLine } from './scrubLine.ts';

const open = { isActive: true, heldBy: null, pause: undefined };

test('a Scrub reads that Buds can find them only while that is so', () => {
  expect(scrubLine(open)).toBe('Buds near you can find you and send you orders.');
  expect(scrubLine({ ...open, isActive: false })).toBe('You are invisible. Turn on Visibility to get new orders.');
  expect(scrubLine({ ...open, heldBy: 'documents' })).toBe(
    'Buds cannot find you now: your documents are not accepted.',
  );
  const held = 'You get no new orders now. Our email to you says why, and how to answer.';
  for (const isActive of [true, false]) expect(scrubLine({ ...open, isActive, heldBy: 'town' })).toBe(held);
  expect(scrubLine({ ...open, pause: { until: '2026-12-26T08:00:00.000Z' } })).toMatch(
    /^No new orders are taken until 26\/Dec\/26/,
  );
});

test('until it is known whether something keeps a Scrub from new work, nothing is promised', () => {
  expect(scrubLine({ ...open, heldBy: undefined })).toBe('You are visible.');
});
