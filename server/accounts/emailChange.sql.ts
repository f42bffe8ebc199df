import { type NotNull, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { type CodeRule, codeUpsertSql, SENT_COLUMNS, saveCode } from './codeLimits.sql.ts';

export type NewEmail = { readonly email: string; readonly emailKey: string };
/** The digests of the codes that were mailed to the current and to the new address. */
export type CodeHashes = { readonly oldCodeHash: Buffer; readonly newCodeHash: Buffer };

/** Saves the codes of a change. If it is too early for other ones, returns when they may be requested. */
export async function saveEmailChange(
  tx: Tx,
  { userId, email, emailKey, oldCodeHash, newCodeHash }: NewEmail & CodeHashes & { readonly userId: string },
  now: Date,
  rule: CodeRule,
): Promise<Date | undefined> {
  const { columns, values, update } = codeUpsertSql(now, rule);
  const upsert = sql`
    insert into email_changes as c (user_id, new_email, new_email_key, old_code_hash, new_code_hash, ${columns})
    values (${userId}, ${email}, ${emailKey}, ${oldCodeHash}, ${newCodeHash}, ${values})
    on conflict (user_id) do update set new_email = excluded.new_email, new_email_key = excluded.new_email_key,
      old_code_hash = excluded.old_code_hash, new_code_hash = excluded.new_code_hash, ${update} returning user_id`;
  const findSent = () =>
    tx.selectFrom('email_changes').select(SENT_COLUMNS).where('user_id', '=', userId).executeTakeFirst();
  return saveCode(tx, { upsert, findSent, now, rule });
}

/** Uses up one try at the codes of a change to this address. Returns undefined when no try is left. */
export function takeEmailChangeTry(tx: Tx, userId: string, emailKey: string, now: Date) {
  return tx
    .updateTable('email_changes')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('user_id', '=', userId)
    .where('new_email_key', '=', emailKey)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .where('old_code_hash', 'is not', null)
    .where('new_code_hash', 'is not', null)
    .returning(['new_email as email', 'old_code_hash as oldCodeHash', 'new_code_hash as newCodeHash'])
    .$narrowType<{ oldCodeHash: NotNull; newCodeHash: NotNull }>()
    .executeTakeFirst();
}

/** Makes the codes of a change useless. Returns whether they were still unused. */
export async function consumeEmailChangeCodes(
  tx: Tx,
  userId: string,
  { oldCodeHash, newCodeHash }: CodeHashes,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('email_changes')
    .set({ old_code_hash: null, new_code_hash: null })
    .where('user_id', '=', userId)
    .where('old_code_hash', '=', oldCodeHash)
    .where('new_code_hash', '=', newCodeHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives the account another e-mail address. Violates `users_email_key` when another account has it. */
export async function setEmail(tx: Tx, userId: string, { email, emailKey }: NewEmail): Promise<void> {
  await tx.updateTable('users').set({ email, email_key: emailKey }).where('id', '=', userId).execute();
}
