import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { createRandom } from '../../../sandbox/city/random.ts';
import { type BudFacts, drawOrder, isTimeToOrder, MAX_ORDERS_A_DAY } from './bud.ts';
import { TIMES } from './times.ts';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const isTime = (changes: Partial<BudFacts>) =>
  isTimeToOrder({ now: NOW, pace: 1, visitedAt: NOW, openSince: [], placedAt: [], ...changes });

it('Buds order only while a visitor was there in the last minutes', () => {
  expect(isTime({})).toBe(true);
  expect(isTime({ visitedAt: NOW - 9 * MINUTE_MS })).toBe(true);
  expect(isTime({ visitedAt: NOW - 11 * MINUTE_MS })).toBe(false);
  expect(isTime({ visitedAt: Number.NEGATIVE_INFINITY })).toBe(false);
});

it('Buds have one order under way at a time, and one every few minutes', () => {
  expect(isTime({ openSince: [NOW - MINUTE_MS] })).toBe(false);
  expect(isTime({ placedAt: [NOW - TIMES.betweenOrders + 1] })).toBe(false);
  expect(isTime({ placedAt: [NOW - TIMES.betweenOrders] })).toBe(true);
});

it('an order that nobody ends does not keep Buds from ordering, but several do', () => {
  const stuck = NOW - 60 * MINUTE_MS;
  expect(isTime({ openSince: [stuck] })).toBe(true);
  expect(isTime({ openSince: Array(5).fill(stuck) })).toBe(false);
});

it('neighbours place no more than a fixed number of orders in a day and a night', () => {
  const placedAt: number[] = [];
  const from = NOW - 24 * 60 * MINUTE_MS;
  for (let now = from + 1; now <= NOW; now += TIMES.poll.Bud)
    if (isTime({ now, visitedAt: now, placedAt })) placedAt.push(now);
  expect(placedAt).toHaveLength(MAX_ORDERS_A_DAY);
});

it('the same numbers draw the same orders, of different people', () => {
  const [buds, scrubs] = [
    ['wen', 'priya', 'lucia'],
    ['noor', 'felix'],
  ];
  const drawMany = () => {
    const random = createRandom(7);
    return Array.from({ length: 40 }, () => drawOrder(random, buds, scrubs));
  };
  expect(drawMany()).toEqual(drawMany());
  expect(new Set(drawMany().map((order) => order?.bud)).size).toBe(3);
  expect(new Set(drawMany().map((order) => order?.scrub)).size).toBe(2);
  expect(drawOrder(createRandom(7), buds, [])).toBeUndefined();
});
