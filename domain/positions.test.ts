import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATUSES } from './deliveries.ts';
import { HOUR_MS } from './durations.ts';
import { distanceInMeters } from './places.ts';
import { exactPlace, isOnTheWay, isPositionStale, isPositionVisible, roundPosition } from './positions.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const anyPlace = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe("a Duber's position", () => {
  test('is shared only on the way to the pickup, to the drop-off and back', () => {
    expect(DELIVERY_STATUSES.filter(isOnTheWay)).toEqual(['Way_To_Pick', 'Way_To_Drop', 'Way_Back']);
  });

  test('is old after three minutes', () => {
    expect([179_999, 180_000].map((age) => isPositionStale(ago(age), NOW))).toEqual([false, true]);
  });

  test('is rounded to four decimals, stays in range, and moves by eight metres at most', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const coarse = roundPosition(place);
        expect(roundPosition(coarse)).toEqual(coarse);
        for (const degrees of [coarse.latitude, coarse.longitude]) {
          expect(String(degrees)).toMatch(/^-?\d{1,3}(\.\d{1,4})?$/);
          expect(Object.is(degrees, -0)).toBe(false);
        }
        expect(Math.abs(coarse.latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(coarse.longitude)).toBeLessThanOrEqual(180);
        expect(distanceInMeters(place, coarse)).toBeLessThanOrEqual(8);
      }),
      { seed: 20_261_121 },
    );
  });

  test.each([
    ['visible while the delivery is active', 0, null, true],
    ['hidden after a day, although the delivery is active', 24 * HOUR_MS, null, false],
    ['visible a millisecond before that', 24 * HOUR_MS - 1, null, true],
    ['visible within the hour after the delivery', HOUR_MS, HOUR_MS - 1, true],
    ['hidden an hour after the delivery', HOUR_MS, HOUR_MS, false],
  ] as const)('is %s', (_title, atMs, deliveredMs, isVisible) => {
    const deliveredAt = deliveredMs === null ? null : ago(deliveredMs);
    expect(isPositionVisible({ at: ago(atMs), deliveredAt }, NOW)).toBe(isVisible);
  });
});

test('a place is exact up to a radius of 100 m, also where the phone does not say it, and a vague one is none', () => {
  const place = { latitude: 24, longitude: 67 };
  for (const accuracy of [undefined, null, 0, 100]) expect(exactPlace({ ...place, accuracy })).toEqual(place);
  for (const accuracy of [101, 3_000, Number.POSITIVE_INFINITY])
    expect(exactPlace({ ...place, accuracy })).toBeUndefined();
  expect(exactPlace(undefined)).toBeUndefined();
});
