import { type NotNull, type RawBuilder, sql } from 'kysely';
import type { User } from '../../contract/accounts.ts';
import type { Role, UserId } from '../../domain/accounts.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { object, raw } from '../db/json.sql.ts';
import { prepare } from '../db/prepared.ts';
import { prepareQuickJsonQuery } from '../db/query.sql.ts';

export function findAccountByEmail(tx: Tx, emailKey: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'fullname', 'email', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst();
}

// Raw SQL, because every page load reads it: the statement is prepared once.
const selectUser = (
  id: RawBuilder<unknown>,
) => sql`select u.id, u.fullname, u.email, u.phone, u.role, u.is_active as "isActive",
      coalesce((select json_agg(json_build_object('id', a.id, 'label', a.label, 'address', a.address,
          'latitude', a.latitude, 'longitude', a.longitude) order by a.created_at, a.id)
        from addresses a where a.user_id = u.id), '[]') as addresses
      from users u where u.id = ${id}`;

const userById = prepare<[id: string], User>(selectUser);

/** The user of a session. */
export const readSessionJson = prepareQuickJsonQuery<[id: UserId], { user: User }>((id) => ({
  json: object({ user: raw(sql<User>`row_to_json(u)`) }),
  from: sql`(${selectUser(id)}) u`,
}));

export function readUser(tx: Tx, id: string): Promise<User | undefined> {
  return userById.one(tx, id);
}

export type NewUser = {
  readonly id: string;
  readonly fullname: string;
  readonly email: string;
  readonly emailKey: string;
  readonly phone: string | null;
  readonly role: Role;
  readonly passwordHash: string;
};

/** Violates `users_email_key` when the address already has an account. */
export async function insertUser(tx: Tx, user: NewUser, now: Date): Promise<void> {
  const { emailKey: email_key, passwordHash: password_hash, ...rest } = user;
  await tx
    .insertInto('users')
    .values({ ...rest, email_key, password_hash, created_at: now })
    .execute();
}

/** Changes the name, the phone, or both. Undefined leaves a column unchanged. */
export async function updateUser(
  tx: Tx,
  id: string,
  change: { fullname: string | undefined; phone: string | null | undefined },
): Promise<void> {
  if (change.fullname === undefined && change.phone === undefined) return;
  await tx.updateTable('users').set(change).where('id', '=', id).execute();
}

export async function setScrubVisibility(tx: Tx, scrubId: string, isActive: boolean): Promise<void> {
  await tx
    .with('scrub', (db) =>
      db.updateTable('users').set({ is_active: isActive }).where('id', '=', scrubId).returning('id'),
    )
    .updateTable('scrub_places')
    .set({ active: isActive })
    .where('scrub_id', 'in', (eb) => eb.selectFrom('scrub').select('id'))
    .execute();
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

/** The time until which sign-ins to an e-mail address are blocked, or undefined. */
export async function readSignInBlock(tx: Tx, emailKey: string, now: Date): Promise<Date | undefined> {
  const block = await tx
    .selectFrom('sign_in_failures')
    .select('blocked_until')
    .where('email_key', '=', emailKey)
    .where('blocked_until', '>', now)
    .executeTakeFirst();
  return block?.blocked_until;
}

/**
 * Counts a wrong password. Returns the time until which the address is blocked if it was blocked already, so that of a
 * thousand parallel guesses only the first few learn whether they were wrong.
 */
export async function countSignInFailure(
  tx: Tx,
  emailKey: string,
  now: Date,
  rule: { free: number; firstWaitS: number; longestWaitS: number },
): Promise<Date | undefined> {
  // Raw SQL: the builder has no make_interval, and the doubling wait reads best as one expression.
  const counted = await queryRow(
    tx,
    sql`insert into sign_in_failures as f (email_key, failures, blocked_until) values (${emailKey}, 1, ${now})
      on conflict (email_key) do update set failures = f.failures + 1,
        blocked_until = case when f.failures + 1 < ${rule.free}::int then ${now}::timestamptz
          else ${now}::timestamptz + make_interval(secs => least(${rule.longestWaitS}::float8,
            ${rule.firstWaitS}::float8 * power(2, least(f.failures + 1 - ${rule.free}::int, 20)))) end
      where f.blocked_until <= ${now}
      returning failures`,
  );
  return counted ? undefined : ((await readSignInBlock(tx, emailKey, now)) ?? now);
}

/** Resets the count after a right password. If the address is blocked, resets nothing and returns until when. */
export async function clearSignInFailuresUnlessBlocked(tx: Tx, emailKey: string, now: Date): Promise<Date | undefined> {
  await tx.deleteFrom('sign_in_failures').where('email_key', '=', emailKey).where('blocked_until', '<=', now).execute();
  return readSignInBlock(tx, emailKey, now);
}

export async function clearSignInFailures(tx: Tx, emailKey: string): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('email_key', '=', emailKey).execute();
}

