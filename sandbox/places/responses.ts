import type { Position } from '../city/types.ts';
import { CATEGORIES } from './categories.ts';
import type { Entry, Gazetteer } from './gazetteer.ts';
import { metresBetween } from './search.ts';

export const ATTRIBUTION = 'Soapwick is made up, and so is everything in it. Use it as you like.';

/** Ids are opaque: clients only send them back. */
export function toMapboxId(key: string): string {
  return Buffer.from(`urn:mbxsandbox:${key}`).toString('base64url');
}

export function fromMapboxId(id: string): string | undefined {
  return /^urn:mbxsandbox:(.+)$/.exec(Buffer.from(id, 'base64url').toString('utf8'))?.[1];
}

type ResponseOptions = { language: string; origin?: Position | undefined };

type ContextItem = { id: string; name: string };
type Context = {
  country: ContextItem & { country_code: string; country_code_alpha_3: string };
  region: ContextItem & { region_code: string; region_code_full: string };
  postcode?: ContextItem;
  place?: ContextItem;
  neighborhood?: ContextItem;
  address?: ContextItem & { address_number: string; street_name: string };
  street?: ContextItem;
};

export type Suggestion = {
  name: string;
  mapbox_id: string;
  feature_type: string;
  address?: string;
  full_address: string;
  place_formatted: string;
  context: Context;
  language: string;
  maki: string;
  poi_category?: string[];
  poi_category_ids?: string[];
  external_ids: Record<string, string>;
  metadata: Record<string, string>;
  distance?: number;
};

export type Feature = {
  type: 'Feature';
  geometry: { type: 'Point'; coordinates: Position };
  properties: Suggestion & {
    coordinates: {
      latitude: number;
      longitude: number;
      accuracy?: string;
      routable_points?: { name: string; latitude: number; longitude: number }[];
    };
  };
};

export function toSuggestion(gazetteer: Gazetteer, entry: Entry, { language, origin }: ResponseOptions): Suggestion {
  const address = addressOf(gazetteer, entry);
  const place = formatPlace(gazetteer, entry);
  return {
    name: entry.name,
    mapbox_id: toMapboxId(entry.key),
    feature_type: entry.type,
    ...(address ? { address } : {}),
    full_address: formatFullAddress(entry, address, place),
    place_formatted: place,
    context: contextOf(gazetteer, entry),
    language,
    maki: entry.category ? (CATEGORIES[entry.category]?.icon ?? 'marker') : 'marker',
    ...(entry.category
      ? { poi_category: [CATEGORIES[entry.category]?.name ?? entry.category], poi_category_ids: [entry.category] }
      : {}),
    external_ids: {},
    metadata: {},
    ...(origin ? { distance: Math.round(metresBetween(entry.position, origin)) } : {}),
  };
}

export function toFeature(gazetteer: Gazetteer, entry: Entry, shown: ResponseOptions): Feature {
  const [longitude, latitude] = entry.position;
  const kerb = entry.routablePoint && {
    accuracy: 'rooftop',
    routable_points: [{ name: 'default', latitude: entry.routablePoint[1], longitude: entry.routablePoint[0] }],
  };
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { ...toSuggestion(gazetteer, entry, shown), coordinates: { latitude, longitude, ...kerb } },
  };
}

export function toFeatureCollection(gazetteer: Gazetteer, entries: Entry[], shown: ResponseOptions) {
  return {
    type: 'FeatureCollection' as const,
    features: entries.map((entry) => toFeature(gazetteer, entry, shown)),
    attribution: ATTRIBUTION,
  };
}

function addressOf({ city }: Gazetteer, entry: Entry): string | undefined {
  if (entry.type === 'address') return entry.name;
  if (entry.type === 'poi' && entry.house) return `${entry.house.number} ${city.streets[entry.house.street]?.name}`;
  return undefined;
}

function formatPlace({ city }: Gazetteer, { type, district }: Entry): string {
  if (type === 'country') return '';
  if (type === 'region') return city.country.name;
  if (type === 'place') return `${city.region.name}, ${city.country.name}`;
  const postcode = district === undefined ? undefined : city.districts[district]?.postcode;
  const inside = type === 'postcode' || type === 'neighborhood' || !postcode ? city.name : `${city.name} ${postcode}`;
  return `${inside}, ${city.country.name}`;
}

function formatFullAddress(entry: Entry, address: string | undefined, place: string): string {
  return [entry.type === 'poi' ? address : entry.name, place].filter(Boolean).join(', ');
}

function contextOf({ city }: Gazetteer, entry: Entry): Context {
  const { country, region } = city;
  const named = (key: string, name: string): ContextItem => ({ id: toMapboxId(key), name });
  const context: Context = {
    country: {
      ...named(`country.${country.code}`, country.name),
      country_code: country.code,
      country_code_alpha_3: country.code3,
    },
    region: {
      ...named(`region.${region.code}`, region.name),
      region_code: region.code,
      region_code_full: `${country.code}-${region.code}`,
    },
  };
  if (entry.type === 'country' || entry.type === 'region') return context;
  context.place = named('place.1', city.name);
  const district = entry.district === undefined ? undefined : city.districts[entry.district];
  if (district && entry.type !== 'place') {
    context.postcode = named(`postcode.${district.postcode}`, district.postcode);
    if (entry.type !== 'postcode') context.neighborhood = named(`neighborhood.${district.id}`, district.name);
  }
  const street = entry.street === undefined ? undefined : city.streets[entry.street];
  if (street) context.street = named(`street.${street.id}`, street.name);
  if (street && entry.house) {
    const number = String(entry.house.number);
    context.address = {
      ...named(`address.${street.id}.${number}`, `${number} ${street.name}`),
      address_number: number,
      street_name: street.name,
    };
  }
  return context;
}
