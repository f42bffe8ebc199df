import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { signInRestrictionSql } from './restrictions.sql.ts';

/** How many wrong tries an origin has before it waits. */
export const FREE_TRIES = 5;
/** Free tries of a whole IPv6 /48. */
export const FREE_TRIES_OF_WIDE_NETWORK = 20;
/** The wait doubles with every wrong try. */
const [FIRST_WAIT_S, LONGEST_WAIT_S] = [30, 3600];

/** How many wrong passwords for one account an origin may send before it has to wait. */
export type AttemptLimit = { readonly origin: string; readonly free: number };

/** The time until which one of these origins may not sign in to an e-mail address, or undefined. */
export async function readSignInBlock(
  tx: Tx,
  emailKey: string,
  origins: readonly string[],
  now: Date,
): Promise<Date | undefined> {
  const block = await tx
    .selectFrom('sign_in_attempts')
    .select('blocked_until')
    .where('email_key', '=', emailKey)
    .where(sql<boolean>`origin = any(${[...origins]}::text[])`)
    .where('blocked_until', '>', now)
    .orderBy('blocked_until', 'desc')
    .limit(1)
    .executeTakeFirst();
  return block?.blocked_until;
}

const CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Counts a wrong password for each of its origins. Returns until when one of them is blocked if it was blocked already, so
 * that of a thousand parallel guesses only the first few learn whether they were wrong. The order of the limits is the
 * order of the locks.
 */
export async function countWrongPassword(
  tx: Tx,
  emailKey: string,
  limits: readonly AttemptLimit[],
  now: Date,
): Promise<Date | undefined> {
  const origins = limits.map(({ origin }) => origin);
  const limitRows = sql`unnest(${origins}::text[], ${limits.map(({ free }) => free)}::int[])
    with ordinality as l (origin, free, position)`;
  // Not `now`: a free try must not block a server whose clock is a little behind.
  const notBlocked = new Date(now.getTime() - CLOCK_DIFFERENCE_MS);
  const overFree = sql`f.failures + 1 - (select l.free from ${limitRows} where l.origin = f.origin)`;
  // Raw SQL: the builder has no make_interval, and the doubling wait reads best as one expression.
  const counted = await queryRows(
    tx,
    sql`insert into sign_in_attempts as f (email_key, origin, failures, blocked_until)
      select ${emailKey}, l.origin, 1, ${notBlocked} from ${limitRows} order by l.position
      on conflict (email_key, origin) do update set failures = f.failures + 1,
        blocked_until = case when ${overFree} < 0 then ${notBlocked}::timestamptz
          else ${now}::timestamptz + make_interval(secs => least(${LONGEST_WAIT_S}::float8,
            ${FIRST_WAIT_S}::float8 * power(2, least(${overFree}, 20)))) end
      where f.blocked_until <= ${now}
      returning failures`,
  );
  if (counted.length === limits.length) return undefined;
  return (await readSignInBlock(tx, emailKey, origins, now)) ?? now;
}

/** Forgets the wrong passwords of an origin, unless it is blocked. */
export async function clearWrongPasswords(tx: Tx, emailKey: string, origin: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('email_key', '=', emailKey)
    .where('origin', '=', origin)
    .where('blocked_until', '<=', now)
    .execute();
}

/** Ends the waits of every origin. */
export async function clearAllWrongPasswords(tx: Tx, emailKey: string): Promise<void> {
  await tx.deleteFrom('sign_in_attempts').where('email_key', '=', emailKey).execute();
}

/** The same, and why the person cannot sign in whatever they type, in one statement. Lock the person before. */
export async function readSignInObstacles(
  tx: Tx,
  { emailKey, origins, userId }: { emailKey: string; origins: readonly string[]; userId: string },
  now: Date,
): Promise<{ readonly blockedUntil: Date | null; readonly heldReason: string | null }> {
  const row = await queryRow<{ blockedUntil: Date | null; heldReason: string | null }>(
    tx,
    sql`select ${signInRestrictionSql(sql`${userId}::uuid`)} as "heldReason",
      (select max(a.blocked_until) from sign_in_attempts a where a.email_key = ${emailKey}
        and a.origin = any(${[...origins]}::text[]) and a.blocked_until > ${now}) as "blockedUntil"`,
  );
  return row ?? { blockedUntil: null, heldReason: null };
}