export type SignUpCodeRule = {
  lifetimeS: number;
  maxTries: number;
  minGapS: number;
  windowS: number;
  maxPerWindow: number;
};

/** Saves a new code for an e-mail address. If it is too early for another one, returns when the next may be requested. */
export async function saveSignUpCode(
  tx: Tx,
  emailKey: string,
  codeHash: Buffer,
  now: Date,
  rule: SignUpCodeRule,
): Promise<Date | undefined> {
  const expires = new Date(now.getTime() + rule.lifetimeS * 1000);
  const windowStart = new Date(now.getTime() - rule.windowS * 1000);
  const gapStart = new Date(now.getTime() - rule.minGapS * 1000);
  // Raw SQL: one upsert checks both limits and counts, so that parallel requests cannot exceed them.
  const saved = await queryRow(
    tx,
    sql`insert into email_codes as c (email_key, code_hash, expires_at, tries_left, sent_at, window_from, sent_in_window)
      values (${emailKey}, ${codeHash}, ${expires}, ${rule.maxTries}, ${now}, ${now}, 1)
      on conflict (email_key) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at,
        tries_left = excluded.tries_left, sent_at = excluded.sent_at,
        window_from = case when c.window_from <= ${windowStart} then excluded.window_from else c.window_from end,
        sent_in_window = case when c.window_from <= ${windowStart} then 1 else c.sent_in_window + 1 end
      where c.sent_at <= ${gapStart} and (c.window_from <= ${windowStart} or c.sent_in_window < ${rule.maxPerWindow}::int)
      returning email_key`,
  );
  return saved ? undefined : nextSignUpCodeAt(tx, emailKey, now, rule);
}

async function nextSignUpCodeAt(tx: Tx, emailKey: string, now: Date, rule: SignUpCodeRule): Promise<Date> {
  const last = await tx
    .selectFrom('email_codes')
    .select(['sent_at', 'window_from', 'sent_in_window'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst();
  if (!last) return now;
  const afterGap = last.sent_at.getTime() + rule.minGapS * 1000;
  const afterWindow = last.sent_in_window >= rule.maxPerWindow ? last.window_from.getTime() + rule.windowS * 1000 : 0;
  return new Date(Math.max(afterGap, afterWindow));
}

/** Uses up one try at an address's code and returns the code's digest, or undefined when no try is left. */
export async function takeSignUpCodeTry(tx: Tx, emailKey: string, now: Date): Promise<Buffer | undefined> {
  const code = await tx
    .updateTable('email_codes')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('email_key', '=', emailKey)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .where('code_hash', 'is not', null)
    .returning('code_hash')
    .$narrowType<{ code_hash: NotNull }>()
    .executeTakeFirst();
  return code?.code_hash;
}

/** Returns the try that a right code has used up. */
export async function returnSignUpCodeTry(tx: Tx, emailKey: string, codeHash: Buffer): Promise<void> {
  await tx
    .updateTable('email_codes')
    .set((eb) => ({ tries_left: eb('tries_left', '+', 1) }))
    .where('email_key', '=', emailKey)
    .where('code_hash', '=', codeHash)
    .execute();
}
