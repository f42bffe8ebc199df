import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { deliveryActs, orderActs } from '../../contract/operator/orderActs.ts';
import { normalizeEmail } from '../../domain/accounts.ts';
import { machineUser, type Operator, type OperatorId } from '../../domain/operators.ts';
import { refuse } from '../http/refusals.ts';
import type { ConsoleContext, SignedInOperator } from '../operatorContext.ts';
import { AS_HEADER, runForCommandLine, USER_HEADER } from './commandLineUser.ts';
import { ACTS, createOperatorHandlers } from './handlers.ts';
import { findOperator, findOperatorByEmail, listOperatorAccounts } from './operators.sql.ts';
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
export function serveCommandLine(app: FastifyInstance, context: ConsoleContext): void {
  serveOperatorApi(app, {
    ...{ reads: context, steps: context },
    createHandlers: createOperatorHandlers,
    acts: ACTS,
    authorize: async (call, request) => {
      const { as, user } = readCommandUser(request);
      if (as === undefined) return authorizeMachineUser(context, call, user);
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
  // Branded like an id from a checked token.
  return withSession({ ...operator, id: operator.id as OperatorId }, email, { now, isDemo: account.isDemo });
}

type SessionParts = { readonly now: () => Date; readonly isDemo: boolean };

/** An operator as if they had just entered a code. */
const withSession = (operator: Operator, email: string, { now, isDemo }: SessionParts): SignedInOperator => {
  const at = { createdAt: now(), lastUsedAt: now(), codeAt: now() };
  return { ...operator, session: { ...operator, email, ...at, isDemo, tokenHash: Buffer.alloc(0) } };
};

/** What sets up a town and keeps its laundry moving. It gives no money away, and needs no account. */
const FIRST_ACTS: ReadonlySet<OperatorCall> = new Set<OperatorCall>([
  ...[OPERATOR_API.setPrice, OPERATOR_API.setPolicy, OPERATOR_API.setPreset],
  ...[OPERATOR_API.retryProblem, OPERATOR_API.dropRefund, OPERATOR_API.runPayouts],
  ...[OPERATOR_API.closeCase, OPERATOR_API.resendMessages],
  ...Object.values(orderActs),
  ...Object.values(deliveryActs),
]);

/** The user of the machine reads everything, and takes the first acts until there is an operator. */
async function authorizeMachineUser(
  { db, now, config }: ConsoleContext,
  call: OperatorCall,
  user: string,
): Promise<SignedInOperator> {
  if (call.method !== 'GET') {
    const operators = await listOperatorAccounts(db);
    // Those of a demo can act too, although they are not counted as the ones who approve.
    if (operators.some(({ isDemo }) => !isDemo || config.demo)) refuse('unauthenticated', { message: SAY_WHO });
    if (!FIRST_ACTS.has(call)) refuse('noRight', { message: ONLY_OPERATORS });
  }
  return withSession(machineUser(user), '', { now, isDemo: false });
}

const SAY_WHO = 'say who you are: --as <your e-mail as an operator>. "list-operators" shows them';
const ONLY_OPERATORS =
  'only operators do this, and a second one may have to approve it. There is none yet: npm run operator -- invite <your e-mail>, then add --as <your e-mail>';
