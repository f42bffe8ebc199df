import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ActName, OPERATOR_API, type OperatorCallName } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { type PhotoAnswer, sendPhoto } from '../http/photos.ts';
import { refuse } from '../http/refusals.ts';
import { parseRequest } from '../http/request.ts';
import { API_BASE, prepareApiScope, refuseOtherMethods } from '../http/routes.ts';
import { withRequestId } from '../log.ts';
import type { Acts, ConsoleContext, OperatorHandlers, SignedInOperator } from '../operatorContext.ts';
import { type ActRequest, takeAct } from './acts.ts';
import { hasRight, isCodeFresh } from './rights.ts';
import { readSessionToken, renderSessionCookie } from './sessionCookie.ts';
import { findSignedIn } from './sessions.ts';

export type OperatorApiOptions = {
  /** Reads and steps differ in their connections. */
  readonly reads: ConsoleContext;
  readonly steps: ConsoleContext;
  readonly createHandlers: (context: ConsoleContext) => OperatorHandlers;
  readonly acts: Acts;
  /** Authenticates the caller. By default, by the session of the token in the request; sign-in needs none. */
  readonly authorize?: Authorize;
  /** Wraps each call, e.g. to record who typed a command. */
  readonly around?: Around;
};

type Around = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;
const withoutMore: Around = (_request, work) => work();

/** Authenticates the caller. Refuses with 401 without a session, and with 403 without the right. */
export type Authorize = (call: OperatorCall, request: FastifyRequest) => Promise<SignedInOperator>;

/** Adds every call of the console to a server, under /api/operator. */
export function serveOperatorApi(app: FastifyInstance, options: OperatorApiOptions): void {
  app.register(
    async (api) => {
      prepareApiScope(api, options.reads.now);
      const [reads, steps] = [options.createHandlers(options.reads), options.createHandlers(options.steps)];
      const methods = new Map<string, Set<string>>();
      for (const [name, call] of Object.entries(OPERATOR_API) as [OperatorCallName, OperatorCall][]) {
        if (call.permission === 'anyone' && options.authorize) continue;
        const isRead = call.method === 'GET';
        const handle = (isRead ? reads : steps)[name as keyof OperatorHandlers] as unknown as AnyHandler;
        const context = isRead ? options.reads : options.steps;
        const { acts, authorize = authorizeByToken(context), around = withoutMore } = options;
        serveOperatorCall(api, { name, call, handle }, { context, acts, authorize, around });
        methods.set(call.path, (methods.get(call.path) ?? new Set()).add(call.method));
      }
      for (const [path, allowed] of methods) refuseOtherMethods(api, path, allowed);
    },
    { prefix: API_BASE },
  );
}

type AnyHandler = (input: unknown) => Promise<unknown>;

type Serving = {
  readonly context: ConsoleContext;
  readonly acts: Acts;
  readonly authorize: Authorize;
  readonly around: Around;
};
type ServedCall = { readonly name: OperatorCallName; readonly call: OperatorCall; readonly handle: AnyHandler };

function serveOperatorCall(
  api: FastifyInstance,
  { name, call, handle }: ServedCall,
  { context, acts, authorize, around }: Serving,
): void {
  const operators = new WeakMap<FastifyRequest, SignedInOperator>();
  api.route({
    method: call.method,
    url: call.path,
    // Before the body is read, so that no body is parsed for a stranger.
    onRequest: async (request) => {
      if (call.permission === 'anyone') return;
      operators.set(request, await authorize(call, request));
    },
    handler: async (request, reply) => {
      const operator = operators.get(request);
      const parts = parseRequest(call, request);
      const origin = { from: request.ip, userAgent: request.headers['user-agent'] ?? '' };
      const answer = await around(request, () =>
        withRequestId(request.id, async () => {
          if (!call.act) return handle({ ...parts, ...origin, operator });
          if (!operator) throw new Error(`${name} is an act that anyone may take`);
          // The contract adds the reason to the body of every act.
          const { params, body, idempotencyKey } = parts as unknown as Omit<ActRequest, 'name'>;
          return takeAct(context, acts, operator, { name: name as ActName, params, body, idempotencyKey });
        }),
      );
      if (call.session) {
        const token = call.session === 'begins' ? (answer as { authToken: string }).authToken : '';
        reply.header('set-cookie', renderSessionCookie(token, context.config));
      }
      if (call.answersFile) return sendPhoto(reply.code(call.status), answer as PhotoAnswer);
      return reply.code(call.status).send(call.status === 204 ? undefined : answer);
    },
  });
}

/** By the token of the request, or the cookie of the console. */
export const authorizeByToken =
  (context: ConsoleContext): Authorize =>
  async (call, request) => {
    const operator = (await findSignedIn(context, readSessionToken(request))) ?? refuse('unauthenticated');
    if (!hasRight(operator.caps, call)) refuse('noRight');
    if (call.act?.takesCode && !isCodeFresh(operator.session, context.now())) refuse('codeTooOld');
    return operator;
  };
