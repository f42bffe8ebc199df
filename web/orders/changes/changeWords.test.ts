import { expect, test } from 'vitest';
import { changeWordsOf } from './changeWords.ts';

type Written = Parameters<typeof changeWordsOf>[0]['changeWords'];
const people = { bud: { fullname: 'Ada Byron' }, scrub: { fullname: 'Grace Hopper' } };
const bothRead = (changeWords: Written) =>
  (['Bud', 'Scrub'] as const).map((reader) => changeWordsOf({ ...people, changeWords }, reader));

test('both read what an operator wrote about the order', () => {
  const wrote = 'The town wrote: “Grace brings your two bags at 6.”';
  expect(bothRead({ by: 'Operator', words: 'Grace brings your two bags at 6.' })).toEqual([wrote, wrote]);
});

test('each reads what the other one wrote, and what they wrote themselves', () => {
  expect(bothRead({ by: 'Bud', words: 'My washer works again.' })).toEqual([
    'You wrote: “My washer works again.”',
    'Ada wrote: “My washer works again.”',
  ]);
  expect(bothRead({ by: 'Scrub', words: 'No hot water until Monday.' })).toEqual([
    'Grace wrote: “No hot water until Monday.”',
    'You wrote: “No hot water until Monday.”',
  ]);
});

test('nothing is said where nobody wrote anything', () => {
  for (const none of [null, undefined]) expect(bothRead(none)).toEqual([undefined, undefined]);
});
