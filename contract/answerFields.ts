import { z } from 'zod';

/** The properties of an answer that a caller asks for: all of them, or some, each with those that are asked for in it. */
export type FieldTree = true | { readonly [name: string]: FieldTree };
export const ALL_FIELDS: FieldTree = true;

/** The dot paths of the properties of a T. A list counts as its items. */
export type FieldPath<T> = T extends readonly (infer E)[]
  ? FieldPath<E>
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${FieldPath<T[K]>}` }[keyof T & string]
    : never;

/** A T with the properties that the paths P name; a whole T without any. */
export type WithFields<T, P extends string> = [P] extends [never] ? T : WithSomeFields<T, P>;
type WithSomeFields<T, P extends string> = T extends readonly (infer E)[]
  ? WithSomeFields<E, P>[]
  : T extends object
    ? { [K in keyof T as K extends FirstOf<P> ? K : never]: K extends P ? T[K] : WithSomeFields<T[K], RestOf<P, K>> }
    : T;
type FirstOf<P extends string> = P extends `${infer First}.${string}` ? First : P;
type RestOf<P extends string, K> = P extends `${K & string}.${infer Rest}` ? Rest : never;

/** What the `fields` name the properties of: the items of a list, otherwise the answer itself. */
export type FieldsOwner<Answer> = Answer extends { data: { items: (infer Item)[] } } ? Item : Answer;

/** An answer with the `fields` P. The items of a list always have their id. */
export type AnswerWithFields<Answer, P extends string> = [P] extends [never]
  ? Answer
  : Answer extends { data: { items: (infer Item)[] } }
    ? { data: Omit<Answer['data'], 'items'> & { items: WithSomeFields<Item, P | 'id'>[] } }
    : WithSomeFields<Answer, P>;

type Shape = Readonly<Record<string, z.ZodType>>;

/** The properties of a shape, or of the items of a list. Undefined when it has none. */
export function propertiesOf(schema: z.ZodType): Shape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape as Shape;
  if (schema instanceof z.ZodArray) return propertiesOf(schema.element as z.ZodType);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return propertiesOf(schema.unwrap() as z.ZodType);
  return undefined;
}

type MutableTree = { [name: string]: MutableTree | true };

const MAX_QUOTED_LENGTH = 100;

/** Adds a path to the tree. Returns the problem with it, or undefined. */
function addPath(tree: MutableTree, schema: z.ZodType, path: string): string | undefined {
  const names = path.split('.');
  // Undefined below a property that is named as a whole.
  let node: MutableTree | undefined = tree;
  let here = schema;
  for (const [index, name] of names.entries()) {
    const properties = propertiesOf(here) ?? {};
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (next === undefined) return describeUnknown(path, names.slice(0, index).join('.'), Object.keys(properties));
    const inner: MutableTree | true = index === names.length - 1 ? true : (node?.[name] ?? {});
    if (node) node[name] = inner;
    node = inner === true ? undefined : inner;
    here = next;
  }
  return undefined;
}

function describeUnknown(path: string, parent: string, allowed: readonly string[]): string {
  const start = `fields has no ${JSON.stringify(path.slice(0, MAX_QUOTED_LENGTH))}`;
  if (allowed.length === 0) return `${start}: ${parent} has no properties`;
  return `${start}: ${parent === '' ? 'it' : parent} may name ${allowed.join(', ')}`;
}

/** The same for every way to name the same properties: in the order of the shape, and `true` where all are named. */
function canonicalTree(tree: MutableTree | true, schema: z.ZodType): FieldTree {
  if (tree === true) return true;
  const properties = Object.entries(propertiesOf(schema) ?? {});
  const named = properties.flatMap(([name, inner]): [string, FieldTree][] => {
    const node = tree[name];
    return node === undefined ? [] : [[name, canonicalTree(node, inner)]];
  });
  const isWhole = named.length === properties.length && named.every(([, node]) => node === true);
  return isWhole ? true : Object.fromEntries(named);
}

/** The default properties of an answer: all except optional ones (decision 070). */
export function defaultFields(schema: z.ZodType): FieldTree {
  const properties = Object.entries(propertiesOf(schema) ?? {});
  const named = properties.filter(([, inner]) => !(inner instanceof z.ZodOptional));
  return named.length === properties.length
    ? ALL_FIELDS
    : Object.fromEntries(named.map(([name]) => [name, ALL_FIELDS]));
}

/** Reads dot paths joined by commas; none means what there is by default. `always` are included in any case. */
export function parseFields(
  schema: z.ZodType,
  text: string,
  always: readonly string[] = [],
): { readonly fields: FieldTree } | { readonly problem: string } {
  if (text === '') return { fields: defaultFields(schema) };
  const tree: MutableTree = {};
  for (const path of [...always, ...text.split(',')]) {
    const problem = addPath(tree, schema, path.trim());
    if (problem !== undefined) return { problem };
  }
  return { fields: canonicalTree(tree, schema) };
}

/** The tree of paths that are known to be right. */
export function fieldTree(schema: z.ZodType, paths: readonly string[], always: readonly string[] = []): FieldTree {
  const result = parseFields(schema, paths.join(','), always);
  if ('problem' in result) throw new Error(result.problem);
  return result.fields;
}

const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 2_000;

/** The query parameter `fields`, for a call whose answer, or whose list's items, have this shape. */
export function fieldsParameter(schema: z.ZodType, always: readonly string[] = []) {
  // Reading a long text takes as long as the rest of a small call, and the screens always send the same ones.
  const remembered = new Map<string, FieldTree>();
  const remember = (text: string, fields: FieldTree) => {
    if (text.length > MAX_REMEMBERED_LENGTH) return;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(text, fields);
  };
  return z
    .string({ error: 'fields must be names joined by commas' })
    .transform((text, context): FieldTree => {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const result = parseFields(schema, text, always);
      if ('fields' in result) {
        remember(text, result.fields);
        return result.fields;
      }
      context.addIssue({ code: 'custom', message: result.problem, params: { constraint: 'isIn' } });
      return z.NEVER;
    })
    .prefault('')
    .describe(
      'Only these properties of the answer, as dot paths joined by commas: status,scrub.fullname. All but the optional ones without it',
    );
}
