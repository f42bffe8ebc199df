import { type RawBuilder, sql } from 'kysely';
import { SESSION_LIFETIME_S, SESSION_TOUCH_INTERVAL_S } from '../../domain/accounts.ts';
import { type SerializedJson, toSerializedJson } from './json.sql.ts';
import type { QueryExecutor } from './pipeline.ts';
import { type Placeholders, prepare } from './prepared.ts';

/** The session that a reading is asked under. Whose it is was known before; whether it lives is part of the question. */
export type QuerySession = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly now: Date;
};

export type SessionQueryResult<Said = never> = {
  /** Undefined when there is nothing, or nothing for them. */
  readonly answer: SerializedJson<Said> | undefined;
  /** Whether the session's last use should be noted again. */
  readonly isStale: boolean;
};

/** An answer that one statement finds and writes as JSON; nothing is asked before one of these is called. */
export type JsonQuery<Said = never> = {
  /** Whether it is over at once, whoever asks. */
  readonly isQuick: boolean;
  run(tx: QueryExecutor): Promise<SerializedJson<Said> | undefined>;
  /** The same, in one question with whether a session lives; undefined when it does not, and then nothing was read. */
  runInSession(tx: QueryExecutor, session: QuerySession): Promise<SessionQueryResult<Said> | undefined>;
};

type SessionParameters = [tokenHash: Buffer, userId: string, now: Date];

const secondsBefore = (now: RawBuilder<Date>, seconds: number) =>
  sql`${now}::timestamptz - interval '${sql.raw(String(seconds))} seconds'`;

/** Prepares a statement whose one column is `json`: at most one row, none when there is nothing for who asks. */
export function prepareJsonQuery<Given extends readonly unknown[]>(
  build: (...places: Placeholders<Given>) => RawBuilder<unknown>,
  count: number = build.length,
  isQuick = false,
): (...given: Given) => JsonQuery {
  const alone = prepare<Given, { json: string }>(build, count);
  const under = prepare<[...SessionParameters, ...Given], { json: string | null; isStale: boolean }>(
    (tokenHash, userId, now, ...places) =>
      sql`select answer.json, s.last_used_at < ${secondsBefore(now, SESSION_TOUCH_INTERVAL_S)} as "isStale"
        from sessions s left join lateral (${build(...(places as unknown as Placeholders<Given>))}) answer on true
        where s.token_hash = ${tokenHash} and s.user_id = ${userId} and s.last_used_at > ${secondsBefore(now, SESSION_LIFETIME_S)}`,
    3 + count,
  );
  return (...given) => ({
    isQuick,
    async run(tx) {
      const found = await alone.one(tx, ...given);
      return found && toSerializedJson(found.json);
    },
    async runInSession(tx, { tokenHash, userId, now }) {
      const found = await under.one(tx, tokenHash, userId, now, ...given);
      return (
        found && { answer: found.json === null ? undefined : toSerializedJson(found.json), isStale: found.isStale }
      );
    },
  });
}

/** The same, where it looks at a few rows by their keys, whoever asks: such readings need not wait for longer ones. */
export const prepareQuickJsonQuery = <Given extends readonly unknown[]>(
  build: (...places: Placeholders<Given>) => RawBuilder<unknown>,
) => prepareJsonQuery(build, build.length, true);
