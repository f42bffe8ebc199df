import type { City, Position } from '../city/types.ts';

type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'Polygon'; coordinates: Position[][] };
type Feature = { type: 'Feature'; properties: Record<string, string | number>; geometry: Geometry };
type FeatureCollection = { type: 'FeatureCollection'; features: Feature[] };

/** The city without its houses, which are too many for one file: see tiles.ts. */
export function toGeoJson(city: City): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: [
      toPolygonFeature({ kind: 'ground' }, city.ground),
      ...city.parks.flatMap(({ kind, name, outline, centre }) => [
        toPolygonFeature({ kind }, outline),
        toPointFeature({ kind: 'park-name', name, rank: kind === 'wood' ? 1 : parkRankOf(outline) }, centre),
      ]),
      ...city.water.flatMap(({ kind, name, outline, middle }) => [
        toPolygonFeature({ kind: 'water' }, outline),
        middle.length > 1
          ? toLineFeature({ kind: 'river-name', name }, middle)
          : toPointFeature({ kind: `${kind}-name`, name }, middle[0]),
      ]),
      ...city.streets.map((street) => toLineFeature({ kind: street.kind, name: street.name }, street.line)),
      ...city.railways.map(({ name, line: rails }) => toLineFeature({ kind: 'rail', name }, rails)),
      toPointFeature({ kind: 'city-name', name: city.name }, city.centre),
      ...city.districts.map(({ name, centre }) => toPointFeature({ kind: 'district-name', name }, centre)),
      ...city.pointsOfInterest
        .filter(({ category }) => category !== 'park')
        .map(({ name, category, position }) => toPointFeature({ kind: 'sight', category, name }, position)),
    ],
  };
}

// Big parks get their label at a lower zoom.
function parkRankOf(outline: Position[]): number {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const span = Math.max(...xs) - Math.min(...xs) + Math.max(...ys) - Math.min(...ys);
  return span > 0.008 ? 1 : span > 0.004 ? 2 : 3;
}

function toPolygonFeature(properties: Feature['properties'], outline: Position[]): Feature {
  const first = outline[0] as Position;
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [[...outline, first]] } };
}

function toLineFeature(properties: Feature['properties'], coordinates: Position[]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
}

function toPointFeature(properties: Feature['properties'], coordinates: Position = [0, 0]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates } };
}
