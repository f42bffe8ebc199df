import { beforeEach, expect, test } from 'vitest';
import type { StepEvent } from '../../contract/events.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { queryClient } from '../api/queryClient.ts';
import { isRepeated } from './repeatedStatus.ts';

let id = '';
let count = 0;
const EARLIER = '2026-01-05T10:00:00.000Z';
const NOW = '2026-01-05T11:00:00.000Z';
const event = (status: OrderStatus, at = NOW): StepEvent => ({ entity: 'order', id, status, at });
const order = (status: OrderStatus, createdAt: string) => ({ id, status, statusHistory: [{ status, createdAt }] });

beforeEach(() => {
  queryClient.clear();
  id = `order ${count++}`;
});

test('an event without a change of the status repeats the one before it', () => {
  expect(isRepeated(event('Accepted'))).toBe(false);
  expect(isRepeated(event('Accepted'))).toBe(true);
  expect(isRepeated(event('Requested')), 'it was given back').toBe(false);
  expect(isRepeated(event('Accepted')), 'another Scrub accepts it').toBe(false);
});

test.each([
  ['the page of the order', () => order('Accepted', EARLIER), ['orders', 'one', 'o']],
  ['the dashboard', () => ({ total: 1, openOrders: [order('Accepted', EARLIER)] }), ['dashboards', 'bud']],
])('%s knows since when the order has its status', (_name, data, key) => {
  queryClient.setQueryData(key, data());
  expect(isRepeated(event('Accepted'))).toBe(true);
});

test('a screen that was fetched before the event of the same step came does not hide it', () => {
  queryClient.setQueryData(['orders', 'one', id], order('Accepted', NOW));
  queryClient.setQueryData(['orders', 'list', 'Bud'], { items: [{ id, status: 'Accepted' }], totalCount: 1 });
  expect(isRepeated(event('Accepted'))).toBe(false);
});

test('a list that has shown the status for a while knows it', () => {
  const items = [null, { id, status: 'Accepted' }];
  queryClient.setQueryData(['orders', 'list', 'Bud'], { items }, { updatedAt: Date.now() - 60_000 });
  expect(isRepeated(event('Accepted'))).toBe(true);
});

test('a new status and another order are news', () => {
  queryClient.setQueryData(['orders', 'one', id], order('Requested', EARLIER));
  queryClient.setQueryData(['orders', 'one', 'another'], { ...order('Accepted', EARLIER), id: 'another' });
  expect(isRepeated(event('Accepted'))).toBe(false);
});

test('an offer that comes again is news', () => {
  const offer: StepEvent = { entity: 'delivery', id, status: 'Pending', at: NOW };
  expect([isRepeated(offer), isRepeated(offer)]).toEqual([false, false]);
});
