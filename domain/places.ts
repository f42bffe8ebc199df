export type Point = { readonly latitude: number; readonly longitude: number };

export const NEARBY_RADIUS_M = 5000; // spec 9
export const NEARBY_RADIUS_MAX_M = 50_000;
export const NEARBY_LIMIT = 50;

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
