import { expect, test } from 'vitest';
import { earningsNote } from './earningsNote.ts';

test('a Duber whose delivery was called off reads what they were paid, and not what it would have earned', () => {
  expect(earningsNote(5.99)).toBe('Paid for the trip: $5.99');
  expect(earningsNote(0)).toBe('Nothing was earned.');
});
