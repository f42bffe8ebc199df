import type { Tx } from '../db/database.ts';

export function readCredentials(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['fullname', 'email', 'email_key as emailKey', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** Changes the password if its hash is still `from`. Returns whether it was. */
export async function replacePassword(
  tx: Tx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
