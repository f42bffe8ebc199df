import type { MapRef } from 'react-map-gl/maplibre';
import type { Point } from '../../domain/places.ts';

/** The box around points, as a map takes it: west, south, east, north. */
export function boundsOf(points: readonly Point[]): [number, number, number, number] {
  const lngs = points.map((point) => point.longitude);
  const lats = points.map((point) => point.latitude);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

type Fit = Parameters<MapRef['fitBounds']>[1];

/** A smaller map, such as one that is being laid out, has no room for points within a padding. */
const MIN_FIT_PX = 150;

/** Moves a map so that it shows these points. */
export function fitPoints(map: MapRef | null, points: readonly Point[], fit: Fit): void {
  const { clientWidth = 0, clientHeight = 0 } = map?.getContainer() ?? {};
  if (Math.min(clientWidth, clientHeight) < MIN_FIT_PX) return;
  map?.fitBounds(boundsOf(points), fit);
}
