import { type RawBuilder, sql } from 'kysely';
import { SESSION_LIFETIME_S, SESSION_NOTED_EVERY_S } from '../../domain/accounts.ts';
import { type Ready, ready } from './json.sql.ts';
import type { Asks } from './pipeline.ts';
import { type Places, prepare } from './prepared.ts';

/** The session that a reading is asked under. Whose it is was known before; whether it lives is part of the question. */
export type Session = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly now: Date;
};

export type Shown<Said = never> = {
  /** Undefined when there is nothing, or nothing for them. */
  readonly answer: Ready<Said> | undefined;
  /** Whether the session's last use should be noted again. */
  readonly isStale: boolean;
};

/** An answer that one statement finds and writes as JSON; nothing is asked before one of these is called. */
export type Reading<Said = never> = {
  /** Whether it is over at once, whoever asks. */
  readonly isQuick: boolean;
  ask(tx: Asks): Promise<Ready<Said> | undefined>;
  /** The same, in one question with whether a session lives; undefined when it does not, and then nothing was read. */
  askUnder(tx: Asks, session: Session): Promise<Shown<Said> | undefined>;
};

type Under = [tokenHash: Buffer, userId: string, now: Date];

const ago = (now: RawBuilder<Date>, seconds: number) =>
  sql`${now}::timestamptz - interval '${sql.raw(String(seconds))} seconds'`;

/** Prepares a statement whose one column is `json`: at most one row, none when there is nothing for who asks. */
export function prepareReading<Given extends readonly unknown[]>(
  build: (...places: Places<Given>) => RawBuilder<unknown>,
  count: number = build.length,
  isQuick = false,
): (...given: Given) => Reading {
  const alone = prepare<Given, { json: string }>(build, count);
  const under = prepare<[...Under, ...Given], { json: string | null; isStale: boolean }>(
    (tokenHash, userId, now, ...places) =>
      sql`select answer.json, s.last_used_at < ${ago(now, SESSION_NOTED_EVERY_S)} as "isStale"
        from sessions s left join lateral (${build(...(places as unknown as Places<Given>))}) answer on true
        where s.token_hash = ${tokenHash} and s.user_id = ${userId} and s.last_used_at > ${ago(now, SESSION_LIFETIME_S)}`,
    3 + count,
  );
  return (...given) => ({
    isQuick,
    async ask(tx) {
      const found = await alone.one(tx, ...given);
      return found && ready(found.json);
    },
    async askUnder(tx, { tokenHash, userId, now }) {
      const found = await under.one(tx, tokenHash, userId, now, ...given);
      return found && { answer: found.json === null ? undefined : ready(found.json), isStale: found.isStale };
    },
  });
}

/** The same, where it looks at a few rows by their keys, whoever asks: such readings need not wait for longer ones. */
export const prepareQuickReading = <Given extends readonly unknown[]>(
  build: (...places: Places<Given>) => RawBuilder<unknown>,
) => prepareReading(build, build.length, true);
