import { type RawBuilder, sql } from 'kysely';
import { isoTime } from './columns.sql.ts';

/**
 * JSON that PostgreSQL writes as text: what is fixed, and between it what comes from columns. `concat` over such pieces
 * takes less than half of what json_build_object takes, which looks up the type of each of its arguments for every row.
 */
export type Json = readonly (string | RawBuilder<unknown>)[];

/** A column whose text is JSON as it stands: a number, or JSON itself. */
export const raw = (column: RawBuilder<unknown>): Json => [column];
/** A column with nothing in it that JSON escapes: an id, a status, a time. */
export const quoted = (column: RawBuilder<unknown>): Json => ['"', column, '"'];
/** A column with anything in it, or null. */
export const text = (column: RawBuilder<unknown>): Json => [sql`coalesce(to_json(${column}), 'null')`];
export const bool = (column: RawBuilder<unknown>): Json => [sql`case when ${column} then 'true' else 'false' end`];
export const dollars = (cents: RawBuilder<unknown>): Json => [sql`${cents} / 100::float8`];
export const nullJson: Json = ['null'];

/** JSON where a condition holds, else null. */
export const when = (condition: RawBuilder<unknown>, json: Json): Json => [
  sql`case when ${condition} then ${toSql(json)} else 'null' end`,
];

/** A timestamp column as ISO 8601 UTC with milliseconds. */
export const time = (column: string): Json => quoted(isoTime(column));

export function object(properties: Readonly<Record<string, Json>>): Json {
  const pieces = Object.entries(properties).flatMap(([name, json], index) => [
    `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    ...json,
  ]);
  return [...pieces, '}'];
}

/** A list of what each row of `from` becomes, in the given order. */
export function list(json: Json, order: RawBuilder<unknown>, from: RawBuilder<unknown>): Json {
  return ['[', sql`(select string_agg(${toSql(json)}, ',' order by ${order}) from ${from})`, ']'];
}

const MAX_CONCAT_ARGUMENTS = 90;

/** The SQL that writes such JSON. */
export function toSql(json: Json): RawBuilder<string> {
  const pieces: (string | RawBuilder<unknown>)[] = [];
  for (const piece of json) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  const parts = pieces.map((piece) => (typeof piece === 'string' ? sql.lit(piece) : piece));
  // A function of PostgreSQL takes a hundred arguments at most.
  const chunks = Array.from({ length: Math.ceil(parts.length / MAX_CONCAT_ARGUMENTS) }, (_, index) =>
    concat(parts.slice(index * MAX_CONCAT_ARGUMENTS, (index + 1) * MAX_CONCAT_ARGUMENTS)),
  );
  return chunks.length === 1 && chunks[0] ? chunks[0] : concat(chunks);
}

const concat = (parts: readonly RawBuilder<unknown>[]): RawBuilder<string> => sql`concat(${sql.join(parts)})`;

const JSON_TEXT = Symbol('JSON');

/** An answer that is JSON already, and is sent as it is; what it says has the type of the call's answer. */
export type SerializedJson<Said = never> = { readonly [JSON_TEXT]: string; readonly value?: Said };

export const toSerializedJson = (json: string): SerializedJson => ({ [JSON_TEXT]: json });
export const findJsonText = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null ? (answer as Partial<SerializedJson>)[JSON_TEXT] : undefined;

export const jsonTextOf = (answer: SerializedJson<unknown>): string => answer[JSON_TEXT];

/** What such an answer says, for callers in this process. */
export const parseSerializedJson = <Said>(answer: SerializedJson<Said>): Said => JSON.parse(jsonTextOf(answer)) as Said;
