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
  const exception = (action: string, round: number) => ({ action, round, createdAt: '2026-11-22T12:00:00.000Z' });
  const order = (status: string, round: number, ...exceptions: object[]) =>
    ({ status, round, exceptions }) as unknown as Order;
  const [given, chosen] = [exception('give-back', 1), exception('choose-scrub', 2)];
  const at = givenBackAt(order('Requested', 2, given));
  expect(at && givenBackUntil(at).toISOString()).toBe('2026-11-22T16:00:00.000Z');
  expect(givenBackAt(order('Requested', 2, given, chosen))).toBeUndefined();
  expect(givenBackAt(order('Requested', 3, given, chosen, exception('give-back', 2)))).toBeDefined();
  expect(givenBackAt(order('Cancelled', 2, given))).toBeUndefined();
  expect(givenBackAt(order('Requested', 1))).toBeUndefined();
});
