import { normalizeEmail } from '../../domain/accounts.ts';
import type { OperatorId } from '../../domain/operators.ts';
import type { ConsoleContext, SignedInOperator } from './operatorContext.ts';
import { findOperator, findOperatorByEmail } from './operators.sql.ts';

/**
 * The operator whom a command names. It takes no password and no second factor: the person who runs commands owns the machine, and
 * with it the database.
 */
export async function findCommandOperator(
  { db, now, config }: ConsoleContext,
  email: string,
): Promise<SignedInOperator | undefined> {
  const account = await findOperatorByEmail(db, normalizeEmail(email));
  if (!account || (account.isDemo && !config.demo)) return undefined;
  const operator = await findOperator(db, account.id);
  if (!operator) return undefined;
  const { isDemo } = account;
  const at = { createdAt: now(), lastUsedAt: now(), codeAt: now() };
  // Its brand is like that of a checked token.
  const known = { ...operator, id: operator.id as OperatorId };
  return { ...known, session: { ...known, ...at, isDemo, tokenHash: Buffer.alloc(0) } };
}
