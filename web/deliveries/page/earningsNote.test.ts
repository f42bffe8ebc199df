import { expect, test } from 'vitest';
import type { DeliveryStatus } from '../../../domain/deliveries.ts';
import { situatedDelivery } from '../../../testing/situated.ts';
import { earningsNote, waitingNote } from './earningsNote.ts';

const stopped = (status: DeliveryStatus, history: readonly DeliveryStatus[], ...actions: string[]) =>
  situatedDelivery({
    status,
    hasLaundry: status === 'Failed',
    statusHistory: history.map((one) => ({ status: one })),
    exceptions: actions.map((action) => ({ action })),
  });
const calledOff = (history: readonly DeliveryStatus[], ...actions: string[]) =>
  stopped('Called_Off', history, ...actions, 'call-off');

test('a Duber whose delivery was called off reads what they were paid, and not what it would have earned', () => {
  expect(earningsNote(5.99, calledOff(['Accepted', 'Way_To_Pick']))).toBe('Paid for the trip: $5.99');
});

test('a Duber who is paid nothing reads why, and where to say that it is not right', () => {
  expect(earningsNote(0, calledOff(['Accepted']))).toBe('It was called off before you set out, so it is not paid.');
  expect(earningsNote(0, calledOff(['Accepted', 'Way_To_Pick']))).toMatch(
    /^It is not paid. If that is not right, write/,
  );
  expect(earningsNote(0, calledOff(['Accepted', 'Way_To_Pick', 'Collected', 'Failed'], 'report-lost'))).toMatch(
    /^It is not paid, because the laundry is lost. If you were robbed,/,
  );
});

test('the pay for laundry that is lost waits, and that of other laundry does not', () => {
  expect(waitingNote(stopped('Failed', [], 'report-lost'))).toMatch(/^This waits/);
  expect(waitingNote(stopped('Failed', [], 'drop-failed'))).toBeUndefined();
});
