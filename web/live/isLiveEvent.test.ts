import { expect, test } from 'vitest';
import { LiveEvent } from '../../contract/events.ts';
import { CASE_STATUSES } from '../../domain/cases.ts';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { isLiveEvent } from './isLiveEvent.ts';

const common = { id: '0198c0de-0000-7000-8000-000000000001', at: '2026-01-05T10:00:00.000Z' };
const steps = (entity: string, statuses: readonly string[]) =>
  statuses.map((status) => ({ ...common, entity, status }));
const position = { ...common, entity: 'position', latitude: 24.8, longitude: 67, accuracy: 12 };
const KNOWN = [
  ...steps('order', ORDER_STATUSES),
  ...steps('delivery', DELIVERY_STATUSES),
  ...steps('case', CASE_STATUSES),
  position,
  { ...position, accuracy: null },
];

const without = (event: object, name: string) =>
  Object.fromEntries(Object.entries(event).filter(([property]) => property !== name));
const UNKNOWN: readonly unknown[] = [
  null,
  'order',
  [],
  {},
  ...steps('order', ['Folded', '']),
  ...steps('delivery', ['Requested']),
  ...steps('case', ['Pending']),
  ...steps('machine', ['Accepted']),
  ...KNOWN.flatMap((event) => Object.keys(event).map((name) => without(event, name))),
  ...KNOWN.flatMap((event) => Object.keys(event).map((name) => ({ ...event, [name]: [] }))),
  { ...position, latitude: '24.8' },
  { ...position, accuracy: '12' },
];

test('an event of the stream is known exactly when the contract describes it', () => {
  for (const event of [...KNOWN, ...UNKNOWN])
    expect(isLiveEvent(event), JSON.stringify(event)).toBe(LiveEvent.safeParse(event).success);
  expect(KNOWN.filter((event) => !isLiveEvent(event))).toEqual([]);
});
