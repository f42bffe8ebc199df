import { normalizeEmail } from '../../domain/accounts.ts';
import type { OperatorId } from '../../domain/operators.ts';
import type { ConsoleContext, SignedInOperator } from './operatorContext.ts';
import { findOperator, findOperatorByEmail } from './operators.sql.ts';

/**
 * The operator that a command names. It needs no password and no second factor: the person who runs commands controls the machine
 * and its database.
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
  // Branded like an id from a checked token.
  const known = { ...operator, id: operator.id as OperatorId };
  return { ...known, session: { ...known, ...at, isDemo, tokenHash: Buffer.alloc(0) } };
}
