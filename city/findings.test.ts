import { expect, test } from 'vitest';
import { createRunLog } from './findings.ts';

test('the trace of a finding has what everybody did with its order and the deliveries of it, and nothing else', () => {
  const log = createRunLog(() => 0);
  log.connect('delivery', 'order');
  log.note('Bud 1', 'place', ['order']);
  log.note('Bud 2', 'place', ['another']);
  log.note('Duber 1', 'accept', ['delivery']);
  log.report('promise', 'it is wrong', ['delivery']);
  const [finding] = log.findings;
  expect(finding && log.trace(finding).map(({ who, what }) => `${who}: ${what}`)).toEqual([
    'Bud 1: place',
    'Duber 1: accept',
  ]);
});

test('the same words are reported once', () => {
  const log = createRunLog(() => 0);
  for (let n = 0; n < 3; n += 1) log.report('promise', 'it is wrong');
  expect(log.findings).toHaveLength(1);
});
