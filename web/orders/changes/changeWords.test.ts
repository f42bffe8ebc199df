import { expect, test } from 'vitest';
import { changeWordsOf } from './changeWords.ts';

type ChangedOrder = Parameters<typeof changeWordsOf>[0];
const step = (action: string, by: string, words: string | null, round = 1) => ({
  ...{ action, by, words, round, createdAt: '2026-11-22T12:00:00.000Z' },
});
const order = (status: string, round: number, ...exceptions: object[]) => {
  const people = { bud: { fullname: 'Ada Byron' }, scrub: { fullname: 'Grace Hopper' } };
  const last = exceptions.at(-1) as { action?: string } | undefined;
  const situation = status === 'Requested' && last?.action === 'give-back' ? 'given-back' : 'requested';
  return { status, round, exceptions, situation, ...people } as unknown as ChangedOrder;
};
const bothRead = (one: ChangedOrder) => [changeWordsOf(one, 'Bud'), changeWordsOf(one, 'Scrub')];

test('both read what an operator wrote when the order was cancelled, or cleaned again', () => {
  const words = 'Grace brings your two bags at 6.';
  const wrote = `The town wrote: “${words}”`;
  expect(bothRead(order('Cancelled', 1, step('cancel-by-operator', 'Operator', words)))).toEqual([wrote, wrote]);
  const again = order('In_Progress', 2, step('reopen', 'Operator', words, 2), step('late', 'System', null, 2));
  expect(bothRead(again)).toEqual([wrote, wrote]);
});

test('each reads what the other one wrote, and what they wrote themselves', () => {
  const cancelled = order('Cancelled', 1, step('cancel-accepted', 'Bud', 'My washer works again.'));
  expect(bothRead(cancelled)).toEqual(['You wrote: “My washer works again.”', 'Ada wrote: “My washer works again.”']);
  const given = order('Requested', 2, step('give-back', 'Scrub', 'No hot water until Monday.'));
  expect(bothRead(given)).toEqual([
    'Grace wrote: “No hot water until Monday.”',
    'You wrote: “No hot water until Monday.”',
  ]);
});

test('what was written about an earlier state of the order is not repeated', () => {
  const given = step('give-back', 'Scrub', 'No hot water until Monday.');
  expect(bothRead(order('Requested', 2, given, step('choose-scrub', 'Bud', null, 2)))).toEqual([undefined, undefined]);
  expect(
    changeWordsOf(order('Cancelled', 2, given, step('expire-given-back', 'System', null, 2)), 'Bud'),
  ).toBeUndefined();
  expect(changeWordsOf(order('Completed', 2, step('reopen', 'Operator', 'Sorry.', 2)), 'Bud')).toBeUndefined();
  expect(changeWordsOf(order('Cancelled', 1, step('cancel-accepted', 'Bud', null)), 'Scrub')).toBeUndefined();
});
