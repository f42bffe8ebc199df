import { type RawBuilder, sql } from 'kysely';
import type { FieldTree } from '../../contract/answerFields.ts';
import { isoTime } from './columns.sql.ts';

type Piece = string | RawBuilder<unknown>;

declare const valueType: unique symbol;

/**
 * JSON of a T that PostgreSQL writes as text: fixed text, and SQL between it. `concat` over such pieces takes less than
 * half the time of json_build_object, which looks up the type of each of its arguments for every row.
 */
export type Json<T> = {
  readonly pieces: readonly Piece[];
  readonly parts?: Parts;
  /** The property is left out where this does not hold. */
  readonly presentWhen?: RawBuilder<unknown>;
  readonly [valueType]: T;
};

/** What some JSON is made of, for an answer with fewer `fields`. Values without properties have none. */
type Parts =
  | { readonly properties: Properties }
  /** The same around other JSON. `isSameRow` when the inner JSON reads the same row as what is around it. */
  | {
      readonly inner: Json<unknown>;
      readonly around: (inner: Json<unknown>) => Json<unknown>;
      readonly isSameRow: boolean;
    };

type Properties = Readonly<Record<string, Json<unknown>>>;

/** The JSON of each property of a T. */
export type JsonProperties<T> = { readonly [K in keyof T]: Json<T[K]> };

const jsonOf = <T>(pieces: readonly Piece[], parts?: Parts) =>
  (parts === undefined ? { pieces } : { pieces, parts }) as unknown as Json<T>;

type Wrap = (inner: Json<unknown>) => Json<unknown>;
const partsAround = (inner: Json<unknown>, around: Wrap, isSameRow: boolean): Parts | undefined =>
  inner.parts && { inner, around, isSameRow };

// Each of these has the type of its column only: bare sql`…` has none, and does not fit a property with a type.

/** A column whose text is valid JSON: a number, or JSON itself. */
export const raw = <T>(column: RawBuilder<T>): Json<NoInfer<T>> => jsonOf([column]);
/** A column without characters that JSON escapes: an id, a status, a time. */
export const quoted = <T extends string>(column: RawBuilder<T>): Json<NoInfer<T>> => jsonOf(['"', column, '"']);
/** A column with any text, or null. */
export const text = <T extends string | null>(column: RawBuilder<T>): Json<NoInfer<T>> =>
  jsonOf([sql`coalesce(to_json(${column}), 'null')`]);
export const bool = (column: RawBuilder<boolean>): Json<boolean> =>
  jsonOf([sql`case when ${column} then 'true' else 'false' end`]);
export const dollars = (cents: RawBuilder<number>): Json<number> => jsonOf([sql`${cents} / 100::float8`]);
/** A timestamp as ISO 8601 UTC with milliseconds. */
export const time = (column: RawBuilder<Date>): Json<string> => quoted(isoTime(column));
export const nullJson: Json<null> = jsonOf(['null']);
export const emptyObject: Json<Record<never, never>> = jsonOf(['{}']);

/** JSON where a condition holds, else null. */
export const when = <T>(condition: RawBuilder<unknown>, json: Json<T>): Json<T | null> =>
  jsonOf(
    [sql`case when ${condition} then ${toSql(json)} else 'null' end`],
    partsAround(json, (inner) => when(condition, inner), true),
  );

/** A condition that always holds. */
export const ALWAYS: RawBuilder<unknown> = sql`true`;

/** One JSON where a condition holds, another where it does not. */
export const ifElse = <T>(condition: RawBuilder<unknown>, json: Json<T>, otherwise: Json<T>): Json<T> =>
  condition === ALWAYS
    ? json
    : jsonOf(
        [sql`case when ${condition} then ${toSql(json)} else ${toSql(otherwise)} end`],
        partsOfEither(condition, json, otherwise),
      );

