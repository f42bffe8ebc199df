import { EARTH_RADIUS_M, type Point } from '../../domain/places.ts';

const CORNERS = 64;
const DEGREES = 180 / Math.PI;

/** A circle on the map, as a polygon. Flat geometry is exact enough for the few kilometers that a phone may be off. */
export function circleAround({ latitude, longitude }: Point, radiusM: number) {
  const height = (radiusM / EARTH_RADIUS_M) * DEGREES;
  const width = height / Math.max(0.01, Math.cos(latitude / DEGREES));
  const corners = Array.from({ length: CORNERS + 1 }, (_, index): [number, number] => {
    const angle = (index / CORNERS) * 2 * Math.PI;
    return [longitude + width * Math.cos(angle), latitude + height * Math.sin(angle)];
  });
  return { type: 'Feature' as const, properties: {}, geometry: { type: 'Polygon' as const, coordinates: [corners] } };
}
