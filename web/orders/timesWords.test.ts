import { expect, test } from 'vitest';
import { type Timed, timesWords } from './timesWords.ts';

const ORDER: Timed = {
  ...{ status: 'Accepted', situation: undefined, selfDelivery: false, selfPickup: false },
  times: {
    pickup: { from: '2026-03-03T17:00:00Z', until: '2026-03-03T19:00:00Z' },
    return: { from: '2026-03-05T17:00:00Z', until: '2026-03-05T19:00:00Z' },
    ...{ promisedAt: '2026-03-05T19:00:00Z', turnaround: 'standard' },
  },
};
const wordsAt = (now: string, order: Partial<Timed> = {}) =>
  timesWords({ ...ORDER, ...order }, 'UTC', new Date(now))?.replaceAll('\u00a0', ' ');

test('both times of an order are said until its pickup, and then when the laundry is back', () => {
  expect(wordsAt('2026-03-02T12:00:00Z')).toBe('Pickup tomorrow, 5–7 pm. Back Thu, 5–7 pm');
  expect(wordsAt('2026-03-03T19:00:00Z')).toBe('Back Thu, 5–7 pm');
  expect(wordsAt('2026-03-05T12:00:00Z', { status: 'In_Progress' })).toBe('Back today, 5–7 pm');
});

test('a Bud who carries the laundry themselves reads when they come to the Scrub', () => {
  const carried = { selfDelivery: true, selfPickup: true };
  expect(wordsAt('2026-03-03T12:00:00Z', carried)).toBe('Drop-off today, 5–7 pm. Ready Thu, 5–7 pm');
});

test('laundry that is not back by the promised time is late until it is home', () => {
  expect(wordsAt('2026-03-05T19:00:01Z', { status: 'Completed' })).toBe('Late: promised by today, 7 pm');
  expect(wordsAt('2026-03-05T19:00:01Z', { status: 'Completed', situation: 'home' })).toBeUndefined();
});

test('no times are said of an order that ended, or that is done as soon as possible', () => {
  expect(wordsAt('2026-03-02T12:00:00Z', { status: 'Cancelled' })).toBeUndefined();
  expect(wordsAt('2026-03-02T12:00:00Z', { times: undefined })).toBeUndefined();
});