function partsOfEither(
  condition: RawBuilder<unknown>,
  json: Json<unknown>,
  otherwise: Json<unknown>,
): Parts | undefined {
  const [yes, no] = [propertiesOf(json), propertiesOf(otherwise)];
  if (!yes || !no) return undefined;
  return { properties: mapProperties(yes, (property, name) => ifElse(condition, property, no[name] ?? nullJson)) };
}

const propertiesOf = ({ parts }: Json<unknown>) => (parts && 'properties' in parts ? parts.properties : undefined);
const mapProperties = (properties: Properties, map: (json: Json<unknown>, name: string) => Json<unknown>): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, json]) => [name, map(json, name)]));

/** The JSON of a column that may be null; `write` has no other columns. The column is read once: `||` with null is null. */
export function orNull<V, T>(write: (column: RawBuilder<V>) => Json<T>, column: RawBuilder<V | null>): Json<T | null> {
  const pieces = write(column as RawBuilder<V>).pieces.map((piece) =>
    typeof piece === 'string' ? sql.lit(piece) : sql`(${piece})::text`,
  );
  return jsonOf([sql`coalesce(${sql.join(pieces, sql` || `)}, 'null')`]);
}

/** A property that is left out where its column is null. */
export const ifPresent = <V, T>(write: (column: RawBuilder<V>) => Json<T>, column: RawBuilder<V | null>): Json<T> => ({
  ...write(column as RawBuilder<V>),
  presentWhen: sql`${column} is not null`,
});

export function object<T extends object>(properties: JsonProperties<T>): Json<T> {
  // Those that are always there come first: whatever follows them begins with a comma.
  const entries = Object.entries<Json<unknown>>(properties as Record<string, Json<unknown>>);
  const sorted = [
    ...entries.filter(([, json]) => !json.presentWhen),
    ...entries.filter(([, json]) => json.presentWhen),
  ];
  const isNeverEmpty = sorted[0]?.[1].presentWhen === undefined;
  const pieces = sorted.flatMap(([name, json], index): Piece[] => {
    const comma = index === 0 && isNeverEmpty ? '' : ',';
    const property = [`${comma}${JSON.stringify(name)}:`, ...json.pieces];
    return json.presentWhen
      ? [sql`case when ${json.presentWhen} then ${toSql(jsonOf(property))} else '' end`]
      : property;
  });
  const inside = isNeverEmpty ? pieces : [sql`ltrim(${toSql(jsonOf(pieces))}, ',')`];
  return jsonOf(['{', ...inside, '}'], { properties: properties as unknown as Properties });
}

/** An array with one element. */
export const arrayOf = <T>(element: Json<T>): Json<T[]> =>
  jsonOf(['[', ...element.pieces, ']'], partsAround(element, arrayOf, true));

/** An array with the JSON of each row of `from`, in the given order. */
export function list<T>(json: Json<T>, order: RawBuilder<unknown>, from: RawBuilder<unknown>): Json<T[]> {
  return jsonOf(
    ['[', sql`(select string_agg(${toSql(json)}, ',' order by ${order}) from ${from})`, ']'],
    partsAround(json, (inner) => list(inner, order, from), false),
  );
}

/** The JSON of the one row of `from`, or null without one. */
export const firstOrNull = <T>(json: Json<T>, from: RawBuilder<unknown>): Json<T | null> =>
  jsonOf(
    [sql`coalesce((select ${toSql(json)} from ${from}), 'null')`],
    partsAround(json, (inner) => firstOrNull(inner, from), false),
  );

/** `whole` for the whole object, which is faster to write than its properties one by one. */
export const wholeOrParts = <T extends object>(whole: Json<T>, properties: JsonProperties<T>): Json<T> =>
  jsonOf(whole.pieces, { properties: properties as unknown as Properties });

