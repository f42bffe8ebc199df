import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeEmail } from '../../domain/accounts.ts';
import type { OperatorId } from '../../domain/operators.ts';
import { refuse } from '../http/refusals.ts';
import { runForCommandLine } from './commandLineUser.ts';
import { ACTS, createOperatorHandlers } from './handlers.ts';
import type { ConsoleContext, SignedInOperator } from './operatorContext.ts';
import { findOperator, findOperatorByEmail } from './operators.sql.ts';
import { checkCap, serveOperatorApi } from './routes.ts';

/** Who acts, by e-mail address. */
export const AS_HEADER = 'rubadub-as';
/** Who typed the command: the name of a user of the machine. */
export const USER_HEADER = 'rubadub-user';

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? decodeURIComponent(value) : undefined;
};

/** Whom a command names, and who typed it. */
export const readCommandUser = (request: FastifyRequest): { as: string | undefined; user: string } => ({
  as: headerOf(request, AS_HEADER),
  user: headerOf(request, USER_HEADER) ?? 'unknown',
});

/**
 * The operator whom a command names. It takes no password and no second factor: whoever runs commands owns the machine, and
 * with it the database.
 */
export async function findActor(
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

/** Serves the calls of the console to commands. The same rights, limits and second yes hold. */
export function serveCommandLine(app: FastifyInstance, context: ConsoleContext): void {
  serveOperatorApi(app, {
    context,
    handlers: createOperatorHandlers(context),
    acts: ACTS,
    authorize: async (call, request) => {
      const { as } = readCommandUser(request);
      if (as === undefined)
        refuse('unauthenticated', { message: 'Say who you are: --as <your e-mail as an operator>' });
      const operator = await findActor(context, as);
      if (!operator) refuse('unauthenticated', { message: `There is no operator with the e-mail ${as}` });
      checkCap(call, operator);
      return operator;
    },
    around: (request, work) => runForCommandLine(readCommandUser(request).user, work),
  });
}
