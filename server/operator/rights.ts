import { OPERATOR_API, type OperatorCallName } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { CODE_AGE_S, isMachineUser, type Operator, type Permission } from '../../domain/operators.ts';
import { refuse } from '../http/refusals.ts';
import type { ConsoleContext, LiveOperatorSession, SignedInOperator } from '../operatorContext.ts';
import { countOperators, findOperator } from './operators.sql.ts';
import { findSignedInByHash } from './sessions.ts';

/** A call that an earlier or a later release has written. Undefined for one that this release does not know. */
export const callOf = (name: string): OperatorCall | undefined =>
  Object.hasOwn(OPERATOR_API, name) ? OPERATOR_API[name as OperatorCallName] : undefined;

/** Whether these rights allow a call. */
export const hasRight = (caps: readonly Permission[], { permission }: Pick<OperatorCall, 'permission'>): boolean =>
  permission === 'anyone' || permission === 'operator' || caps.includes(permission);

/** The acts that these rights allow. */
export const listActsFor = (caps: readonly Permission[]): string[] =>
  (Object.entries(OPERATOR_API) as [string, OperatorCall][])
    .filter(([, call]) => call.act && hasRight(caps, call))
    .map(([name]) => name);

/**
 * Whether a code of the second factor was entered a short while ago. The operator of the demo has none. A time that is far ahead is
 * from a wrong clock, and not fresh until then.
 */
export const isCodeFresh = ({ codeAt, isDemo }: LiveOperatorSession, now: Date): boolean =>
  isDemo || Math.abs(now.getTime() - codeAt.getTime()) < CODE_AGE_S * 1000;

/** Whether an operator acts by a command, without a session. */
export const isFromCommandLine = ({ session }: SignedInOperator): boolean => session.tokenHash.length === 0;

/**
 * The caller with the rights of this moment. Call it after `lockAudit`: while the request waited, they may have left, signed out
 * or lost the right.
 */
export async function confirmRights(
  inside: ConsoleContext,
  operator: Operator | SignedInOperator,
  call: OperatorCall,
): Promise<Operator> {
  const current = await findCurrent(inside, operator);
  if (!current) refuse('unauthenticated');
  if (!hasRight(current.caps, call)) refuse('noRight');
  return current;
}

/** The caller of this moment. Undefined when they have left or signed out. */
export const findCurrent = (
  inside: ConsoleContext,
  operator: Operator | SignedInOperator,
): Promise<Operator | undefined> => {
  if (isMachineUser(operator)) return isFirst(inside).then((first) => (first ? operator : undefined));
  return 'session' in operator && !isFromCommandLine(operator)
    ? findSignedInByHash(inside, operator.session.tokenHash)
    : findLiveOperator(inside, operator.id);
};

/** Whether there is no operator yet. */
export const isFirst = async ({ db }: Pick<ConsoleContext, 'db'>): Promise<boolean> => (await countOperators(db)) === 0;

/** An operator who has not left. The operator of the demo counts only while the demo is on. */
export async function findLiveOperator(
  { db, config }: Pick<ConsoleContext, 'db' | 'config'>,
  id: string,
): Promise<Operator | undefined> {
  const operator = await findOperator(db, id);
  return operator && (config.demo || !operator.isDemo) ? operator : undefined;
}
