import { expect, test } from 'vitest';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { ORDER_CALL_ROWS, ORDER_FLOW } from '../../domain/process/order.ts';
import { STEP_TEXTS, statusAfter, upcomingStatuses } from './steps.ts';

test('the statuses ahead follow the workflow and never end an order early', () => {
  expect(upcomingStatuses('Requested')).toEqual(['Accepted', 'In_Progress', 'Completed']);
  expect(upcomingStatuses('Accepted')).toEqual(['In_Progress', 'Completed']);
  expect(upcomingStatuses('In_Progress')).toEqual(['Completed']);
  for (const last of ['Completed', 'Cancelled', 'Rejected'] as const) expect(upcomingStatuses(last)).toEqual([]);
});

test('every status has a finite list of statuses ahead', () => {
  for (const status of ORDER_STATUSES) expect(upcomingStatuses(status).length).toBeLessThan(ORDER_FLOW.length);
});

test('every row that people take has its own texts and leads to the row’s status', () => {
  for (const row of ORDER_CALL_ROWS) expect(statusAfter(row.action)).toBe(row.to);
  const buttons = ORDER_CALL_ROWS.map((row) => STEP_TEXTS[row.action].button);
  expect(new Set(buttons).size).toBe(ORDER_CALL_ROWS.length);
});

test('the browser asks for confirmation before cancel, reject and accept only', () => {
  const asking = ORDER_CALL_ROWS.map((row) => row.action).filter((action) => STEP_TEXTS[action].needsConfirmation);
  expect(asking.toSorted()).toEqual(['accept-order', 'cancel-order', 'reject-order']);
});
