import { interpolate } from '../domain/mapLines.ts';
import { distanceInMeters, type Point } from '../domain/places.ts';

/** The point after this fraction of a line: its first point at 0 or less, its last at 1 or more. */
export function pointAlong(line: readonly [Point, ...Point[]], fraction: number): Point {
  const [first] = line;
  const last = line.at(-1) ?? first;
  if (fraction <= 0) return first;
  if (fraction >= 1) return last;
  const deliveries = line.slice(1).map((to, i) => {
    const from = line[i] ?? first;
    return { from, to, meters: distanceInMeters(from, to) };
  });
  let left = fraction * deliveries.reduce((sum, { meters }) => sum + meters, 0);
  for (const { from, to, meters } of deliveries) {
    if (left < meters) return interpolate(from, to, left / meters);
    left -= meters;
  }
  return last;
}
