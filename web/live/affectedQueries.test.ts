import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangeEvent, StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';
import { CASE_STATUSES } from '../../domain/cases.ts';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { isAffected, isLiveQuery } from './affectedQueries.ts';
import { eventToastOf } from './eventToasts.ts';

const ORDER = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const OTHER = '0192f0c1-0000-7000-8000-000000000000';
const DELIVERY = 'a-delivery';
const CASE = 'a-case';
const at = '2026-01-05T10:00:00.000Z';
const orderEvent: StepEvent = { entity: 'order', id: ORDER, status: 'Accepted', at };
const deliveryEvent: StepEvent = { entity: 'delivery', id: DELIVERY, status: 'Collected', at };
const cachedQuery = (key: readonly unknown[], data?: unknown) => ({ key, data });

test('an order event affects the order’s page, every list of orders and the dashboards, and nothing else', () => {
  const affected = (...key: unknown[]) => isAffected(cachedQuery(key), orderEvent);
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

test('a delivery event affects the order it belongs to, and all dashboards', () => {
  const affected = (data: unknown, ...key: unknown[]) => isAffected(cachedQuery(key, data), deliveryEvent);
  expect(affected({ deliveries: [{ id: DELIVERY }] }, 'orders', 'one', ORDER)).toBe(true);
  expect(affected({ deliveries: [{ id: 'another' }] }, 'orders', 'one', OTHER)).toBe(false);
  expect(affected(undefined, 'orders', 'one', OTHER), 'its first answer is on its way, and may be older').toBe(true);
  expect(affected(undefined, 'orders', 'one', OTHER, 'receipt')).toBe(false);
  expect(affected(undefined, 'deliveries', 'one', DELIVERY)).toBe(true);
  expect(affected(undefined, 'deliveries', 'one', 'another')).toBe(false);
  expect(affected(undefined, 'dashboards', 'scrub'), 'its board says where the laundry is').toBe(true);
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

const ORDER_EVENTS = ORDER_STATUSES.map((status): StepEvent => ({ entity: 'order', id: ORDER, status, at }));
const DELIVERY_EVENTS = DELIVERY_STATUSES.map(
  (status): StepEvent => ({ entity: 'delivery', id: DELIVERY, status, at }),
);
const ALL_EVENTS = [...ORDER_EVENTS, ...DELIVERY_EVENTS];
const CASE_EVENTS = CASE_STATUSES.map((status): ChangeEvent => ({ entity: 'case', id: CASE, status, at }));
const placed = ORDER_EVENTS.filter(({ status }) => status === 'Requested');
const completed = ORDER_EVENTS.filter(({ status }) => status === 'Completed');
const paying = DELIVERY_EVENTS.filter(({ status }) => !['Accepted', 'Collected', 'Way_Back'].includes(status));
const orderWithDelivery = { deliveries: [{ id: DELIVERY }] };
const STATEMENT = ['earnings', 'lines', 'a-payout'];

/** Every page with live data: each of its queries, and the events that must refresh it. No other event may. */
const PAGES: readonly [
  role: Role,
  page: string,
  key: readonly unknown[],
  events: readonly ChangeEvent[],
  data?: unknown,
][] = [
  ['Bud', 'the dashboard', ['dashboards', 'bud'], ALL_EVENTS],
  ['Bud', 'the list of orders', ['orders', 'list', 'Bud', {}], ORDER_EVENTS],
  ['Bud', 'an order', ['orders', 'one', ORDER], ALL_EVENTS, orderWithDelivery],
  ['Bud', 'who has the laundry', ['orders', 'one', ORDER, 'custody', 'Accepted'], [...ORDER_EVENTS, ...CASE_EVENTS]],
  ['Bud', 'a receipt', ['orders', 'one', ORDER, 'receipt'], ORDER_EVENTS],
  ['Bud', 'the list of problems', ['cases', 'list', 1], CASE_EVENTS],
  ['Scrub', 'a problem', ['cases', 'one', CASE], CASE_EVENTS],
  ['Scrub', 'another problem', ['cases', 'one', ORDER], []],
  ['Bud', 'the list of deliveries', ['deliveries', 'list', 'Bud', {}], DELIVERY_EVENTS],
  ['Bud', 'a delivery', ['deliveries', 'one', DELIVERY], DELIVERY_EVENTS],
  ['Bud', 'the saved cards', ['saved-cards'], placed],
  ['Scrub', 'the dashboard', ['dashboards', 'scrub'], ALL_EVENTS],
  ['Scrub', 'the list of jobs', ['orders', 'list', 'Scrub', {}], ORDER_EVENTS],
  ['Scrub', 'the count of unanswered jobs', ['orders', 'list', 'waiting'], ORDER_EVENTS],
  ['Scrub', 'a job', ['orders', 'one', ORDER], ALL_EVENTS, orderWithDelivery],
  ['Scrub', 'who has the laundry', ['orders', 'one', ORDER, 'custody', 'Accepted'], [...ORDER_EVENTS, ...CASE_EVENTS]],
  ['Scrub', 'the list of deliveries', ['deliveries', 'list', 'Scrub', {}], DELIVERY_EVENTS],
  ['Scrub', 'a delivery', ['deliveries', 'one', DELIVERY], DELIVERY_EVENTS],
  ['Scrub', 'the earnings', ['earnings'], [...completed, ...paying]],
  ['Scrub', 'the lines of the next payout', ['earnings', 'lines', 'waiting'], [...completed, ...paying]],
  ['Scrub', 'a statement', STATEMENT, [...completed, ...paying]],
  ['Duber', 'the dashboard', ['dashboards', 'duber'], ALL_EVENTS],
  ['Duber', 'the list of deliveries', ['deliveries', 'list', 'Duber', {}], DELIVERY_EVENTS],
  ['Duber', 'a delivery', ['deliveries', 'one', DELIVERY], DELIVERY_EVENTS],
  ['Duber', 'the earnings', ['earnings'], [...completed, ...paying]],
  ['Duber', 'the lines of the next payout', ['earnings', 'lines', 'waiting'], [...completed, ...paying]],
  ['Duber', 'a statement', STATEMENT, [...completed, ...paying]],
];

describe('the events of each page', () => {
  const nameOf = ({ entity, status }: ChangeEvent) => `${entity} ${status}`;

  test.each(PAGES)('%s: %s', (_role, _page, key, events, data) => {
    const reaching = [...ALL_EVENTS, ...CASE_EVENTS].filter((event) => isAffected({ key, data }, event));
    expect(reaching.map(nameOf)).toEqual(events.map(nameOf));
    expect(isLiveQuery({ key, data }), 'it is fetched again after a gap in the stream').toBe(true);
  });

  test('every kind of query in the app is in the table, or is known not to be live', () => {
    const NOT_LIVE = [
      'bag',
      'calendar',
      'checked-record',
      'config',
      'demo',
      'documents',
      'dubers-custody',
      'files',
      'notifications',
      'own-figures',
      'payout-account',
      'personal-data',
      'price',
      'profile',
      'proposal',
      'record-issuer',
      'scrubs-nearby',
      'session',
      'sessions',
      'tax-id',
      'this-device',
      'unsubscribe',
      'windows',
    ];
    const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' });
    const sources = files
      // The console has data of its own, which it asks for again and again.
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.startsWith('operator/'))
      .map((name) => readFileSync(join(WEB, name), 'utf8'));
    const kinds = sources.flatMap((text) => [...text.matchAll(QUERY_KEY)].map(([, kind]) => kind));
    const known = new Set([...PAGES.map(([, , [kind]]) => kind), ...NOT_LIVE]);
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter((kind) => !known.has(kind))).toEqual([]);
  });
});

const WEB = join(import.meta.dirname, '..');
/** `queryKey: ['orders', …]`, `orderKey = (id) => ['orders', …]` and `DASHBOARD_KEY = ['dashboards', …]`. */
const QUERY_KEY = /(?:queryKey:|[kK]ey = |KEY = )(?:\(.*\) => )?\s*\[\s*'([a-z-]+)'/g;
