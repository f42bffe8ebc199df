import { normalizeEmail } from '../../domain/accounts.ts';
import { PERMISSIONS } from '../../domain/operators.ts';
import { hashPassword, THIS_MACHINE, verifyPassword } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { lockAudit } from './audit.sql.ts';
import { createInvitation, type Inviting } from './invitations.ts';
import {
  countOperators,
  endSessionsOf,
  findOperatorByEmail,
  insertOperator,
  setOperatorPassword,
} from './operators.sql.ts';

/**
 * The link for the first operator, who has every right. Undefined when there is an operator. Each server that starts makes
 * one, and all of them end when somebody has become the first.
 */
export const inviteFirstOperator = (context: Inviting): Promise<string | undefined> =>
  transact(context.db, async (tx) => {
    // The lock keeps anyone from becoming one in between.
    await lockAudit(tx);
    if ((await countOperators(tx)) > 0) return undefined;
    return createInvitation({ ...context, db: tx }, { email: null, caps: PERMISSIONS });
  });

export type DemoOperator = {
  readonly email: string;
  readonly fullname: string;
  readonly password: string;
  /** Changes the password of an existing account. */
  readonly onlyIfThere?: boolean;
};

/**
 * Adds the operator of the demo, who has every right and no second factor; or gives them this password, and ends their
 * sessions, when they have another one. Does nothing when the address belongs to a real operator.
 */
export async function addDemoOperator(
  { db, now, newId }: Pick<Context, 'db' | 'now' | 'newId'>,
  { email, fullname, password, onlyIfThere = false }: DemoOperator,
): Promise<void> {
  const emailKey = normalizeEmail(email);
  const existing = await findOperatorByEmail(db, emailKey);
  if (existing ? !existing.isDemo : onlyIfThere) return;
  if (existing && (await verifyPassword(password, existing.passwordHash, THIS_MACHINE))) return;
  const passwordHash = await hashPassword(password, THIS_MACHINE);
  await transact(db, async (tx) => {
    await lockAudit(tx);
    const account = await findOperatorByEmail(tx, emailKey);
    if (!account)
      return insertOperator(
        tx,
        { id: newId(), fullname, email, emailKey, passwordHash, caps: PERMISSIONS, factor: null },
        now(),
      );
    if (!account.isDemo) return;
    await setOperatorPassword(tx, account.id, passwordHash);
    await endSessionsOf(tx, account.id, now());
  });
}
