import { expect, test } from 'vitest';
import { townWordsOf } from './townWords.ts';

const at = (minute: number) => `2026-11-22T12:0${minute}:00.000Z`;
const step = (by: 'Operator' | 'Duber', words: string | null, minute: number) => ({ by, words, createdAt: at(minute) });
const WORDS = 'Bob comes to you at six.';

test('what an operator wrote with a step is read until something happens to the delivery', () => {
  const relay = step('Operator', WORDS, 3);
  const statusHistory = [1, 2, 3].map((minute) => ({ createdAt: at(minute) }));
  expect(townWordsOf({ statusHistory, exceptions: [relay] })).toBe(`The town wrote: “${WORDS}”`);
  expect(townWordsOf({ statusHistory, exceptions: [step('Duber', null, 2), relay] })).toContain(WORDS);
  const accepted = [...statusHistory, { createdAt: at(4) }];
  expect(townWordsOf({ statusHistory: accepted, exceptions: [relay] })).toBeUndefined();
  expect(townWordsOf({ statusHistory, exceptions: [relay, step('Duber', null, 4)] })).toBeUndefined();
});

test('a step without words, and what a Duber wrote, say nothing of the town', () => {
  const statusHistory = [{ createdAt: at(1) }];
  expect(townWordsOf({ statusHistory, exceptions: [] })).toBeUndefined();
  expect(townWordsOf({ statusHistory, exceptions: [step('Operator', null, 2)] })).toBeUndefined();
  expect(townWordsOf({ statusHistory, exceptions: [step('Duber', WORDS, 2)] })).toBeUndefined();
});
