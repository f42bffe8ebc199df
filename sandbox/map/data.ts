import type { City, Position } from '../city/types.ts';

type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'Polygon'; coordinates: Position[][] };
type Feature = { type: 'Feature'; properties: Record<string, string | number>; geometry: Geometry };
type CityData = { type: 'FeatureCollection'; features: Feature[] };

// Everything of the city but its houses, of which there are too many for one file: see tiles.ts.
export function toCityData(city: City): CityData {
  return {
    type: 'FeatureCollection',
    features: [
      area({ kind: 'ground' }, city.ground),
      ...city.parks.flatMap(({ kind, name, outline, centre }) => [
        area({ kind }, outline),
        point({ kind: 'park-name', name, rank: kind === 'wood' ? 1 : sizeRank(outline) }, centre),
      ]),
      ...city.water.flatMap(({ kind, name, outline, middle }) => [
        area({ kind: 'water' }, outline),
        middle.length > 1
          ? line({ kind: 'river-name', name }, middle)
          : point({ kind: `${kind}-name`, name }, middle[0]),
      ]),
      ...city.streets.map((street) => line({ kind: street.kind, name: street.name }, street.line)),
      ...city.railways.map(({ name, line: rails }) => line({ kind: 'rail', name }, rails)),
      point({ kind: 'city-name', name: city.name }, city.centre),
      ...city.districts.map(({ name, centre }) => point({ kind: 'district-name', name }, centre)),
      ...city.sights
        .filter(({ category }) => category !== 'park')
        .map(({ name, category, position }) => point({ kind: 'sight', category, name }, position)),
    ],
  };
}

// Big parks are named from farther away.
function sizeRank(outline: Position[]): number {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const span = Math.max(...xs) - Math.min(...xs) + Math.max(...ys) - Math.min(...ys);
  return span > 0.008 ? 1 : span > 0.004 ? 2 : 3;
}

function area(properties: Feature['properties'], outline: Position[]): Feature {
  const first = outline[0] as Position;
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [[...outline, first]] } };
}

function line(properties: Feature['properties'], coordinates: Position[]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
}

function point(properties: Feature['properties'], coordinates: Position = [0, 0]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates } };
}
