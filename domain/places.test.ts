import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandOf, boxAround, distanceInMeters, NEARBY_RADIUS_MAX_M, type Point } from './places.ts';

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const atTheEdges = fc.record({
  latitude: fc.constantFrom(-90, -89.99, -89.6, -66.5, 0, 24, 66.5, 89.6, 89.99, 90),
  longitude: fc.constantFrom(-180, -179.99, -179.6, 0, 67, 179.6, 179.99, 180),
});

const isInBox = (center: Point, radius: number, { latitude, longitude }: Point) => {
  const box = boxAround(center, radius);
  const band = bandOf(latitude);
  return (
    band >= box.bandFrom &&
    band <= box.bandTo &&
    box.longitudes.some(([from, to]) => from <= longitude && longitude <= to)
  );
};

/** The point `meters` from another one in a direction, by the haversine's inverse. */
function pointTowards(from: Point, meters: number, bearing: number): Point {
  const rad = Math.PI / 180;
  const arc = meters / 6_371_008.8;
  const lat = Math.asin(
    Math.sin(from.latitude * rad) * Math.cos(arc) +
      Math.cos(from.latitude * rad) * Math.sin(arc) * Math.cos(bearing * rad),
  );
  const lng =
    from.longitude * rad +
    Math.atan2(
      Math.sin(bearing * rad) * Math.sin(arc) * Math.cos(from.latitude * rad),
      Math.cos(arc) - Math.sin(from.latitude * rad) * Math.sin(lat),
    );
  const degrees = lng / rad;
  return { latitude: lat / rad, longitude: degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees };
}

describe('the distance between two points', () => {
  test.each([
    [{ latitude: 24, longitude: 67 }, { latitude: 24, longitude: 67 }, 0],
    [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 1 }, 111_195],
    [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_195],
    [{ latitude: 90, longitude: 0 }, { latitude: 90, longitude: 123 }, 0],
    [{ latitude: -90, longitude: 0 }, { latitude: 90, longitude: 0 }, 20_015_115],
    // Paris to London, as an atlas has it to the kilometre.
    [{ latitude: 48.8566, longitude: 2.3522 }, { latitude: 51.5074, longitude: -0.1278 }, 343_557],
  ])('from %o to %o', (from, to, meters) => {
    expect(Math.abs(distanceInMeters(from, to) - meters)).toBeLessThanOrEqual(5);
  });

  test('is whole metres, the same both ways, and none to oneself', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(Number.isInteger(distanceInMeters(a, b))).toBe(true);
        expect(distanceInMeters(a, b)).toBe(distanceInMeters(b, a));
        expect(distanceInMeters(a, a)).toBe(0);
      }),
    );
  });
});

describe('the box around a point', () => {
  test('holds every point whose distance is within the radius, at the poles and the antimeridian too', () => {
    fc.assert(
      fc.property(
        fc.oneof(point, atTheEdges),
        fc.integer({ min: 1, max: NEARBY_RADIUS_MAX_M }),
        fc.double({ min: 0, max: 1.00001, noNaN: true }),
        fc.double({ min: 0, max: 360, noNaN: true }),
        (center, radius, share, bearing) => {
          const other = pointTowards(center, radius * share, bearing);
          fc.pre(distanceInMeters(center, other) <= radius);
          expect(isInBox(center, radius, other)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('holds a point that is only rounded into the radius', () => {
    const center = { latitude: 24, longitude: 67 };
    for (const bearing of [0, 90, 180, 270]) {
      const other = pointTowards(center, 5000.4, bearing);
      expect(distanceInMeters(center, other)).toBe(5000);
      expect(isInBox(center, 5000, other)).toBe(true);
    }
  });

  test('is no wider than it needs to be', () => {
    const { bandFrom, bandTo, longitudes } = boxAround({ latitude: 24, longitude: 67 }, 5000);
    expect(bandTo - bandFrom).toBeLessThanOrEqual(10);
    expect(longitudes).toHaveLength(1);
    const [[west, east] = [0, 0]] = longitudes;
    expect(east - west).toBeLessThan(0.1);
  });

  test('is two ranges where it crosses the antimeridian, and every longitude where it holds a pole', () => {
    expect(boxAround({ latitude: 0, longitude: 179.99 }, 5000).longitudes).toHaveLength(2);
    expect(boxAround({ latitude: 0, longitude: -179.99 }, 5000).longitudes).toHaveLength(2);
    expect(boxAround({ latitude: 89.99, longitude: 12 }, 5000).longitudes).toEqual([[-180, 180]]);
    expect(boxAround({ latitude: -89.99, longitude: 12 }, 5000).longitudes).toEqual([[-180, 180]]);
  });
});
