import { expect, it } from 'vitest';
import { distanceInMeters } from '../domain/places.ts';
import { pointAlong } from './driving.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
// One kilometre north, then two kilometres east, with a corner between.
const CORNER = at(0.009, 0);
const BEND = [at(0, 0), CORNER, at(0.009, 0.018)] as const;

it('is at the first point of a line before the start, and at the last one after the end', () => {
  expect(pointAlong(BEND, 0)).toEqual(BEND[0]);
  expect(pointAlong(BEND, -1)).toEqual(BEND[0]);
  expect(pointAlong(BEND, 1)).toEqual(BEND[2]);
  expect(pointAlong(BEND, 7)).toEqual(BEND[2]);
});

it('counts by length, not by points', () => {
  expect(pointAlong(BEND, 1 / 6).latitude).toBeCloseTo(0.0045, 5);
  expect(distanceInMeters(pointAlong(BEND, 1 / 3), CORNER)).toBeLessThan(3);
  const later = pointAlong(BEND, 2 / 3);
  expect(later.latitude).toBe(0.009);
  expect(later.longitude).toBeCloseTo(0.009, 4);
});

it('never goes back', () => {
  const way = Array.from({ length: 50 }, (_, i) => pointAlong(BEND, i / 49));
  const gone = way.map(({ latitude, longitude }) => latitude + longitude);
  expect(gone).toEqual(gone.toSorted((a, b) => a - b));
});

it('stays on a line of one point, and on one that goes nowhere', () => {
  expect(pointAlong([at(24, 67)], 0.5)).toEqual(at(24, 67));
  expect(pointAlong([at(24, 67), at(24, 67)], 0.5)).toEqual(at(24, 67));
});
