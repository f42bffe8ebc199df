import type { City, House, Position } from '../city/types.ts';
import { joinBytes, writeBytes, writePacked, writeText, writeVarint } from './protobuf.ts';

/** The only zoom with house tiles; higher zooms scale them up. */
export const TILE_ZOOM = 15;
const EXTENT = 8192;

type HouseTiles = { encode: (x: number, y: number) => Uint8Array };

/** Houses as vector tiles (format version 2): layer `buildings`, and layer `doors` with the house number `n`. */
export function createHouseTiles(city: City): HouseTiles {
  const buildings = new Map<string, House[]>();
  const doors = new Map<string, House[]>();
  const put = (into: Map<string, House[]>, key: string, house: House) => {
    const found = into.get(key);
    if (found) found.push(house);
    else into.set(key, [house]);
  };
  for (const house of city.houses) {
    put(doors, tileKeyOf(toTileCoordinates(house.position)), house);
    // A building on a tile's edge is in both tiles.
    for (const key of new Set(footprintOf(city, house).map((corner) => tileKeyOf(toTileCoordinates(corner)))))
      put(buildings, key, house);
  }
  return {
    encode: (x, y) => {
      const key = `${x}/${y}`;
      const toGrid = (position: Position): [number, number] => {
        const [column, row] = toTileCoordinates(position);
        return [Math.round((column - x) * EXTENT), Math.round((row - y) * EXTENT)];
      };
      return joinBytes([
        ...writeLayer(
          'buildings',
          buildings.get(key) ?? [],
          (house) => encodePolygon(footprintOf(city, house).map(toGrid)),
          3,
          false,
        ),
        ...writeLayer('doors', doors.get(key) ?? [], (house) => encodePoint(toGrid(house.position)), 1, true),
      ]);
    },
  };
}

const CORNERS = 4;

function footprintOf({ footprints }: City, { id }: House): Position[] {
  return Array.from({ length: CORNERS }, (_, corner) => {
    const at = 2 * (CORNERS * id + corner);
    return [footprints[at] ?? 0, footprints[at + 1] ?? 0];
  });
}

function tileKeyOf([column, row]: [number, number]): string {
  return `${Math.floor(column)}/${Math.floor(row)}`;
}

/** Web Mercator, in tiles of TILE_ZOOM. */
export function toTileCoordinates([longitude, latitude]: Position): [number, number] {
  const count = 2 ** TILE_ZOOM;
  const lift = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return [((longitude + 180) / 360) * count, ((1 - lift) / 2) * count];
}

function writeLayer(
  name: string,
  houses: House[],
  draw: (house: House) => number[],
  shape: 1 | 3,
  numbered: boolean,
): Uint8Array[] {
  if (houses.length === 0) return [];
  const numbers = [...new Set(houses.map((house) => house.number))];
  const places = new Map(numbers.map((number, i) => [number, i]));
  const features = houses.map((house) =>
    writeBytes(
      2,
      joinBytes([
        writeVarint(1, house.id + 1),
        ...(numbered ? [writePacked(2, [0, places.get(house.number) ?? 0])] : []),
        writeVarint(3, shape),
        writePacked(4, draw(house)),
      ]),
    ),
  );
  const tags = numbered
    ? [writeText(3, 'n'), ...numbers.map((number) => writeBytes(4, writeText(1, String(number))))]
    : [];
  const head = [writeVarint(15, 2), writeText(1, name)];
  return [writeBytes(3, joinBytes([...head, ...features, ...tags, writeVarint(5, EXTENT)]))];
}

function encodePoint([x, y]: [number, number]): number[] {
  return [encodeCommand(1, 1), encodeZigzag(x), encodeZigzag(y)];
}

// An outer ring runs clockwise on the screen, where y points down.
function encodePolygon(ring: [number, number][]): number[] {
  const turned = signedArea(ring) < 0 ? [...ring].reverse() : ring;
  const steps: number[] = [];
  let [x, y] = [0, 0];
  turned.forEach(([nextX, nextY], i) => {
    if (i === 0) steps.push(encodeCommand(1, 1));
    if (i === 1) steps.push(encodeCommand(2, turned.length - 1));
    steps.push(encodeZigzag(nextX - x), encodeZigzag(nextY - y));
    [x, y] = [nextX, nextY];
  });
  return [...steps, encodeCommand(7, 1)];
}

function signedArea(ring: [number, number][]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as [number, number];
    return sum + x * nextY - nextX * y;
  }, 0);
}

function encodeCommand(id: number, count: number): number {
  return (id & 7) | (count << 3);
}

function encodeZigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}
