import { CATEGORIES } from './categories.ts';
import type { Gazetteer } from './gazetteer.ts';
import { type Query, type QueryResult, readQuery } from './query.ts';
import { ATTRIBUTION, fromMapboxId, toFeatureCollection, toMapboxId, toSuggestion } from './responses.ts';
import { findAtPosition, findByCategory, findEntries } from './search.ts';

type FeatureCollection = ReturnType<typeof toFeatureCollection>;

export function suggest(gazetteer: Gazetteer, query: Query, responseId: string) {
  return readQuery(query, (read) => {
    const text = read.required('q', 256);
    read.required('session_token');
    const shown = { language: read.language(), origin: read.origin() };
    const entries = findEntries(gazetteer, text, read.searchOptions({ defaultLimit: 5, maxLimit: 10 }));
    return {
      suggestions: entries.map((entry) => toSuggestion(gazetteer, entry, shown)),
      attribution: ATTRIBUTION,
      response_id: responseId,
    };
  });
}

export function retrieve(gazetteer: Gazetteer, query: Query, id: string): QueryResult<FeatureCollection> {
  const asked = readQuery(query, (read) => {
    read.required('session_token');
    return { language: read.language(), origin: read.origin() };
  });
  if (!asked.ok) return asked;
  const entry = gazetteer.byKey(fromMapboxId(id) ?? '');
  if (!entry) return { ok: false, status: 404, message: 'Not Found' };
  return { ok: true, value: toFeatureCollection(gazetteer, [entry], asked.value) };
}

export function lookUpCategory(gazetteer: Gazetteer, query: Query, category: string): QueryResult<FeatureCollection> {
  const asked = readQuery(query, (read) => ({
    shown: { language: read.language(), origin: read.origin() },
    wish: read.searchOptions({ defaultLimit: 5, maxLimit: 25 }),
  }));
  if (!asked.ok) return asked;
  if (!Object.hasOwn(CATEGORIES, category)) return { ok: false, status: 404, message: 'Not Found' };
  const { shown, wish } = asked.value;
  return { ok: true, value: toFeatureCollection(gazetteer, findByCategory(gazetteer, category, wish), shown) };
}

export function reverse(gazetteer: Gazetteer, query: Query): QueryResult<FeatureCollection> {
  return readQuery(query, (read) => {
    const at: [number, number] = [read.number('longitude', -180, 180), read.number('latitude', -90, 90)];
    const shown = { language: read.language(), origin: read.origin() };
    return toFeatureCollection(
      gazetteer,
      findAtPosition(gazetteer, at, read.searchOptions({ defaultLimit: 5, maxLimit: 10 })),
      shown,
    );
  });
}

export function listCategories(query: Query) {
  return readQuery(query, (read) => {
    read.language();
    return {
      listItems: Object.entries(CATEGORIES).map(([id, { name, icon }]) => ({
        canonical_id: id,
        icon,
        name,
        version: '1',
        uuid: toMapboxId(`category.${id}`),
      })),
      attribution: ATTRIBUTION,
      version: '1',
    };
  });
}
