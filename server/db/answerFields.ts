import type { z } from 'zod';
import {
  ALL_FIELDS,
  defaultFields,
  type FieldTree,
  fieldTree,
  includesFields,
  pickFields,
} from '../../contract/answerFields.ts';
import { parseSerializedJson, toSerializedJson } from './json.sql.ts';
import type { JsonQuery } from './query.sql.ts';

/**
 * Queries for the sets of `fields` that the screens ask for, each with a statement that writes nothing else. Any other set
 * is cut out of the smallest of these answers that includes it, or of the one with everything. So no caller can make
 * the server prepare more statements.
 */
export function prepareByFields<Parameters extends readonly unknown[], T>(
  known: readonly FieldTree[],
  prepareWith: (fields: FieldTree) => (...parameters: Parameters) => JsonQuery<T>,
): (fields: FieldTree, ...parameters: Parameters) => JsonQuery<T> {
  const sizeOf = (fields: FieldTree) => JSON.stringify(fields).length;
  const whole = { fields: ALL_FIELDS, prepare: prepareWith(ALL_FIELDS) };
  const smallestFirst = known.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const prepared = smallestFirst.map((fields) => ({ fields, prepare: prepareWith(fields) }));
  const choose = (asked: FieldTree) => {
    const source = prepared.find(({ fields }) => includesFields(fields, asked)) ?? whole;
    return { prepare: source.prepare, isExact: includesFields(asked, source.fields) };
  };
  // The contract returns the same tree for the same text.
  const chosen = new WeakMap<object, ReturnType<typeof choose>>();
  return (asked, ...parameters) => {
    if (asked === true) return whole.prepare(...parameters);
    const choice = chosen.get(asked) ?? choose(asked);
    chosen.set(asked, choice);
    const query = choice.prepare(...parameters);
    return choice.isExact ? query : cutOut(query, asked);
  };
}

/** The trees of such sets, and of what there is by default, for an answer, or the items of a list, of this shape. */
export const knownFields = (schema: z.ZodType, ...sets: readonly (readonly string[])[]): FieldTree[] =>
  [defaultFields(schema), ...sets.map((paths) => fieldTree(schema, paths))].filter((fields) => fields !== ALL_FIELDS);

/** The query, with these fields of its answer. They are a part of the contract's type, which says so in the client. */
function cutOut<T>(query: JsonQuery<T>, fields: FieldTree): JsonQuery<T> {
  type Answer = Awaited<ReturnType<typeof query.run>>;
  const cut = (answer: Answer): Answer =>
    answer && toSerializedJson(JSON.stringify(pickFields(parseSerializedJson(answer), fields)));
  return {
    isQuick: query.isQuick,
    run: async (tx) => cut(await query.run(tx)),
    async runInSession(tx, session) {
      const result = await query.runInSession(tx, session);
      return result && { ...result, answer: cut(result.answer) };
    },
  };
}
