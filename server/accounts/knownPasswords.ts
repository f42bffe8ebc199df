import { normalizeEmail } from '../../domain/accounts.ts';
import { hashPassword, THIS_MACHINE, verifyPassword } from '../auth/secrets.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import { type Tx, transact } from '../db/database.ts';
import { findAccountByEmail, setPassword } from './accounts.sql.ts';

/** The ids of those of these accounts that have this password. */
export async function listAccountsWithPassword(db: Tx, emails: readonly string[], password: string): Promise<string[]> {
  const found: string[] = [];
  for (const email of emails) {
    const account = await findAccountByEmail(db, normalizeEmail(email));
    if (account && (await verifyPassword(password, account.passwordHash, THIS_MACHINE))) found.push(account.id);
  }
  return found;
}

/** Gives accounts another password, and signs them out everywhere. */
export async function replacePasswords(db: Tx, userIds: readonly string[], password: string): Promise<void> {
  for (const userId of userIds) {
    const passwordHash = await hashPassword(password, THIS_MACHINE);
    await transact(db, async (tx) => {
      await setPassword(tx, userId, passwordHash);
      await deleteSessionsOf(tx, userId);
    });
  }
}
