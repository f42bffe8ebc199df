import type { Point } from '../../domain/places.ts';
import { toAsciiDigits } from '../../domain/typed.ts';
import { areaOf, type Corners } from '../../domain/zones.ts';

/** One corner a line: latitude, longitude. */
export const formatCorners = (corners: Corners): string =>
  corners.map(({ latitude, longitude }) => `${latitude}, ${longitude}`).join('\n');

/** The corners of a text; undefined when a line is none. */
export function parseCorners(text: string): Point[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const corners = lines.map(parseCorner);
  return corners.every((corner) => corner !== undefined) ? corners : undefined;
}

function parseCorner(line: string): Point | undefined {
  const parts = toAsciiDigits(line)
    .trim()
    .split(/[\s,;\u060c\uff0c]+/);
  const [latitude = Number.NaN, longitude = Number.NaN] = parts.map((part) =>
    part === '' ? Number.NaN : Number(part),
  );
  const isPlace = parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { latitude, longitude } : undefined;
}

export function isCorners(value: unknown): value is Corners {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one?.latitude === 'number');
}

/** '24 corners, 3.1 km²' */
export const describeCorners = (corners: Corners): string =>
  `${corners.length} ${corners.length === 1 ? 'corner' : 'corners'}, ${areaOf(corners).toFixed(1)} km²`;
