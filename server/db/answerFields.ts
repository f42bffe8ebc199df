import type { z } from 'zod';
import { ALL_FIELDS, defaultFields, type FieldTree, fieldTree } from '../../contract/answerFields.ts';
import { cacheLatest } from './caches.ts';
import type { AnswerPart, JsonQuery } from './query.sql.ts';

type Query<Parameters extends readonly unknown[], T> = (...parameters: Parameters) => JsonQuery<T>;

/** The sets that no screen asks for, of all answers: callers choose them, so the server forgets those that were not used lately. */
const RARE_SETS = 200;
const rareQueries = cacheLatest<unknown>(RARE_SETS);
let answers = 0;

/**
 * Queries for any set of `fields`, each with a statement that writes nothing else. Those of the screens and the whole answer stay
 * prepared; a connection keeps few of the others (`client.ts`), so that no caller can fill PostgreSQL with statements.
 */
export function prepareByFields<Parameters extends readonly unknown[], T>(
  known: readonly FieldTree[],
  prepareWith: (part: AnswerPart) => Query<Parameters, T>,
): (fields: FieldTree, ...parameters: Parameters) => JsonQuery<T> {
  answers += 1;
  const answer = answers;
  const prepareKnown = (fields: FieldTree) => prepareWith({ fields, isRare: false });
  const whole = prepareKnown(ALL_FIELDS);
  const ofScreens = new Map(known.map((fields) => [JSON.stringify(fields), prepareKnown(fields)]));
  // The contract returns the same tree for the same text.
  const chosen = new WeakMap<object, Query<Parameters, T>>();
  return (fields, ...parameters) => {
    if (fields === ALL_FIELDS) return whole(...parameters);
    const query = chosen.get(fields as object);
    if (query) return query(...parameters);
    const key = JSON.stringify(fields);
    const ofScreen = ofScreens.get(key);
    if (ofScreen) {
      chosen.set(fields as object, ofScreen);
      return ofScreen(...parameters);
    }
    const rare = rareQueries(`${answer} ${key}`, () => prepareWith({ fields, isRare: true })) as Query<Parameters, T>;
    return rare(...parameters);
  };
}

/** The trees of such sets, and of what there is by default, for an answer, or the items of a list, of this shape. */
export const knownFields = (schema: z.ZodType, ...sets: readonly (readonly string[])[]): FieldTree[] =>
  [defaultFields(schema), ...sets.map((paths) => fieldTree(schema, paths))].filter((fields) => fields !== ALL_FIELDS);
