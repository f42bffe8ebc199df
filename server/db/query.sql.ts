import { type RawBuilder, sql } from 'kysely';
import { SESSION_LIFETIME_S, SESSION_TOUCH_INTERVAL_S } from '../../domain/accounts.ts';
import { type Json, type SerializedJson, toSerializedJson, toSql } from './json.sql.ts';
import type { QueryExecutor } from './pipeline.ts';
import { type Placeholders, prepare } from './prepared.ts';

/** The session that a query runs under. Its user is known from an earlier request; the query checks that it is still valid. */
export type QuerySession = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly now: Date;
};

export type SessionQueryResult<T> = {
  /** Undefined when no row exists that the user may see. */
  readonly answer: SerializedJson<T> | undefined;
  /** Whether the session's time of last use needs an update. */
  readonly isStale: boolean;
};

/** A query that answers a call with JSON of a T, in one statement. Nothing is sent before `run` or `runInSession`. */
export type JsonQuery<T = unknown> = {
  /** Whether it is fast for every caller. */
  readonly isQuick: boolean;
  run(tx: QueryExecutor): Promise<SerializedJson<T> | undefined>;
  /** Runs the query and checks the session in the same statement. Undefined when the session is not valid. */
  runInSession(tx: QueryExecutor, session: QuerySession): Promise<SessionQueryResult<T> | undefined>;
};

/** A select with one column of JSON: `with <with> select <json> from <from>`. It returns at most one row. */
export type JsonSelect<T> = {
  readonly with?: RawBuilder<unknown>;
  readonly json: Json<T>;
  readonly from: RawBuilder<unknown>;
};

type SessionParameters = [tokenHash: Buffer, userId: string, now: Date];

const secondsBefore = (now: RawBuilder<Date>, seconds: number) =>
  sql`${now}::timestamptz - interval '${sql.raw(String(seconds))} seconds'`;

/** Prepares a query that answers a call. It finds no row when nothing exists that the caller may see. */
export function prepareJsonQuery<Parameters extends readonly unknown[], T>(
  build: (...placeholders: Placeholders<Parameters>) => JsonSelect<T>,
  count: number = build.length,
  isQuick = false,
): (...parameters: Parameters) => JsonQuery<T> {
  const select = (...placeholders: Placeholders<Parameters>) => {
    const { with: steps, json, from } = build(...placeholders);
    return sql`${steps ? sql`with ${steps} ` : sql``}select ${toSql(json)} as json from ${from}`;
  };
  const plain = prepare<Parameters, { json: string }>(select, count);
  const withSession = prepare<[...SessionParameters, ...Parameters], { json: string | null; isStale: boolean }>(
    (tokenHash, userId, now, ...placeholders) =>
      sql`select answer.json, s.last_used_at < ${secondsBefore(now, SESSION_TOUCH_INTERVAL_S)} as "isStale"
        from sessions s left join lateral (${select(...(placeholders as unknown as Placeholders<Parameters>))}) answer on true
        where s.token_hash = ${tokenHash} and s.user_id = ${userId} and s.last_used_at > ${secondsBefore(now, SESSION_LIFETIME_S)}`,
    3 + count,
  );
  return (...parameters) => ({
    isQuick,
    async run(tx) {
      const row = await plain.one(tx, ...parameters);
      return row && toSerializedJson(row.json);
    },
    async runInSession(tx, { tokenHash, userId, now }) {
      const row = await withSession.one(tx, tokenHash, userId, now, ...parameters);
      return row && { answer: row.json === null ? undefined : toSerializedJson(row.json), isStale: row.isStale };
    },
  });
}

/** For queries that read a few rows by their keys, for any caller: they do not wait behind longer ones. */
export const prepareQuickJsonQuery = <Parameters extends readonly unknown[], T>(
  build: (...placeholders: Placeholders<Parameters>) => JsonSelect<T>,
) => prepareJsonQuery(build, build.length, true);
