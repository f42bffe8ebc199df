import { expect, test } from 'vitest';
import { townWordsOf } from '../deliveries/townWords.ts';
import { failureWordsOf } from './failureWords.ts';

const failureWords = { deliveryId: 'there', words: 'I rang three times.' };
const deliveries = (duber: { fullname: string } | null) => [
  { id: 'earlier', duber: { fullname: 'Grace Hopper' } },
  { id: 'there', duber },
];

test('the people of an order read what its Duber wrote about a pickup that failed', () => {
  expect(failureWordsOf({ failureWords, deliveries: deliveries({ fullname: 'Alan Turing' }) })).toBe(
    'Alan wrote: “I rang three times.”',
  );
  expect(failureWordsOf({ failureWords, deliveries: deliveries(null) })).toBe('The Duber wrote: “I rang three times.”');
  expect(failureWordsOf({ failureWords: null, deliveries: deliveries(null) })).toBeUndefined();
});

test('the people of an order read what an operator wrote about its delivery', () => {
  expect(townWordsOf({ townWords: 'Bob comes at six.' })).toBe('The town wrote: “Bob comes at six.”');
  for (const townWords of [null, undefined]) expect(townWordsOf({ townWords })).toBeUndefined();
});
