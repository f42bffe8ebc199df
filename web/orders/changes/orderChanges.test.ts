import { expect, test } from 'vitest';
import type { Order } from '../../../contract/orders.ts';
import { givenBackAt, givenBackUntil, hasNoBagMoved } from './orderChanges.ts';

const legs = (...all: [status: string, hasLaundry?: boolean][]) =>
  ({ deliveries: all.map(([status, hasLaundry = false]) => ({ status, hasLaundry })) }) as unknown as Order;

test('an accepted order can be left until a Duber has collected the laundry', () => {
  for (const status of ['Pending', 'Accepted', 'Way_To_Pick', 'Called_Off', 'Failed'])
    expect([status, hasNoBagMoved(legs([status]))]).toEqual([status, true]);
  for (const status of ['Collected', 'Way_To_Drop', 'Delivered', 'Way_Back', 'Returned'])
    expect([status, hasNoBagMoved(legs(['Called_Off'], [status]))]).toEqual([status, false]);
  expect(hasNoBagMoved(legs(['Failed', true]))).toBe(false);
  expect(hasNoBagMoved(legs())).toBe(true);
});

test('an order that was given back waits four hours for another Scrub, until one is asked', () => {
  const exception = (action: string, minute: string) => ({ action, createdAt: `2026-11-22T12:${minute}:00.000Z` });
  const order = (status: string, ...exceptions: object[]) => ({ status, exceptions }) as unknown as Order;
  const back = order('Requested', exception('give-back', '00'));
  const at = givenBackAt(back);
  expect(at && givenBackUntil(at).toISOString()).toBe('2026-11-22T16:00:00.000Z');
  expect(
    givenBackAt(order('Requested', exception('give-back', '00'), exception('choose-scrub', '05'))),
  ).toBeUndefined();
  expect(givenBackAt(order('Cancelled', exception('give-back', '00')))).toBeUndefined();
  expect(givenBackAt(order('Requested'))).toBeUndefined();
});
