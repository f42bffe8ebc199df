import { CATEGORIES } from './categories.ts';
import type { Gazetteer } from './gazetteer.ts';
import { type Asked, ask, type Query } from './query.ts';
import { ATTRIBUTION, fromMapboxId, toCollection, toMapboxId, toSuggestion } from './responses.ts';
import { findAt, findCategory, findEntries } from './search.ts';

type Collection = ReturnType<typeof toCollection>;

export function suggest(gazetteer: Gazetteer, query: Query, responseId: string) {
  return ask(query, (read) => {
    const text = read.required('q', 256);
    read.required('session_token');
    const shown = { language: read.language(), origin: read.origin() };
    const entries = findEntries(gazetteer, text, read.wish({ usual: 5, most: 10 }));
    return {
      suggestions: entries.map((entry) => toSuggestion(gazetteer, entry, shown)),
      attribution: ATTRIBUTION,
      response_id: responseId,
    };
  });
}

export function retrieve(gazetteer: Gazetteer, query: Query, id: string): Asked<Collection> {
  const asked = ask(query, (read) => {
    read.required('session_token');
    return { language: read.language(), origin: read.origin() };
  });
  if (!asked.ok) return asked;
  const entry = gazetteer.byKey(fromMapboxId(id) ?? '');
  if (!entry) return { ok: false, status: 404, message: 'Not Found' };
  return { ok: true, value: toCollection(gazetteer, [entry], asked.value) };
}

export function lookUpCategory(gazetteer: Gazetteer, query: Query, category: string): Asked<Collection> {
  const asked = ask(query, (read) => ({
    shown: { language: read.language(), origin: read.origin() },
    wish: read.wish({ usual: 5, most: 25 }),
  }));
  if (!asked.ok) return asked;
  if (!Object.hasOwn(CATEGORIES, category)) return { ok: false, status: 404, message: 'Not Found' };
  const { shown, wish } = asked.value;
  return { ok: true, value: toCollection(gazetteer, findCategory(gazetteer, category, wish), shown) };
}

export function reverse(gazetteer: Gazetteer, query: Query): Asked<Collection> {
  return ask(query, (read) => {
    const at: [number, number] = [read.number('longitude', -180, 180), read.number('latitude', -90, 90)];
    const shown = { language: read.language(), origin: read.origin() };
    return toCollection(gazetteer, findAt(gazetteer, at, read.wish({ usual: 5, most: 10 })), shown);
  });
}

export function listCategories(query: Query) {
  return ask(query, (read) => {
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