/** The same JSON with only some of its properties. PostgreSQL does not read or write the others. */
export function pickJson<T>(json: Json<T>, fields: FieldTree): Json<T> {
  if (fields === true || (json as Json<unknown>) === nullJson) return json;
  const { parts } = json;
  if (!parts) throw new Error(`this JSON has no properties ${Object.keys(fields).join(', ')}`);
  if ('inner' in parts) return parts.around(pickJson(parts.inner, fields)) as Json<T>;
  const picked = Object.entries(fields).map(([name, inner]) => {
    const property = parts.properties[name];
    if (!property) throw new Error(`this JSON has no property ${name}`);
    return [name, pickJson(property, inner)];
  });
  return withPresence(json, object(Object.fromEntries(picked)) as Json<T>);
}

/** What is left out of an object under the same condition as `json`. */
const withPresence = <T>({ presentWhen }: Json<unknown>, json: Json<T>): Json<T> =>
  presentWhen ? { ...json, presentWhen } : json;

/** JSON of a row, and of each of its properties, as columns with these names. What is left out of its object is an empty text. */
export function toColumns(name: string, json: Json<unknown>): [name: string, json: Json<unknown>][] {
  const { parts, presentWhen } = json;
  const column = presentWhen ? jsonOf<unknown>([sql`case when ${presentWhen} then ${toSql(json)} end`]) : json;
  if (!parts || json === nullJson) return [[name, column]];
  if ('inner' in parts) return [[name, column], ...(parts.isSameRow ? toColumns(`${name}[]`, parts.inner) : [])];
  const properties = Object.entries(parts.properties).flatMap(([key, inner]) => toColumns(`${name}.${key}`, inner));
  return [[name, column], ...properties];
}

/** The JSON that `toColumns` made the columns of `table` from. */
export function fromColumns<T>(table: string, name: string, json: Json<T>): Json<T> {
  const { parts } = json;
  if ((json as Json<unknown>) === nullJson) return json;
  const column = jsonOf<T>([sql.id(table, name)], parts && fromPartColumns(table, name, parts));
  return json.presentWhen ? { ...column, presentWhen: sql`${sql.id(table, name)} <> ''` } : column;
}

function fromPartColumns(table: string, name: string, parts: Parts): Parts {
  if ('properties' in parts)
    return { properties: mapProperties(parts.properties, (json, key) => fromColumns(table, `${name}.${key}`, json)) };
  return parts.isSameRow ? { ...parts, inner: fromColumns(table, `${name}[]`, parts.inner) } : parts;
}

// PostgreSQL functions take up to 100 arguments.
const MAX_CONCAT_ARGUMENTS = 90;

/** The SQL that writes some JSON. */
export function toSql(json: Json<unknown>): RawBuilder<string> {
  const pieces: Piece[] = [];
  for (const piece of json.pieces) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  const parts = pieces.map((piece) => (typeof piece === 'string' ? sql.lit(piece) : piece));
  const chunks = Array.from({ length: Math.ceil(parts.length / MAX_CONCAT_ARGUMENTS) }, (_, index) =>
    concat(parts.slice(index * MAX_CONCAT_ARGUMENTS, (index + 1) * MAX_CONCAT_ARGUMENTS)),
  );
  return chunks.length === 1 && chunks[0] ? chunks[0] : concat(chunks);
}

const concat = (parts: readonly RawBuilder<unknown>[]): RawBuilder<string> => sql`concat(${sql.join(parts)})`;

const JSON_TEXT = Symbol('JSON');

/** An answer that is JSON text already and is sent unchanged; parsed, it is a T. */
export type SerializedJson<T = unknown> = { readonly [JSON_TEXT]: string; readonly value?: T };

export const toSerializedJson = <T>(json: string): SerializedJson<T> => ({ [JSON_TEXT]: json });
export const findJsonText = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null ? (answer as Partial<SerializedJson>)[JSON_TEXT] : undefined;

export const jsonTextOf = (answer: SerializedJson): string => answer[JSON_TEXT];

/** The value of such an answer, for callers in this process. */
export const parseSerializedJson = <T>(answer: SerializedJson<T>): T => JSON.parse(jsonTextOf(answer)) as T;
