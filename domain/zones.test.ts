import { describe, expect, test } from 'vitest';
import { distanceInMeters, type Point } from './places.ts';
import { areaOf, type Corners, circleAround, findAreaProblem, findZone, isInside, pricesIn } from './zones.ts';

const at = (latitude: number, longitude: number): Point => ({ latitude, longitude });
const cornersOf = (...pairs: [number, number][]): Corners =>
  pairs.map(([latitude, longitude]) => at(latitude, longitude));
const SQUARE = cornersOf([0, 0], [0, 1], [1, 1], [1, 0]);
/** A square with a bay in its eastern side. */
const BAY = cornersOf([0, 0], [0, 1], [0.4, 1], [0.5, 0.2], [0.6, 1], [1, 1], [1, 0]);

test.each([
  ['in the middle', at(0.5, 0.5), true],
  ['outside', at(0.5, 1.5), false],
  ['west of it, at the height of a corner', at(0, -1), false],
  ['east of it, at the height of an edge', at(1, 2), false],
  ['on a side', at(0.5, 1), true],
  ['on a corner', at(1, 1), true],
  ['beyond a corner, on the line of a side', at(1, 1.0001), false],
])('a place %s of a square', (_name, place, isIn) => {
  expect(isInside(place, SQUARE)).toBe(isIn);
  expect(isInside(place, SQUARE.toReversed())).toBe(isIn);
});

test('a bay is outside, and its shores are inside', () => {
  expect(isInside(at(0.5, 0.6), BAY)).toBe(false);
  expect(isInside(at(0.5, 0.1), BAY)).toBe(true);
  expect(isInside(at(0.2, 0.9), BAY)).toBe(true);
  // At the height of the tip of the bay.
  expect(isInside(at(0.5, -1), BAY)).toBe(false);
  expect(isInside(at(0.5, 2), BAY)).toBe(false);
});

test.each([
  ['a square', SQUARE, undefined],
  ['a bay', BAY, undefined],
  ['a triangle', SQUARE.slice(1), undefined],
  ['two corners', SQUARE.slice(2), 'at least 3 corners'],
  ['a bow tie', cornersOf([0, 0], [1, 1], [0, 1], [1, 0]), 'must not cross'],
  ['the same corner twice', [...SQUARE, at(1, 0)], 'must not cross'],
  ['the first corner once more at the end', [...SQUARE, at(0, 0)], 'must not cross'],
  ['a line', cornersOf([0, 0], [1, 1], [0.5, 0.5]), 'must not cross'],
  ['a side that touches a corner', cornersOf([0, 0], [0, 1], [0.5, 0], [1, 1], [1, 0]), 'must not cross'],
  ['half of the world', cornersOf([0, 0], [0, 90], [80, 0]), 'more than a part of a town'],
  ['both sides of the date line', cornersOf([0, 179.9], [0, -179.9], [0.1, -179.9], [0.1, 179.9]), '180th meridian'],
  ['a circle over the date line', circleAround(at(-16.8, 179.99), 5), '180th meridian'],
  ['too many corners', circleAround(at(0, 0), 5).flatMap((one) => [one, one, one]), 'at most 60 corners'],
])('what is wrong with %s', (_name, corners, problem) => {
  if (problem === undefined) expect(findAreaProblem(corners)).toBeUndefined();
  else expect(findAreaProblem(corners)).toContain(problem);
});

describe('of zones that overlap', () => {
  const small = { id: 'b', corners: cornersOf([0.4, 0.4], [0.4, 0.6], [0.6, 0.6], [0.6, 0.4]) };
  const large = { id: 'a', corners: SQUARE };

  test('the smallest one counts, whatever their order is', () => {
    for (const zones of [
      [small, large],
      [large, small],
    ]) {
      expect(findZone(at(0.5, 0.5), zones)?.id).toBe('b');
      expect(findZone(at(0.4, 0.5), zones)?.id).toBe('b');
      expect(findZone(at(0.3, 0.5), zones)?.id).toBe('a');
      expect(findZone(at(2, 2), zones)).toBeUndefined();
    }
  });

  test('sizes are those on the globe, from whatever corner the drawing begins', () => {
    const boxOf = (south: number, west: number, high: number, wide: number) =>
      cornersOf([south, west], [south, west + wide], [south + high, west + wide], [south + high, west]);
    // Twice as many degrees of longitude are less than twice as far in the north.
    const tall = boxOf(60, 20, 1.9, 0.5);
    const beginsInTheNorth = [...tall.slice(2), ...tall.slice(0, 2)];
    expect(areaOf(beginsInTheNorth)).toBeCloseTo(areaOf(tall), 6);
    // It is a little larger than `tall`, wherever that is drawn from.
    const wide = boxOf(60, 20, 0.97, 0.97);
    for (const corners of [tall, beginsInTheNorth])
      expect(
        findZone(at(60.1, 20.1), [
          { id: 'a', corners: wide },
          { id: 'b', corners },
        ])?.id,
      ).toBe('b');
  });

  test('the same area twice has the prices of one of them, always the same', () => {
    const twin = { id: 'c', corners: large.corners };
    expect(findZone(at(0.1, 0.1), [twin, large])?.id).toBe('a');
    expect(findZone(at(0.1, 0.1), [large, twin])?.id).toBe('a');
  });
});

test('a circle has its radius, and is a zone, also far in the north', () => {
  for (const middle of [at(24.86, 67), at(69.6, 18.9)]) {
    const corners = circleAround(middle, 2);
    expect(findAreaProblem(corners)).toBeUndefined();
    for (const corner of corners) expect(Math.abs(distanceInMeters(middle, corner) - 2000)).toBeLessThan(25);
    expect(areaOf(corners)).toBeGreaterThan(12);
    expect(areaOf(corners)).toBeLessThan(12.7);
    expect(isInside(middle, corners)).toBe(true);
  }
});

test("a zone's own prices stand in for those of the town", () => {
  const town = [
    { item: 'pickup', value: 599 },
    { item: 'taxes', value: 800 },
  ] as const;
  expect(pricesIn(town, undefined)).toEqual(town);
  expect(pricesIn(town, [{ item: 'pickup', value: 0 }])).toEqual([
    { item: 'pickup', value: 0 },
    { item: 'taxes', value: 800 },
  ]);
});
