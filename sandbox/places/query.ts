import type { Position } from '../city/types.ts';
import type { BoundingBox, SearchOptions } from './search.ts';

export type Query = Record<string, string | string[] | undefined>;
export type QueryResult<T> = { ok: true; value: T } | { ok: false; status: 400 | 401 | 404; message: string };

const FEATURE_TYPES = new Set(
  `country region prefecture postcode district place city locality neighborhood oaza block street address poi category`.split(
    ' ',
  ),
);

class InvalidQueryError extends Error {}

/** Reads the query. What is invalid becomes the vendor's error answer. */
export function readQuery<T>(query: Query, read: (read: QueryReader) => T): QueryResult<T> {
  if (!firstValue(query, 'access_token')) return { ok: false, status: 401, message: 'Not Authorized - No Token' };
  try {
    return { ok: true, value: read(createQueryReader(query)) };
  } catch (error) {
    if (error instanceof InvalidQueryError) return { ok: false, status: 400, message: error.message };
    throw error;
  }
}

type QueryReader = {
  required: (name: string, longest?: number) => string;
  language: () => string;
  origin: () => Position | undefined;
  searchOptions: (limits: { defaultLimit: number; maxLimit: number }) => SearchOptions;
  number: (name: string, low: number, high: number) => number;
};

function createQueryReader(query: Query): QueryReader {
  const text = (name: string) => firstValue(query, name);
  const required = (name: string, longest = 4096) => {
    const value = text(name)?.trim();
    if (!value) throw new InvalidQueryError(`${name} is required`);
    if (value.length > longest) throw new InvalidQueryError(`${name} must be at most ${longest} characters long`);
    return value;
  };
  const origin = () => {
    const value = text('origin');
    return value === undefined ? undefined : readPosition('origin', value);
  };
  return {
    required,
    origin,
    language: () => readLanguage(text('language')),
    number: (name, low, high) => {
      const value = Number(required(name));
      if (!(value >= low && value <= high))
        throw new InvalidQueryError(`${name} must be a number between ${low} and ${high}`);
      return value;
    },
    searchOptions: ({ defaultLimit: usual, maxLimit: most }) => ({
      limit: readLimit(text('limit'), usual, most),
      types: readTypes(text('types')),
      countries: readCountries(text('country')),
      // A network address says nothing about a place in a made-up city.
      proximity:
        !text('proximity') || text('proximity') === 'ip' ? undefined : readPosition('proximity', text('proximity')),
      bbox: readBoundingBox(text('bbox')),
    }),
  };
}

function firstValue(query: Query, name: string): string | undefined {
  const value = query[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === '' ? undefined : text;
}

function readLimit(text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new InvalidQueryError(`limit must be between 1 and ${most}`);
  return limit;
}

function readLanguage(text: string | undefined): string {
  const language = (text ?? 'en').split(',')[0] ?? 'en';
  if (!/^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(language))
    throw new InvalidQueryError(`language "${language}" is not an IETF language tag`);
  return language;
}

function readTypes(text: string | undefined): Set<string> | undefined {
  if (text === undefined) return undefined;
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !FEATURE_TYPES.has(type));
  if (unknown !== undefined) throw new InvalidQueryError(`types: "${unknown}" is not a known feature type`);
  return new Set(types);
}

function readCountries(text: string | undefined): Set<string> | undefined {
  if (text === undefined) return undefined;
  const countries = text.split(',').map((country) => country.trim().toLowerCase());
  const unknown = countries.find((country) => !/^[a-z]{2}$/.test(country));
  if (unknown !== undefined) throw new InvalidQueryError(`country: "${unknown}" is not an ISO 3166 alpha 2 code`);
  return new Set(countries);
}

function readPosition(name: string, text = ''): Position {
  const [longitude, latitude, ...rest] = readNumbers(text);
  if (longitude === undefined || latitude === undefined || rest.length > 0 || !isOnEarth(longitude, latitude)) {
    throw new InvalidQueryError(`${name} must be longitude,latitude`);
  }
  return [longitude, latitude];
}

function readBoundingBox(text: string | undefined): BoundingBox | undefined {
  if (text === undefined) return undefined;
  const [west, south, east, north, ...rest] = readNumbers(text);
  const isWhole = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
  if (
    !isWhole ||
    rest.length > 0 ||
    !isOnEarth(west, south) ||
    !isOnEarth(east, north) ||
    west > east ||
    south > north
  ) {
    throw new InvalidQueryError('bbox must be minLongitude,minLatitude,maxLongitude,maxLatitude');
  }
  return [west, south, east, north];
}

function readNumbers(text: string): number[] {
  return text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
}

function isOnEarth(longitude: number, latitude: number): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}
