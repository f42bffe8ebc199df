import { expect, test } from 'vitest';
import { historyLabel } from './historyLabel.ts';

test('the history says that lost laundry was found, and not only that it is on its way again', () => {
  const [lost, again, failed, back] = ['report-lost', 'try-again', 'drop-failed', 'bring-back'].map((action) => ({
    action,
  }));
  if (!lost || !again || !failed || !back) throw new Error('unreachable');
  expect(historyLabel([lost, again], again)).toBe('Found again');
  expect(historyLabel([lost, back], back)).toBe('Found again, on the way back');
  expect(historyLabel([failed, again], again)).toBe('One more try');
  expect(historyLabel([lost, again, failed, back], back)).toBe('On the way back');
});
