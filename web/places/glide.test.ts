import { describe, expect, test } from 'vitest';
import { locateOnLine } from '../../domain/mapLines.ts';
import { distanceInMeters, type Point } from '../../domain/places.ts';
import { drawOnLine, glideBetween, isOnLine } from './glide.ts';

const at = (north: number, east: number): Point => ({
  latitude: 24 + north / 111_195,
  longitude: 67 + east / (111_195 * Math.cos((24 * Math.PI) / 180)),
});
/** Around a block: 1 km north, then 1 km east. */
const LINE = [at(0, 0), at(1000, 0), at(1000, 1000)];
const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1];

describe('the driver’s pin', () => {
  test('glides around the corner, never through the block', () => {
    const glide = glideBetween(LINE, at(500, 20), at(990, 500));
    for (const share of SHARES) expect(locateOnLine(LINE, glide(share)).away).toBeLessThan(1);
    const places = SHARES.map((share) => locateOnLine(LINE, glide(share)).along);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([Math.round(places[0] ?? 0), Math.round(places.at(-1) ?? 0)]).toEqual([500, 1500]);
  });

  test('goes straight without a line, beside it, and backwards', () => {
    const middle = (line: Point[] | undefined, from: Point, to: Point) => glideBetween(line, from, to)(0.5);
    expect(distanceInMeters(middle(undefined, at(0, 0), at(200, 0)), at(100, 0))).toBe(0);
    expect(distanceInMeters(middle(LINE, at(0, 0), at(500, 500)), at(250, 250))).toBe(0);
    expect(distanceInMeters(middle(LINE, at(1000, 500), at(500, 0)), at(750, 250))).toBe(0);
  });

  test('is drawn on the street, with the rest of the way ahead of it', () => {
    const { at: place, rest } = drawOnLine(LINE, at(400, 30));
    expect(distanceInMeters(place, at(400, 0))).toBe(0);
    expect(rest).toEqual([place, ...LINE.slice(1)]);
    expect(isOnLine(LINE, at(400, 30))).toBe(true);
  });

  test('is drawn where it is when it has left the way', () => {
    expect(isOnLine(LINE, at(400, 300))).toBe(false);
    expect(drawOnLine(LINE, at(400, 300))).toEqual({ at: at(400, 300), rest: [] });
  });
});
