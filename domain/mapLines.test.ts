import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Line, locateOnLine, restOfLine, simplifyLine } from './mapLines.ts';
import { distanceInMeters, type Point } from './places.ts';

const at = (north: number, east: number): Point => ({
  latitude: 24 + north / 111_195,
  longitude: 67 + east / (111_195 * Math.cos((24 * Math.PI) / 180)),
});
const CORNER: Line = [at(0, 0), at(0, 100), at(300, 100)];
const lineLength = (line: Line) =>
  line.slice(1).reduce((sum, end, i) => sum + locateOnLine([line[i] as Point, end], end).along, 0);
const points = fc
  .tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: -5000, max: 5000 }))
  .map(([north, east]) => at(north, east));
const lines = fc.array(points, { minLength: 2, maxLength: 60 });

describe('a line', () => {
  test('is as long as its parts', () => {
    expect(lineLength(CORNER)).toBeCloseTo(400, 0);
    expect(lineLength([at(0, 0), at(2000, 1000)])).toBeCloseTo(distanceInMeters(at(0, 0), at(2000, 1000)), -1);
  });

  test('knows where a point is along it, and how far away', () => {
    const { along, away } = locateOnLine(CORNER, at(50, 130));
    expect(along).toBeCloseTo(150, 0);
    expect(away).toBeCloseTo(30, 0);
  });

  test('is cut at a place along it, and ends at its end', () => {
    const rest = restOfLine(CORNER, 150);
    expect(rest).toHaveLength(2);
    expect(distanceInMeters(rest[0] as Point, at(50, 100))).toBe(0);
    expect(restOfLine(CORNER, 0)).toEqual(CORNER);
    expect(restOfLine(CORNER, 9_000)).toEqual([at(300, 100), at(300, 100)]);
  });

  test('and what is left after a cut are as long as the line', () => {
    fc.assert(
      fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (line, share) => {
        const along = lineLength(line) * share;
        expect(lineLength(restOfLine(line, along)) + along).toBeCloseTo(lineLength(line), -1);
      }),
    );
  });

  test('keeps its ends and its shape with fewer points', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 2, max: 40 }), (line, most) => {
        const simple = simplifyLine(line, most);
        expect(simple.length).toBeLessThanOrEqual(most);
        expect([simple[0], simple.at(-1)]).toEqual([line[0], line.at(-1)]);
        expect(simple.every((point) => line.includes(point))).toBe(true);
      }),
    );
  });

  test('loses only points that are within a few metres, when it may have as many as it wants', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const simple = simplifyLine(line, 1000);
        for (const point of line) expect(locateOnLine(simple, point).away).toBeLessThan(5);
      }),
    );
  });

  test('of twenty thousand points is simplified at once, even if each point is the farthest of the rest', () => {
    const zigzag = Array.from({ length: 20_000 }, (_, i) => at((i % 2 === 0 ? 1 : -1) * (20_000 - i), i));
    const before = process.cpuUsage();
    expect(simplifyLine(zigzag, 118)).toHaveLength(118);
    const { user, system } = process.cpuUsage(before);
    // It takes 20 ms. With every stretch searched for every point it took a minute.
    expect((user + system) / 1000).toBeLessThan(2_000);
  });
});
