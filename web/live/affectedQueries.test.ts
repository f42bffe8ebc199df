import { expect, test } from 'vitest';
import type { StepEvent } from '../../contract/events.ts';
import { isAffected } from './affectedQueries.ts';
import { eventToastOf } from './eventToasts.ts';

const [ORDER, OTHER, TRIP] = ['0192f0c1-7a3b-7c4d-8e5f-0123456789ab', '0192f0c1-0000-7000-8000-000000000000', 'a-trip'];
const at = '2026-01-05T10:00:00.000Z';
const step: StepEvent = { entity: 'order', id: ORDER, status: 'Accepted', at };
const trip: StepEvent = { entity: 'delivery', id: TRIP, status: 'Collected', at };
const cachedQuery = (key: readonly unknown[], data?: unknown) => ({ key, data });

test('an order’s step touches its own page, every list of orders and the dashboards, and nothing else', () => {
  const touched = (...key: unknown[]) => isAffected(cachedQuery(key), step, 'Bud');
  expect(touched('orders', 'one', ORDER)).toBe(true);
  expect(touched('orders', 'list', 'Bud', { pageNumber: 1 })).toBe(true);
  expect(touched('dashboards', 'bud')).toBe(true);
  for (const key of [
    ['orders', 'one', OTHER],
    ['deliveries', 'list', 'Bud'],
    ['profile'],
    ['config'],
    ['price', 'Small'],
  ])
    expect(touched(...key)).toBe(false);
});

test('a delivery’s step touches the order that it belongs to, and only a Duber’s figures', () => {
  const touched = (data: unknown, ...key: unknown[]) => isAffected(cachedQuery(key, data), trip, 'Scrub');
  expect(touched({ deliveries: [{ id: TRIP }] }, 'orders', 'one', ORDER)).toBe(true);
  expect(touched({ deliveries: [{ id: 'another' }] }, 'orders', 'one', OTHER)).toBe(false);
  expect(touched(undefined, 'orders', 'one', OTHER)).toBe(false);
  expect(touched(undefined, 'deliveries', 'one', TRIP)).toBe(true);
  expect(touched(undefined, 'deliveries', 'one', 'another')).toBe(false);
  expect(touched(undefined, 'dashboards', 'scrub')).toBe(false);
  expect(isAffected(cachedQuery(['dashboards', 'duber']), trip, 'Duber')).toBe(true);
});

test('what is said aloud is new work for a Scrub and a Duber, and the answer that a Bud waits for', () => {
  const said = (event: StepEvent, role: 'Bud' | 'Scrub' | 'Duber') => eventToastOf(event, role)?.title;
  expect(said({ ...step, status: 'Requested' }, 'Scrub')).toBe('New job');
  expect(said({ ...step, status: 'Requested' }, 'Bud')).toBeUndefined();
  expect(said(step, 'Bud')).toBe('Order accepted');
  expect(said(step, 'Scrub')).toBeUndefined();
  expect(said({ ...trip, status: 'Pending' }, 'Duber')).toBe('New delivery nearby');
  expect(said({ ...trip, status: 'Pending' }, 'Bud')).toBeUndefined();
});
