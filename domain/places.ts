export type Point = { readonly latitude: number; readonly longitude: number };

export const NEARBY_RADIUS_M = 5000; // spec 9
export const NEARBY_RADIUS_MAX_M = 50_000;
export const NEARBY_LIMIT = 50;

const EARTH_RADIUS_M = 6_371_008.8;
const BANDS_PER_DEGREE = 100;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in whole metres. */
export function distanceInMeters(a: Point, b: Point): number {
  const dLat = radians(b.latitude - a.latitude);
  const dLng = radians(b.longitude - a.longitude);
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLng / 2) ** 2;
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** The latitude band that the nearby index is ordered by: a hundredth of a degree, about 1.1 km. */
export function bandOf(latitude: number): number {
  return Math.floor(latitude * BANDS_PER_DEGREE);
}

export type Box = {
  readonly bandFrom: number;
  readonly bandTo: number;
  /** One range of longitudes, or two where the circle crosses the 180th meridian. */
  readonly longitudes: readonly (readonly [from: number, to: number])[];
};

/** The bands and longitudes that every point within `radius` whole metres of `center` lies in. */
export function boxAround(center: Point, wholeRadius: number): Box {
  // A distance is rounded to whole metres, so a point up to half a metre further still counts as within.
  const radius = wholeRadius + 1;
  const dLat = (radius / EARTH_RADIUS_M) * (180 / Math.PI);
  const south = center.latitude - dLat;
  const north = center.latitude + dLat;
  const bands = { bandFrom: bandOf(Math.max(south, -90)), bandTo: bandOf(Math.min(north, 90)) };
  // A circle that holds a pole holds every longitude.
  if (north >= 90 || south <= -90) return { ...bands, longitudes: [[-180, 180]] };
  const widest = Math.asin(Math.min(1, Math.sin(radius / EARTH_RADIUS_M) / Math.cos(radians(center.latitude))));
  const dLng = (widest * 180) / Math.PI;
  const west = center.longitude - dLng;
  const east = center.longitude + dLng;
  if (west < -180)
    return {
      ...bands,
      longitudes: [
        [west + 360, 180],
        [-180, east],
      ],
    };
  if (east > 180)
    return {
      ...bands,
      longitudes: [
        [west, 180],
        [-180, east - 360],
      ],
    };
  return { ...bands, longitudes: [[west, east]] };
}
