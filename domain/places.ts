export type Point = { readonly latitude: number; readonly longitude: number };

export const NEARBY_RADIUS_M = 5000; // spec 9
export const NEARBY_RADIUS_MAX_M = 50_000;
export const NEARBY_LIMIT = 50;

export const MAX_ADDRESSES = 20;

/** How far from their address a Duber may search, and how far they may move it without counting as a move. */
export const DUBER_SEARCH_RADIUS_M = 50_000;
/** How often a Duber's address may move beyond DUBER_SEARCH_RADIUS_M. */
export const DUBER_MOVE_LIMIT = { max: 3, periodMs: 30 * 24 * 60 * 60 * 1000 };

export const EARTH_RADIUS_M = 6_371_008.8;
/** Latitudes are indexed in bands of a hundredth of a degree, about 1.1 km. */
export const BANDS_PER_DEGREE = 100;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in whole metres. */
export function distanceInMeters(a: Point, b: Point): number {
  const dLat = radians(b.latitude - a.latitude);
  const dLng = radians(b.longitude - a.longitude);
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLng / 2) ** 2;
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** The band that a latitude is in. Indexes for searches by distance start with it. */
export function bandOf(latitude: number): number {
  return Math.floor(latitude * BANDS_PER_DEGREE);
}

/** Approximate places lie on a grid of about 300 m: this many rows of it per degree. */
export const APPROXIMATE_CELLS_PER_DEGREE = 370;
/** The columns of the grid are not made narrower than this cosine of the latitude: the poles have none. */
export const APPROXIMATE_MIN_COS = 0.01;
/** A place is never further than this from its approximate place, in metres. */
export const APPROXIMATE_ERROR_M = 300;

/** The nearest point of a fixed grid: rounding the same place again and again reveals nothing more. */
export function approximatePoint({ latitude, longitude }: Point): Point {
  const rounded = Math.round(latitude * APPROXIMATE_CELLS_PER_DEGREE) / APPROXIMATE_CELLS_PER_DEGREE;
  const cells = APPROXIMATE_CELLS_PER_DEGREE * Math.max(Math.cos(radians(rounded)), APPROXIMATE_MIN_COS);
  return { latitude: rounded, longitude: Math.min(180, Math.max(-180, Math.round(longitude * cells) / cells)) };
}
