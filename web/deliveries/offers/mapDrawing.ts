import { distanceInMeters, type Point } from '../../../domain/places.ts';

export const MAP_WIDTH = 320;
export const MAP_HEIGHT = 128;
/** Room for the pins, which are drawn around their points. */
const MARGIN = 24;
/** A shorter way is not enlarged any further: 300 m fill the map. */
const MIN_EXTENT_M = 300;
const GRID_STEPS_M = [100, 250, 500, 1000, 2500] as const;
const MAX_GRID_LINES = 12;

export type MapPoint = { readonly x: number; readonly y: number };
export type MiniMapDrawing = {
  readonly points: readonly MapPoint[];
  /** The side of a square of the grid, in units of the drawing. */
  readonly grid: number;
};

/** Places points on a small map, north up, so that all of them are inside and distances keep their proportions. */
export function drawMiniMap(places: readonly Point[]): MiniMapDrawing {
  const [first = { latitude: 0, longitude: 0 }] = places;
  // Metres east and south of the first place; this close, the earth is flat.
  const east = (place: Point) =>
    Math.sign(place.longitude - first.longitude) * distanceInMeters(first, { ...first, longitude: place.longitude });
  const south = (place: Point) =>
    Math.sign(first.latitude - place.latitude) * distanceInMeters(first, { ...first, latitude: place.latitude });
  const [xs, ys] = [places.map(east), places.map(south)];
  const [width, height] = [xs, ys].map((all) => Math.max(...all) - Math.min(...all)) as [number, number];
  const scale = Math.min(
    (MAP_WIDTH - 2 * MARGIN) / Math.max(width, MIN_EXTENT_M),
    (MAP_HEIGHT - 2 * MARGIN) / Math.max(height, MIN_EXTENT_M),
  );
  const center = (all: readonly number[]) => (Math.max(...all) + Math.min(...all)) / 2;
  const [centerX, centerY] = [center(xs), center(ys)];
  const points = xs.map((x, index) => ({
    x: MAP_WIDTH / 2 + (x - centerX) * scale,
    y: MAP_HEIGHT / 2 + ((ys[index] ?? 0) - centerY) * scale,
  }));
  return { points, grid: gridStep(scale) * scale };
}

function gridStep(scale: number): number {
  const fits = (meters: number) => MAP_WIDTH / (meters * scale) <= MAX_GRID_LINES;
  return GRID_STEPS_M.find(fits) ?? GRID_STEPS_M[4] * Math.ceil(MAP_WIDTH / (MAX_GRID_LINES * GRID_STEPS_M[4] * scale));
}
