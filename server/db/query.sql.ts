import { type RawBuilder, sql } from 'kysely';
import { ALL_FIELDS, type FieldTree } from '../../contract/answerFields.ts';
import { SESSION_LIFETIME_S, SESSION_MAX_AGE_S, SESSION_TOUCH_INTERVAL_S } from '../../domain/accounts.ts';
import { RARE_STATEMENT } from './client.ts';
import { type Json, jsonTextOf, pickJson, type SerializedJson, toSerializedJson, toSql } from './json.sql.ts';
import type { QueryExecutor } from './pipeline.ts';
import { type Placeholders, prepare } from './prepared.ts';
import { withUsedColumns } from './sharedColumns.sql.ts';

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
  /** Whether this select is the right one now; always when absent. */
  readonly applies?: RawBuilder<boolean>;
};

type Build<Parameters extends readonly unknown[], T> = (...placeholders: Placeholders<Parameters>) => JsonSelect<T>;

type SessionParameters = [tokenHash: Buffer, userId: string, now: Date];

const secondsBefore = (now: RawBuilder<Date>, seconds: number) =>
  sql`${now}::timestamptz - interval '${sql.raw(String(seconds))} seconds'`;

/** Whether the session `s` has not expired by `now`. */
export const isLiveSession = (now: RawBuilder<Date>): RawBuilder<boolean> =>
  sql`s.last_used_at > ${secondsBefore(now, SESSION_LIFETIME_S)}
    and s.created_at > ${secondsBefore(now, SESSION_MAX_AGE_S)}`;

/** Prepares the select of a query, alone and with the check of a session. */
function prepareSelect<Parameters extends readonly unknown[], T>(
  build: Build<Parameters, T>,
  { count, isRare }: { count: number; isRare: boolean },
) {
  const start = isRare ? sql.raw(RARE_STATEMENT) : sql``;
  const select = (...placeholders: Placeholders<Parameters>) => {
    const { with: steps, json, from, applies = sql`true` } = build(...placeholders);
    return withUsedColumns(
      sql`${steps ? sql`with ${steps} ` : sql``}select ${toSql(json)} as json, ${applies} as applies from ${from}`,
    );
  };
  return {
    alone: prepare<Parameters, { json: string; applies: boolean }>(
      (...placeholders) => sql`${start}${select(...placeholders)}`,
      count,
    ),
    inSession: prepare<
      [...SessionParameters, ...Parameters],
      { json: string | null; applies: boolean | null; isStale: boolean }
    >(
      (tokenHash, userId, now, ...placeholders) =>
        sql`${start}select answer.json, answer.applies, s.last_used_at < ${secondsBefore(now, SESSION_TOUCH_INTERVAL_S)} as "isStale"
          from sessions s left join lateral (${select(...(placeholders as unknown as Placeholders<Parameters>))}) answer on true
          where s.token_hash = ${tokenHash} and s.user_id = ${userId} and ${isLiveSession(now)}`,
      3 + count,
    ),
  };
}

/**
 * Prepares a query that answers a call. It finds no row when nothing exists that the caller may see. Of several builds it
 * uses the one that applied last, and another one when the answer says that it does not apply any more.
 */
function prepareBuilds<Parameters extends readonly unknown[], T>(
  builds: readonly Build<Parameters, T>[],
  { count, isQuick, isRare = false }: { count: number; isQuick: boolean; isRare?: boolean },
): (...parameters: Parameters) => JsonQuery<T> {
  const selects = builds.map((build) => prepareSelect(build, { count, isRare }));
  type Select = (typeof selects)[number];
  let current = 0;
  async function runApplying<Row extends { applies: boolean | null }>(
    run: (select: Select) => Promise<Row | undefined>,
  ) {
    const tried = current;
    const row = await run(selects[tried] as Select);
    if (row?.applies !== false) return row;
    current = (tried + 1) % selects.length;
    return runApplying(run);
  }
  return (...parameters) => ({
    isQuick,
    async run(tx) {
      const row = await runApplying(({ alone }) => alone.one(tx, ...parameters));
      return row && toSerializedJson(row.json);
    },
    async runInSession(tx, { tokenHash, userId, now }) {
      const row = await runApplying(({ inSession }) => inSession.one(tx, tokenHash, userId, now, ...parameters));
      return row && { answer: row.json === null ? undefined : toSerializedJson(row.json), isStale: row.isStale };
    },
  });
}

/** Prepares a query that reads a few rows by their keys, for any caller: it does not wait behind longer ones. */
export const prepareJsonQuery = <Parameters extends readonly unknown[], T>(build: Build<Parameters, T>) =>
  prepareBuilds([build], { count: build.length, isQuick: true });

/** Which part of an answer a query writes, and whether no screen asks for this part. */
export type AnswerPart = { readonly fields: FieldTree; readonly isRare: boolean };

type PrepareOptions = Partial<AnswerPart> & {
  /** The number of parameters where the build's own number does not say it. */
  readonly count?: number;
  readonly isQuick?: boolean;
};

/**
 * Prepares a query whose answer depends on the privacy policy: a statement for each. Each reads the policy with its answer, so
 * no answer is made under the wrong one, and the default pays nothing for what the other one hides.
 */
export function prepareByPrivacy<Parameters extends readonly unknown[], T>(
  build: (isCareful: boolean) => Build<Parameters, T>,
  { count = build(false).length, isQuick = false, fields = ALL_FIELDS, isRare = false }: PrepareOptions = {},
): (...parameters: Parameters) => JsonQuery<T> {
  const builds = [build(false), build(true)].map(
    (buildAll): Build<Parameters, T> =>
      (...placeholders) => {
        const select = buildAll(...placeholders);
        return { ...select, json: pickJson(select.json, fields) };
      },
  );
  return prepareBuilds(builds, { count, isQuick, isRare });
}

/** The query, whose answer may be null: `refuse` is called instead of answering it. */
export function refuseNull<T>(query: JsonQuery<T | null>, refuse: () => never): JsonQuery<T> {
  const check = (answer: SerializedJson<T | null> | undefined) =>
    answer && jsonTextOf(answer) === 'null' ? refuse() : (answer as SerializedJson<T> | undefined);
  return {
    isQuick: query.isQuick,
    run: async (tx) => check(await query.run(tx)),
    async runInSession(tx, session) {
      const result = await query.runInSession(tx, session);
      return result && { ...result, answer: check(result.answer) };
    },
  };
}
