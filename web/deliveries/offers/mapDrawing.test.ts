import { describe, expect, test } from 'vitest';
import { distanceInMeters, type Point } from '../../../domain/places.ts';
import { drawMiniMap, MAP_HEIGHT, MAP_WIDTH, type MapPoint } from './mapDrawing.ts';

const HERE: Point = { latitude: 24.01, longitude: 67.0 };
const away = (north: number, east: number): Point => ({
  latitude: HERE.latitude + north / 111_195,
  longitude: HERE.longitude + east / (111_195 * Math.cos((HERE.latitude * Math.PI) / 180)),
});
const lengthOf = (a: MapPoint, b: MapPoint) => Math.hypot(a.x - b.x, a.y - b.y);

const ROUTES: readonly (readonly Point[])[] = [
  [HERE, away(500, 300)],
  [HERE, away(-4_000, 0), away(100, 50)],
  [HERE, away(0, 9_000), away(10, 12)],
  [HERE, HERE],
  [HERE],
  [HERE, away(48_000, 48_000), away(47_000, 48_000)],
];

describe('the small map of an offer', () => {
  test.each(ROUTES)('has every place inside', (...places) => {
    const { points, grid } = drawMiniMap(places);
    expect(points).toHaveLength(places.length);
    for (const { x, y } of points) {
      expect(x).toBeGreaterThanOrEqual(23);
      expect(x).toBeLessThanOrEqual(MAP_WIDTH - 23);
      expect(y).toBeGreaterThanOrEqual(23);
      expect(y).toBeLessThanOrEqual(MAP_HEIGHT - 23);
    }
    expect(MAP_WIDTH / grid).toBeGreaterThan(0);
    expect(MAP_WIDTH / grid).toBeLessThanOrEqual(12);
  });

  test('has the north on top and the east on the right', () => {
    const [from, to] = drawMiniMap([HERE, away(400, 400)]).points;
    expect(to?.x).toBeGreaterThan(from?.x ?? Number.POSITIVE_INFINITY);
    expect(to?.y).toBeLessThan(from?.y ?? Number.NEGATIVE_INFINITY);
  });

  test('keeps the proportions of distances', () => {
    const places = [HERE, away(300, 900), away(-200, 100)] as const;
    const [a, b, c] = drawMiniMap(places).points as [MapPoint, MapPoint, MapPoint];
    const onMap = lengthOf(a, b) / lengthOf(a, c);
    const outside = distanceInMeters(places[0], places[1]) / distanceInMeters(places[0], places[2]);
    expect(onMap).toBeCloseTo(outside, 1);
  });

  test('draws two places that are the same in the middle', () => {
    expect(drawMiniMap([HERE, HERE]).points).toEqual([
      { x: MAP_WIDTH / 2, y: MAP_HEIGHT / 2 },
      { x: MAP_WIDTH / 2, y: MAP_HEIGHT / 2 },
    ]);
  });
});
