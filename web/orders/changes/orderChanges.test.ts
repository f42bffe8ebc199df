import { expect, test } from 'vitest';
import type { Order } from '../../../contract/orders.ts';
import { giveBackText, givenBackAt, givenBackTitle, givenBackUntil, leaveHint } from './orderChanges.ts';

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

test('a Scrub reads that they pay for the trip of a Duber who is on the way, before they give the job back', () => {
  const order = (status: string) => ({ bud: { fullname: 'Ada Bud' }, deliveries: [{ status }] });
  expect(giveBackText(order('Way_To_Pick'))).toMatch(/you pay for their trip\.$/);
  expect(giveBackText(order('Accepted'))).toMatch(/You earn nothing for this job\.$/);
});

test('an order is left before its laundry is where it goes, by who brings it there', () => {
  expect(leaveHint('Bud', false)).toBe('You can cancel until your laundry is collected.');
  expect(leaveHint('Bud', true)).toBe('You can cancel until your Scrub has your laundry.');
  expect(leaveHint('Scrub', true)).toBe("Can't do it after all? Say so before the customer brings the laundry.");
});

test('a Scrub is said to be unable only when they said so, and not when the town took the order from them', () => {
  const title = (by: 'Scrub' | 'Operator') =>
    givenBackTitle({
      scrub: { fullname: 'Ira Iron' },
      exceptions: [{ action: 'give-back', round: 1, by, createdAt: '2026-01-05T10:00:00.000Z' }],
    });
  expect(title('Scrub')).toBe("Ira can't do your laundry after all");
  expect(title('Operator')).toBe('Your order needs another Scrub');
});
