import { type RawBuilder, sql } from 'kysely';
import { isoTime } from './columns.sql.ts';

type Piece = string | RawBuilder<unknown>;

declare const valueType: unique symbol;

/**
 * JSON of a T that PostgreSQL writes as text: fixed text, and SQL between it. `concat` over such pieces takes less than
 * half the time of json_build_object, which looks up the type of each of its arguments for every row.
 */
export type Json<T> = { readonly pieces: readonly Piece[]; readonly [valueType]: T };

/** The JSON of each property of a T. */
export type JsonProperties<T> = { readonly [K in keyof T]: Json<T[K]> };

/** The type that some JSON has when it is parsed. */
export type ParsedJson<J> = J extends Json<infer T> ? T : never;

const jsonOf = <T>(pieces: readonly Piece[]) => ({ pieces }) as unknown as Json<T>;

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
  jsonOf([sql`case when ${condition} then ${toSql(json)} else 'null' end`]);

/** A condition that always holds. */
export const YES: RawBuilder<unknown> = sql`true`;

/** One JSON where a condition holds, another where it does not. */
export const either = <T>(condition: RawBuilder<unknown>, json: Json<T>, otherwise: Json<T>): Json<T> =>
  condition === YES ? json : jsonOf([sql`case when ${condition} then ${toSql(json)} else ${toSql(otherwise)} end`]);

/** The JSON of a column that may be null. */
export const orNull = <V, T>(write: (column: RawBuilder<V>) => Json<T>, column: RawBuilder<V | null>): Json<T | null> =>
  when(sql`${column} is not null`, write(column as RawBuilder<V>));

export function object<T extends object>(properties: JsonProperties<T>): Json<T> {
  const pieces = Object.entries<Json<unknown>>(properties).flatMap(([name, json], index) => [
    `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    ...json.pieces,
  ]);
  return jsonOf([...pieces, '}']);
}

/** An array with one element. */
export const arrayOf = <T>(element: Json<T>): Json<T[]> => jsonOf(['[', ...element.pieces, ']']);

/** An array with the JSON of each row of `from`, in the given order. */
export function list<T>(json: Json<T>, order: RawBuilder<unknown>, from: RawBuilder<unknown>): Json<T[]> {
  return jsonOf(['[', sql`(select string_agg(${toSql(json)}, ',' order by ${order}) from ${from})`, ']']);
}

/** The JSON of the one row of `from`, or null without one. */
export const firstOrNull = <T>(json: Json<T>, from: RawBuilder<unknown>): Json<T | null> =>
  jsonOf([sql`coalesce((select ${toSql(json)} from ${from}), 'null')`]);

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
