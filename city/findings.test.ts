import { expect, test } from 'vitest';
import { createDiary } from './findings.ts';

test('the trace of a finding has what everybody did with its order and the deliveries of it, and nothing else', () => {
  const diary = createDiary(() => 0);
  diary.connect('delivery', 'order');
  diary.note('Bud 1', 'place', ['order']);
  diary.note('Bud 2', 'place', ['another']);
  diary.note('Duber 1', 'accept', ['delivery']);
  diary.report('promise', 'it is wrong', ['delivery']);
  const [finding] = diary.findings;
  expect(finding && diary.trace(finding).map(({ who, what }) => `${who}: ${what}`)).toEqual([
    'Bud 1: place',
    'Duber 1: accept',
  ]);
});

test('the same words are reported once', () => {
  const diary = createDiary(() => 0);
  for (let n = 0; n < 3; n += 1) diary.report('promise', 'it is wrong');
  expect(diary.findings).toHaveLength(1);
});
