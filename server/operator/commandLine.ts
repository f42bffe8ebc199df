import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeEmail } from '../../domain/accounts.ts';
import type { OperatorId } from '../../domain/operators.ts';
import { refuse } from '../http/refusals.ts';
import type { ConsoleContext, SignedInOperator } from '../operatorContext.ts';
import { AS_HEADER, runForCommandLine, USER_HEADER } from './commandLineUser.ts';
import { ACTS, createOperatorHandlers } from './handlers.ts';
import { findOperator, findOperatorByEmail } from './operators.sql.ts';
import type { ConsoleParts } from './operatorTools.ts';
import { hasRight } from './rights.ts';
import { serveOperatorApi } from './routes.ts';

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? decodeURIComponent(value) : undefined;
};

/** The operator that a command names, and the user who typed it. */
export const readCommandUser = (request: FastifyRequest): { as: string | undefined; user: string } => ({
  as: headerOf(request, AS_HEADER),
  user: headerOf(request, USER_HEADER) ?? 'unknown',
});

/** Serves the calls of the console to commands. Rights, limits and approvals are the same. */
export function serveCommandLine(app: FastifyInstance, context: ConsoleParts): void {
  serveOperatorApi(app, {
    ...{ reads: context, steps: context },
    createHandlers: (one) => createOperatorHandlers(one, context.files),
    acts: ACTS,
    authorize: async (call, request) => {
      const { as } = readCommandUser(request);
      if (as === undefined)
        refuse('unauthenticated', { message: 'Say who you are: --as <your e-mail as an operator>' });
      const operator = await findCommandOperator(context, as);
      if (!operator) refuse('unauthenticated', { message: `There is no operator with the e-mail ${as}` });
      if (!hasRight(operator.caps, call)) refuse('noRight');
      return operator;
    },
    around: (request, work) => runForCommandLine(readCommandUser(request).user, work),
  });
}

/**
 * The operator that a command names. It needs no password and no second factor: the person who runs commands controls the machine
 * and its database.
 */
async function findCommandOperator(
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
