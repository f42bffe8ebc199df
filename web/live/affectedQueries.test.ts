import { expect, test } from 'vitest';
import type { StepEvent } from '../../contract/events.ts';
import { isAffected } from './affectedQueries.ts';
import { eventToastOf } from './eventToasts.ts';

const ORDER = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const OTHER = '0192f0c1-0000-7000-8000-000000000000';
const DELIVERY = 'a-delivery';
const at = '2026-01-05T10:00:00.000Z';
const orderEvent: StepEvent = { entity: 'order', id: ORDER, status: 'Accepted', at };
const deliveryEvent: StepEvent = { entity: 'delivery', id: DELIVERY, status: 'Collected', at };
const cachedQuery = (key: readonly unknown[], data?: unknown) => ({ key, data });

test('an order event affects the order’s page, every list of orders and the dashboards, and nothing else', () => {
  const affected = (...key: unknown[]) => isAffected(cachedQuery(key), orderEvent, 'Bud');
  expect(affected('orders', 'one', ORDER)).toBe(true);
  expect(affected('orders', 'list', 'Bud', { pageNumber: 1 })).toBe(true);
  expect(affected('dashboards', 'bud')).toBe(true);
  for (const key of [
    ['orders', 'one', OTHER],
    ['deliveries', 'list', 'Bud'],
    ['profile'],
    ['config'],
    ['price', 'Small'],
  ])
    expect(affected(...key)).toBe(false);
});

test('a delivery event affects the order it belongs to, and only a Duber’s dashboard', () => {
  const affected = (data: unknown, ...key: unknown[]) => isAffected(cachedQuery(key, data), deliveryEvent, 'Scrub');
  expect(affected({ deliveries: [{ id: DELIVERY }] }, 'orders', 'one', ORDER)).toBe(true);
  expect(affected({ deliveries: [{ id: 'another' }] }, 'orders', 'one', OTHER)).toBe(false);
  expect(affected(undefined, 'orders', 'one', OTHER)).toBe(false);
  expect(affected(undefined, 'deliveries', 'one', DELIVERY)).toBe(true);
  expect(affected(undefined, 'deliveries', 'one', 'another')).toBe(false);
  expect(affected(undefined, 'dashboards', 'scrub')).toBe(false);
  expect(isAffected(cachedQuery(['dashboards', 'duber']), deliveryEvent, 'Duber')).toBe(true);
});

test('a Scrub and a Duber get a toast for new work, and a Bud for the Scrub’s decision', () => {
  const titleOf = (event: StepEvent, role: 'Bud' | 'Scrub' | 'Duber') => eventToastOf(event, role)?.title;
  expect(titleOf({ ...orderEvent, status: 'Requested' }, 'Scrub')).toBe('New job');
  expect(titleOf({ ...orderEvent, status: 'Requested' }, 'Bud')).toBeUndefined();
  expect(titleOf(orderEvent, 'Bud')).toBe('Order accepted');
  expect(titleOf(orderEvent, 'Scrub')).toBeUndefined();
  expect(titleOf({ ...deliveryEvent, status: 'Pending' }, 'Duber')).toBe('New delivery nearby');
  expect(titleOf({ ...deliveryEvent, status: 'Pending' }, 'Bud')).toBeUndefined();
});
