import { expect, test } from 'vitest';
import { printAnswer } from './printAnswer.ts';

test('an answer is printed as names with their values, lists as items, and without what is empty', () => {
  const answer = {
    items: [
      { id: 'one', why: 'the card\nis lost', person: { name: 'Ada' }, seenAt: null },
      { id: 'two', orders: [1, 2], notes: [] },
    ],
    hasMore: false,
  };
  expect(printAnswer(answer)).toBe(
    [
      ...['items:', '  - id: one', '    why:', '      the card', '      is lost', '    person:', '      name: Ada'],
      ...['  - id: two', '    orders:', '      - 1', '      - 2', 'hasMore: false'],
    ].join('\n'),
  );
  expect(printAnswer({ items: [] })).toBe('Nothing.');
});
