import { type RawBuilder, sql } from 'kysely';
import type { User } from '../../contract/accounts.ts';
import type { Role, UserId } from '../../domain/accounts.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { object, raw } from '../db/json.sql.ts';
import { prepare } from '../db/prepared.ts';
import { prepareQuickJsonQuery } from '../db/query.sql.ts';

export type AccountRow = { id: string; role: Role; fullname: string; email: string; password_hash: string };

export function findAccountByEmail(tx: Tx, key: string): Promise<AccountRow | undefined> {
  return queryRow(tx, sql`select id, role, fullname, email, password_hash from users where email_key = ${key}`);
}

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

export async function insertUser(tx: Tx, user: NewUser, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`insert into users (id, fullname, email, email_key, phone, role, password_hash, created_at)
      values (${user.id}, ${user.fullname}, ${user.email}, ${user.emailKey}, ${user.phone}, ${user.role},
        ${user.passwordHash}, ${now})`,
  );
}

/** Changes a name, a phone, or both; undefined leaves as it is. */
export async function updateUser(
  tx: Tx,
  id: string,
  change: { fullname: string | undefined; phone: string | null | undefined },
): Promise<void> {
  await queryRows(
    tx,
    sql`update users set fullname = coalesce(${change.fullname ?? null}::text, fullname),
      phone = case when ${change.phone !== undefined}::boolean then ${change.phone ?? null}::text else phone end
      where id = ${id}`,
  );
}

export async function setScrubVisibility(tx: Tx, scrubId: string, isActive: boolean): Promise<void> {
  await queryRows(
    tx,
    sql`with seen as (update users set is_active = ${isActive} where id = ${scrubId} returning id)
      update scrub_places set active = ${isActive} where scrub_id in (select id from seen)`,
  );
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await queryRows(tx, sql`update users set password_hash = ${passwordHash} where id = ${userId}`);
}

// Wrong passwords in a row.

/** The time until which sign-ins for an e-mail address wait, or undefined when they need not. */
export async function readSignInBlock(tx: Tx, key: string, now: Date): Promise<Date | undefined> {
  const blocked = await queryRow<{ blocked_until: Date }>(
    tx,
    sql`select blocked_until from sign_in_failures where email_key = ${key} and blocked_until > ${now}`,
  );
  return blocked?.blocked_until;
}

/**
 * Counts a wrong password. Gives the time until which the address is blocked when it was already: of a thousand guesses
 * at once only the first few are told whether they were wrong.
 */
export async function countSignInFailure(
  tx: Tx,
  key: string,
  now: Date,
  rule: { free: number; firstWaitS: number; longestWaitS: number },
): Promise<Date | undefined> {
  const counted = await queryRow(
    tx,
    sql`insert into sign_in_failures as f (email_key, failures, blocked_until) values (${key}, 1, ${now})
      on conflict (email_key) do update set failures = f.failures + 1,
        blocked_until = case when f.failures + 1 < ${rule.free}::int then ${now}::timestamptz
          else ${now}::timestamptz + make_interval(secs => least(${rule.longestWaitS}::float8,
            ${rule.firstWaitS}::float8 * power(2, least(f.failures + 1 - ${rule.free}::int, 20)))) end
      where f.blocked_until <= ${now}
      returning failures`,
  );
  return counted ? undefined : ((await readSignInBlock(tx, key, now)) ?? now);
}

/** Forgets the wrong passwords in a row after a right one, unless the address is blocked: then gives until when. */
export async function clearSignInFailuresUnlessBlocked(tx: Tx, key: string, now: Date): Promise<Date | undefined> {
  await queryRows(tx, sql`delete from sign_in_failures where email_key = ${key} and blocked_until <= ${now}`);
  return readSignInBlock(tx, key, now);
}

export async function clearSignInFailures(tx: Tx, key: string): Promise<void> {
  await queryRows(tx, sql`delete from sign_in_failures where email_key = ${key}`);
}

// Sign-up codes.

export type SignUpCodeRule = {
  lifetimeS: number;
  maxTries: number;
  minGapS: number;
  windowS: number;
  maxPerWindow: number;
};

/**
 * Writes a new code for an e-mail address.
 * Gives the time from which one may be asked for again instead, when it is too early.
 */
export async function saveSignUpCode(
  tx: Tx,
  key: string,
  codeHash: Buffer,
  now: Date,
  rule: SignUpCodeRule,
): Promise<Date | undefined> {
  const expires = new Date(now.getTime() + rule.lifetimeS * 1000);
  const windowStart = new Date(now.getTime() - rule.windowS * 1000);
  const gapStart = new Date(now.getTime() - rule.minGapS * 1000);
  const written = await queryRow(
    tx,
    sql`insert into email_codes as c (email_key, code_hash, expires_at, tries_left, sent_at, window_from, sent_in_window)
      values (${key}, ${codeHash}, ${expires}, ${rule.maxTries}, ${now}, ${now}, 1)
      on conflict (email_key) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at,
        tries_left = excluded.tries_left, sent_at = excluded.sent_at,
        window_from = case when c.window_from <= ${windowStart} then excluded.window_from else c.window_from end,
        sent_in_window = case when c.window_from <= ${windowStart} then 1 else c.sent_in_window + 1 end
      where c.sent_at <= ${gapStart} and (c.window_from <= ${windowStart} or c.sent_in_window < ${rule.maxPerWindow}::int)
      returning email_key`,
  );
  if (written) return undefined;
  const last = await queryRow<{ sent_at: Date; window_from: Date; sent_in_window: number }>(
    tx,
    sql`select sent_at, window_from, sent_in_window from email_codes where email_key = ${key}`,
  );
  if (!last) return now;
  const afterGap = last.sent_at.getTime() + rule.minGapS * 1000;
  const afterWindow = last.sent_in_window >= rule.maxPerWindow ? last.window_from.getTime() + rule.windowS * 1000 : 0;
  return new Date(Math.max(afterGap, afterWindow));
}

/** Takes one try at the code of an e-mail address and gives the code's digest, or undefined when there is no try left. */
export async function takeSignUpCodeTry(tx: Tx, key: string, now: Date): Promise<Buffer | undefined> {
  const taken = await queryRow<{ code_hash: Buffer }>(
    tx,
    sql`update email_codes set tries_left = tries_left - 1
      where email_key = ${key} and tries_left > 0 and expires_at > ${now} and code_hash is not null
      returning code_hash`,
  );
  return taken?.code_hash;
}

/** Gives back the try that was taken for the right code. */
export async function returnSignUpCodeTry(tx: Tx, key: string, codeHash: Buffer): Promise<void> {
  await queryRows(
    tx,
    sql`update email_codes set tries_left = tries_left + 1 where email_key = ${key} and code_hash = ${codeHash}`,
  );
}
