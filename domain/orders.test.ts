import { expect, test } from 'vitest';
import type { Need } from './needs.ts';
import { formatOrderNumber, ORDER_GROUPS, parseOrderNumber } from './orders.ts';
import { ORDER_EXCEPTIONS, ORDER_FLOW } from './process/order.ts';

test('the number of an order is read as it is written, and as people write it', () => {
  expect(formatOrderNumber(1042)).toBe('R-1042');
  for (const text of ['R-1042', 'r-1042', 'R1042', 'r 1042', '1042', ' R-1042 ', '01042', 'R-١٠٤٢', '１０４２'])
    expect(parseOrderNumber(text), text).toBe(1042);
  for (const number of [0, 7, 999_999_999_999_999]) expect(parseOrderNumber(formatOrderNumber(number))).toBe(number);
});

test('anything else is no number of an order', () => {
  const ids = ['0192f0c1-7a3b-7c4d-8e5f-0123456789ab', '01920000-0000-7000-8000-000000000000'];
  for (const text of ['', 'R-', 'R--7', '-7', '10.5', '1e3', 'Q-1042', 'R-1042 now', '½', '9'.repeat(16), ...ids])
    expect(parseOrderNumber(text), text).toBeUndefined();
});

test('every row that ends an order without being done leaves the laundry with its Bud, or needs a way home', () => {
  const rows = [...ORDER_FLOW, ...ORDER_EXCEPTIONS].filter(
    ({ from, to }) => from !== to && ORDER_GROUPS[to] === 'cancelled',
  );
  const hasWayHome = (row: (typeof rows)[number]) => {
    const needs: readonly Need[] = 'needs' in row ? row.needs : [];
    return needs.includes('no-bag-moved') || needs.includes('way-home');
  };
  // Until a Scrub accepts an order, its Bud has the laundry.
  const others = rows.filter((row) => !hasWayHome(row));
  expect(rows.length).toBeGreaterThan(others.length);
  expect(new Set(others.map(({ from }) => from))).toEqual(new Set(['Requested']));
});
