import type { Point } from '../../domain/places.ts';

/** The box around points, as a map takes it: west, south, east, north. */
export function boundsOf(points: readonly Point[]): [number, number, number, number] {
  const lngs = points.map((point) => point.longitude);
  const lats = points.map((point) => point.latitude);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
