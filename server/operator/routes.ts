import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ActName, OPERATOR_API, type OperatorCallName } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { refuse } from '../http/refusals.ts';
import { parseRequest, readBearerToken } from '../http/request.ts';
import { API_BASE, prepareApiScope, refuseOtherMethods } from '../http/routes.ts';
import { withRequestId } from '../log.ts';
import { type ActRequest, takeAct } from './acts.ts';
import { isCodeFresh } from './approvals.ts';
import type { Acts, ConsoleContext, OperatorHandlers, SignedInOperator } from './operatorContext.ts';
import { findSignedIn } from './sessions.ts';

export type OperatorApiOptions = {
  readonly context: ConsoleContext;
  readonly handlers: OperatorHandlers;
  readonly acts: Acts;
  /** Says who calls. Without it, the session of the token in the request does, and everyone may sign in. */
  readonly authorize?: Authorize;
  /** Runs each call, for what lasts as long as it. */
  readonly around?: <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;
};

/** Finds who calls. Refuses with 401 if nobody does, and with 403 without the right. */
export type Authorize = (call: OperatorCall, request: FastifyRequest) => Promise<SignedInOperator>;

/** Adds every call of the console to a server, under /api/operator. */
export function serveOperatorApi(app: FastifyInstance, options: OperatorApiOptions): void {
  app.register(
    async (api) => {
      prepareApiScope(api);
      const methods = new Map<string, Set<string>>();
      for (const [name, call] of Object.entries(OPERATOR_API) as [OperatorCallName, OperatorCall][]) {
        if (call.cap === 'anyone' && options.authorize) continue;
        serveOperatorCall(api, name, call, options);
        methods.set(call.path, (methods.get(call.path) ?? new Set()).add(call.method));
      }
      for (const [path, allowed] of methods) refuseOtherMethods(api, path, allowed);
    },
    { prefix: API_BASE },
  );
}

type AnyHandler = (input: unknown) => Promise<unknown>;

function serveOperatorCall(
  api: FastifyInstance,
  name: OperatorCallName,
  call: OperatorCall,
  { context, handlers, acts, authorize = authorizeByToken(context), around = (_, work) => work() }: OperatorApiOptions,
): void {
  const operators = new WeakMap<FastifyRequest, SignedInOperator>();
  api.route({
    method: call.method,
    url: call.path,
    // Before the body is read, so that no body is parsed for a stranger.
    onRequest: async (request) => {
      if (call.cap === 'anyone') return;
      operators.set(request, await authorize(call, request));
    },
    handler: async (request, reply) => {
      const operator = operators.get(request);
      const parts = parseRequest(call, request);
      const origin = { from: request.ip, userAgent: request.headers['user-agent'] ?? '' };
      const answer = await around(request, () =>
        withRequestId(request.id, async () => {
          if (!call.act)
            return (handlers as unknown as Record<string, AnyHandler>)[name]?.({ ...parts, ...origin, operator });
          if (!operator) throw new Error(`${name} is an act that anyone may take`);
          // The contract adds the reason to the body of every act.
          const { params, body } = parts as unknown as Pick<ActRequest, 'params' | 'body'>;
          return takeAct(context, acts, operator, { name: name as ActName, params, body });
        }),
      );
      return reply.code(call.status).send(call.status === 204 ? undefined : answer);
    },
  });
}

const authorizeByToken =
  (context: ConsoleContext): Authorize =>
  async (call, request) => {
    const operator = (await findSignedIn(context, readBearerToken(request))) ?? refuse('unauthenticated');
    checkCap(call, operator);
    if (call.act?.takesCode && !isCodeFresh(operator.session, context.now())) refuse('codeTooOld');
    return operator;
  };

/** Refuses with 403 without the right that a call needs. */
export function checkCap({ cap }: OperatorCall, operator: SignedInOperator): void {
  if (cap !== 'anyone' && cap !== 'operator' && !operator.caps.includes(cap)) refuse('noRight');
}
