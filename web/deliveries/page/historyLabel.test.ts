import { expect, test } from 'vitest';
import { historyLabel } from './historyLabel.ts';

test('the history says that lost laundry was found, and not only that it is on its way again', () => {
  expect(historyLabel('try-again', 'report-lost')).toBe('Found again');
  expect(historyLabel('bring-back', 'report-lost')).toBe('Found again, on the way back');
  expect(historyLabel('try-again', 'drop-failed')).toBe('One more try');
  for (const before of [null, undefined]) expect(historyLabel('bring-back', before)).toBe('On the way back');
});
