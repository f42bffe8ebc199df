import { type NotNull, type RawBuilder, sql } from 'kysely';
import type { User } from '../../contract/accounts.ts';
import { earlierEmailKey, normalizeEmail, type Role, type UserId } from '../../domain/accounts.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import { isoTime } from '../db/columns.sql.ts';
import { type Tx, transact } from '../db/database.ts';
import { object, raw } from '../db/json.sql.ts';
import { prepare } from '../db/prepared.ts';
import { prepareJsonQuery } from '../db/query.sql.ts';
import { type CodeRule, codeUpsertSql, SENT_COLUMNS, saveCode } from './codeLimits.sql.ts';

/** The account of an e-mail address. When two older accounts share one mailbox, the one that signed up with this spelling. */
export async function findAccountByEmail(tx: Tx, email: string) {
  const spelling = earlierEmailKey(email);
  const accounts = await tx
    .selectFrom('users')
    .select(['id', 'fullname', 'email', 'email_key as emailKey', 'password_hash as passwordHash'])
    .where('email_key', 'in', [...new Set([normalizeEmail(email), spelling])])
    .execute();
  return accounts.find(({ emailKey }) => emailKey === spelling) ?? accounts[0];
}

// Raw SQL, because every page load reads it: the statement is prepared once.
const selectUser = (
  id: RawBuilder<unknown>,
) => sql`select u.id, u.fullname, u.email, u.phone, u.role, u.is_active as "isActive",
      (select ${isoTime('e.due_at')} from erasures e where e.id = u.id and e.status = 'cooling') as "erasedAt",
      exists (select from case_people p where p.user_id = u.id) as "hasCases",
      coalesce((select json_agg(json_build_object('id', a.id, 'label', a.label, 'address', a.address,
          'latitude', a.latitude, 'longitude', a.longitude) order by a.created_at, a.id)
        from addresses a where a.user_id = u.id), '[]') as addresses
      from users u where u.id = ${id}`;

const userById = prepare<[id: string], User>(selectUser);

/** The answer of the `session` call: the signed-in user, as JSON. */
export const readSessionJson = prepareJsonQuery<[id: UserId], { user: User }>((id) => ({
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

/** Saves whether a Scrub wants to be found. */
export async function setScrubVisibility(db: Tx, scrubId: string, isActive: boolean): Promise<void> {
  await transact(db, async (tx) => {
    await tx.updateTable('users').set({ is_active: isActive }).where('id', '=', scrubId).execute();
    // A separate statement: the update may have waited while a restriction was being set.
    await applyScrubVisibility(tx, scrubId);
  });
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

/** Saves a new code for an e-mail address. If it is too early for another one, returns when the next may be requested. */
export async function saveSignUpCode(
  tx: Tx,
  emailKey: string,
  codeHash: Buffer,
  now: Date,
  rule: CodeRule,
): Promise<Date | undefined> {
  const { columns, values, update } = codeUpsertSql(now, rule);
  const upsert = sql`
    insert into email_codes as c (email_key, code_hash, ${columns}) values (${emailKey}, ${codeHash}, ${values})
    on conflict (email_key) do update set code_hash = excluded.code_hash, ${update} returning email_key`;
  const findSent = () =>
    tx.selectFrom('email_codes').select(SENT_COLUMNS).where('email_key', '=', emailKey).executeTakeFirst();
  return saveCode(tx, { upsert, findSent, now, rule });
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

/** Returns the try that a correct code has used. */
export async function returnSignUpCodeTry(tx: Tx, emailKey: string, codeHash: Buffer): Promise<void> {
  await tx
    .updateTable('email_codes')
    .set((eb) => ({ tries_left: eb('tries_left', '+', 1) }))
    .where('email_key', '=', emailKey)
    .where('code_hash', '=', codeHash)
    .execute();
}
