import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceInMeters } from './places.ts';

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
describe('the distance between two points', () => {
  test.each([
    [{ latitude: 24, longitude: 67 }, { latitude: 24, longitude: 67 }, 0],
    [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 1 }, 111_195],
    [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_195],
    [{ latitude: 90, longitude: 0 }, { latitude: 90, longitude: 123 }, 0],
    [{ latitude: -90, longitude: 0 }, { latitude: 90, longitude: 0 }, 20_015_115],
    // Paris to London.
    [{ latitude: 48.8566, longitude: 2.3522 }, { latitude: 51.5074, longitude: -0.1278 }, 343_557],
  ])('from %o to %o', (from, to, meters) => {
    expect(Math.abs(distanceInMeters(from, to) - meters)).toBeLessThanOrEqual(5);
  });

  test('is in whole metres, the same in both directions, and 0 from a point to itself', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(Number.isInteger(distanceInMeters(a, b))).toBe(true);
        expect(distanceInMeters(a, b)).toBe(distanceInMeters(b, a));
        expect(distanceInMeters(a, a)).toBe(0);
      }),
    );
  });
});
