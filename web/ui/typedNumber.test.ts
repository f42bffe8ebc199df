import { expect, test } from 'vitest';
import { readNumber, unreadableText } from './typedNumber.ts';

test('a field is empty, has a number, or says in words that it has none', () => {
  expect([readNumber(' ', 'dollars'), unreadableText('', 'dollars')]).toEqual([undefined, undefined]);
  expect([readNumber('39,90', 'dollars'), unreadableText('39,90', 'dollars')]).toEqual([39.9, undefined]);
  expect(readNumber('a lot', 'dollars')).toBeNaN();
  expect(unreadableText('a lot', 'dollars')).toBe('Write dollars and cents, like 12.50');
});

test('only degrees may be below zero, and only a count must be whole', () => {
  expect(unreadableText('-67,5', 'degrees')).toBeUndefined();
  for (const kind of ['dollars', 'decimal', 'whole'] as const) expect(unreadableText('-3', kind)).toMatch(/^Write /);
  expect([unreadableText('2,75', 'decimal'), unreadableText('2,75', 'whole')]).toEqual([
    undefined,
    'Write a whole number, like 12',
  ]);
});
