import { expect, test } from 'vitest';
import type { Order } from '../../../contract/orders.ts';
import { giveBackText, givenBackAt, givenBackUntil } from './orderChanges.ts';

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
