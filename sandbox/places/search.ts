import type { Position } from '../city/types.ts';
import { CATEGORIES } from './categories.ts';
import type { Entry, FeatureType, Gazetteer } from './gazetteer.ts';
import { normalizeWords, scoreWord } from './wordMatching.ts';

export type BoundingBox = [number, number, number, number];
export type SearchOptions = {
  limit: number;
  types?: Set<string> | undefined;
  proximity?: Position | undefined;
  bbox?: BoundingBox | undefined;
  countries?: Set<string> | undefined;
};

type ScoredEntry = { entry: Entry; score: number };

/** Best match first. A number together with a street's name means a house on it. */
export function findEntries(gazetteer: Gazetteer, text: string, wish: SearchOptions): Entry[] {
  if (!includesCityCountry(gazetteer, wish)) return [];
  const words = normalizeWords(text);
  const number = words.find((word) => /^\d{1,4}$/.test(word));
  const named = words.filter((word) => word !== number);
  if (named.length === 0) return [];
  const found: ScoredEntry[] = [];
  for (const entry of gazetteer.entries) {
    const score = scoreEntry(entry, named);
    if (score === 0) continue;
    const house =
      number !== undefined && entry.type === 'street' && gazetteer.houseAt(entry.street ?? -1, Number(number));
    const shown = house || entry;
    if (!isWithinOptions(shown, wish)) continue;
    // A number means a house: everything else ranks lower but can still be found.
    const doubt = number !== undefined && !house ? 0.35 : 0;
    found.push({ entry: shown, score: score - doubt + typeBonus(shown.type) + proximityBonus(gazetteer, shown, wish) });
  }
  found.sort((a, b) => b.score - a.score || a.entry.key.localeCompare(b.entry.key));
  return found.slice(0, wish.limit).map(({ entry }) => entry);
}

function includesCityCountry(gazetteer: Gazetteer, { countries }: SearchOptions): boolean {
  return !countries || countries.has(gazetteer.city.country.code.toLowerCase());
}

function isWithinOptions({ type, position: [longitude, latitude] }: Entry, { types, bbox }: SearchOptions): boolean {
  if (types && !types.has(type)) return false;
  if (!bbox) return true;
  return longitude >= bbox[0] && latitude >= bbox[1] && longitude <= bbox[2] && latitude <= bbox[3];
}

// Every typed word must match the entry's name or its location, and at least one its name.
function scoreEntry(entry: Entry, typed: string[]): number {
  let own = 0;
  let hits = 0;
  for (const word of typed) {
    const fit = bestWordScore(word, entry.nameWords);
    const kind = entry.category ? bestWordScore(word, CATEGORIES[entry.category]?.synonyms ?? []) * 0.9 : 0;
    const place = bestWordScore(word, entry.contextWords);
    if (Math.max(fit, kind) >= place && Math.max(fit, kind) > 0) {
      own += Math.max(fit, kind);
      hits += 1;
    } else if (place >= 0.6) own += 0.3;
    else return 0;
  }
  if (hits === 0) return 0;
  return own / typed.length + 0.12 * Math.min(1, hits / entry.nameWords.length);
}

function bestWordScore(typed: string, words: readonly string[]): number {
  let top = 0;
  for (const word of words) top = Math.max(top, scoreWord(typed, word));
  return top;
}

function typeBonus(type: FeatureType): number {
  return type === 'place' ? 0.1 : type === 'address' || type === 'street' || type === 'neighborhood' ? 0.05 : 0;
}

function proximityBonus({ city }: Gazetteer, entry: Entry, { proximity }: SearchOptions): number {
  if (proximity) return 0.3 * Math.exp(-metresBetween(entry.position, proximity) / 1800);
  return 0.08 * Math.exp(-metresBetween(entry.position, city.centre) / 3000);
}

export function metresBetween([lng1, lat1]: Position, [lng2, lat2]: Position): number {
  const turn = Math.PI / 180;
  const half = (degrees: number) => Math.sin((degrees * turn) / 2) ** 2;
  const chord = half(lat2 - lat1) + Math.cos(lat1 * turn) * Math.cos(lat2 * turn) * half(lng2 - lng1);
  return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Nearest first to `proximity`, or to the middle of the city. */
export function findByCategory(gazetteer: Gazetteer, category: string, wish: SearchOptions): Entry[] {
  if (!includesCityCountry(gazetteer, wish)) return [];
  const wanted = new Set(CATEGORIES[category]?.includes ?? [category]);
  const from = wish.proximity ?? gazetteer.city.centre;
  return gazetteer.entries
    .filter((entry) => entry.category !== undefined && wanted.has(entry.category) && isWithinOptions(entry, wish))
    .sort((a, b) => metresBetween(a.position, from) - metresBetween(b.position, from))
    .slice(0, wish.limit);
}

/** What is at a point, most exact first; nothing far from the city. */
export function findAtPosition(gazetteer: Gazetteer, at: Position, wish: SearchOptions): Entry[] {
  if (!includesCityCountry(gazetteer, wish)) return [];
  const house = gazetteer.nearestHouse(at, 200);
  const street = gazetteer.nearestStreet(at, 500);
  if (!house && !street) return [];
  const near = (type: FeatureType, metres: number) =>
    gazetteer.entries
      .filter((entry) => entry.type === type && metresBetween(entry.position, at) < metres)
      .sort((a, b) => metresBetween(a.position, at) - metresBetween(b.position, at));
  const district = (house ?? street)?.district;
  const around = gazetteer.entries.filter(
    ({ type, district: own }) =>
      (type === 'neighborhood' || type === 'postcode' ? own === district : false) ||
      type === 'place' ||
      type === 'region' ||
      type === 'country',
  );
  const rank: FeatureType[] = ['neighborhood', 'postcode', 'place', 'region', 'country'];
  around.sort((a, b) => rank.indexOf(a.type) - rank.indexOf(b.type));
  return [...(house ? [house] : []), ...(street ? [street] : []), ...near('poi', 60).slice(0, 3), ...around]
    .filter((entry) => !wish.types || wish.types.has(entry.type))
    .slice(0, wish.limit);
}
