import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { API, type Api, type CallName } from '../../contract/api.ts';
import { type Answer, type Call, type CallInput, CURSOR_HEADER } from '../../contract/call.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { KnownSession, Sessions } from '../auth/sessions.ts';
import { findJsonText, jsonTextOf, type SerializedJson } from '../db/json.sql.ts';
import type { JsonQuery } from '../db/query.sql.ts';
import { withRequestId } from '../log.ts';
import { handleClientError, limitConnections, trackConnections } from './connections.ts';
import { handleError } from './errors.ts';
import { isUserInitiated } from './fetchMetadata.ts';
import type { RateLimits } from './rateLimits.ts';
import { orNotFound, Refusal, refuse } from './refusals.ts';
import { sendJson } from './reply.ts';
import { parseRequest, readBearerToken } from './request.ts';

/** The calls that are one question to the database: what it finds it writes as JSON, and says whether the session lives. */
const QUERY_CALLS = [
  'session',
  'readOrder',
  'readDelivery',
  'listOrders',
  'listDeliveries',
  'findScrubsNearby',
  'findDeliveriesNearby',
  'budDashboard',
  'scrubDashboard',
  'duberDashboard',
] as const satisfies readonly CallName[];
type QueryCallName = (typeof QUERY_CALLS)[number];

/** One function a call of the contract; the compiler asks for the missing ones. */
export type Handlers = {
  [N in CallName]: (asked: CallInput<Api[N]>) => N extends QueryCallName
    ? JsonQuery<Answer<Api[N]>>
    : // Placing is the one step whose answer PostgreSQL writes, too.
      Promise<N extends 'placeOrder' ? SerializedJson<Answer<Api[N]>> : Answer<Api[N]>>;
};

export type ApiOptions = {
  readonly handlers: Handlers;
  readonly sessions: Sessions;
  /** Up to which of the live events everything shows in what is read from now on. */
  readonly eventCursor: () => string;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    token: string | undefined;
  }
}

const BODY_MAXIMUM = 64 * 1024;
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
/** Characters; addresses of ours are shorter, and others need not fill the log. */
const MAX_LOGGED_URL_LENGTH = 200;
export const API_BASE = '/api';

/** On every answer: nothing is taken for another type than it says, and nobody is told where somebody came from. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
/** An answer of the API is no page, whatever stands in it, and no other site's to load. */
const API_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;
const HTTPS_HEADERS = { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' } as const;

export const LIVENESS_PATH = `${API_BASE}/health/live`;

type HttpOptions = {
  logger: FastifyBaseLogger;
  trustProxy: boolean | number | string[];
  limits: RateLimits;
  /** Whether people reach it by https alone. */
  isHttps?: boolean;
  /** Multiplies what is counted by network. */
  scale?: number;
};

const refuseSchemas = () => {
  throw new Error('the contract checks what is sent; no route has a schema for Fastify');
};

function toFastifyOptions(given: HttpOptions): FastifyHttpOptions<RawServerDefault> {
  return {
    loggerInstance: given.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: toProxyTrust(given.trustProxy),
    bodyLimit: BODY_MAXIMUM,
    // A client that dawdles over its headers or its body must not hold a socket for ever.
    connectionTimeout: 60_000,
    requestTimeout: 20_000,
    // Longer than the minute that proxies keep theirs, so that none sends on a connection that is being closed.
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    // As long as Node lets an address be: an endless id is a bad id like any other.
    routerOptions: { maxParamLength: 16_384 },
    exposeHeadRoutes: false,
    // Named, because what Fastify would load in their stead is a twentieth of a start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    clientErrorHandler: handleClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.header('x-request-id', request.id);
      handleError(error, request, reply);
    },
  };
}

/** A bare HTTP server with our limits, our one error shape, and a request id on every answer. */
export function createHttpServer(given: HttpOptions): FastifyInstance {
  const app = Fastify(toFastifyOptions(given));
  limitConnections(app.server, { scale: given.scale ?? 1, behindProxy: given.trustProxy !== false });
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => connections.closeIdle());
  app.decorateRequest('caller', undefined);
  app.decorateRequest('token', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(given.isHttps ? HTTPS_HEADERS : SECURITY_HEADERS);
    // Whatever is asked of the API counts, known or not; but nobody is to be told that a full server is a dead one.
    if (request.url.startsWith(API_BASE) && request.url !== LIVENESS_PATH) given.limits.countRequest(request.ip);
  });
  app.addHook('onResponse', async (request, reply) => {
    // One line a request, without its query: a token may stand there by mistake.
    const [url = ''] = request.url.slice(0, MAX_LOGGED_URL_LENGTH).split('?');
    request.log.info(
      { method: request.method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
  app.setErrorHandler(handleError);
  return app;
}

/** Proxies are counted from our end, and `on` is one: the leftmost forwarded address is whatever the client wrote. */
function toProxyTrust(trust: boolean | number | string[]) {
  const hops = trust === true ? 1 : trust;
  return typeof hops === 'number' ? (_address: string, hop: number) => hop < hops : hops;
}

/** Adds every call of the contract to a server, under /api. */
export function serveApi(app: FastifyInstance, serving: ApiOptions): void {
  app.register(
    async (api) => {
      acceptJsonOnly(api);
      api.addHook('onSend', async (_request, reply) => {
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
        reply.headers(API_HEADERS);
      });
      const methods = new Map<string, Set<string>>();
      for (const [name, call] of Object.entries(API) as [CallName, Call][]) {
        if (isQueryCall(name)) serveQuery(api, call, serving.handlers[name] as (asked: unknown) => JsonQuery, serving);
        else serveCall(api, call, serving.handlers[name] as (asked: unknown) => Promise<unknown>, serving);
        methods.set(call.path, (methods.get(call.path) ?? new Set()).add(call.method));
      }
      for (const [path, allowed] of methods) refuseOtherMethods(api, path, allowed);
      api.setNotFoundHandler((request, reply) => handleError(new Refusal('notFound'), request, reply));
    },
    { prefix: API_BASE },
  );
}

const isQueryCall = (name: CallName): name is QueryCallName => (QUERY_CALLS as readonly CallName[]).includes(name);

/** JSON is the one kind of body, and an empty one is none: many clients name the type on every call they make. */
function acceptJsonOnly(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error');
  api.removeContentTypeParser(['application/json', 'text/plain']);
  api.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parse(request, text, done);
  });
}

/** Answers 405 for every method of a path but the allowed ones. */
export function refuseOtherMethods(api: FastifyInstance, path: string, allowed: Set<string>): void {
  api.route({
    method: METHODS.filter((method) => !allowed.has(method)),
    url: path,
    onRequest: async (_request, reply) => {
      reply.header('allow', [...allowed].join(', '));
      refuse('notAllowedMethod');
    },
    handler: async () => refuse('notAllowedMethod'),
  });
}

function serveCall(
  api: FastifyInstance,
  call: Call,
  handle: (asked: unknown) => Promise<unknown>,
  serving: ApiOptions,
): void {
  api.route({
    method: call.method,
    url: call.path,
    // Who is asking is settled before a body is read: a stranger's megabytes are not worth parsing.
    onRequest: (request) => authenticate(call, request, serving.sessions),
    handler: async (request, reply) => {
      const asked = { ...parseRequest(call, request), caller: request.caller, token: request.token, from: request.ip };
      // Before anything is read: a later place would promise what an answer cannot know yet.
      reply.header(CURSOR_HEADER, serving.eventCursor());
      const answer = await withRequestId(request.id, () => handle(asked));
      const json = findJsonText(answer);
      if (json !== undefined) return sendJson(request, reply.code(call.status), json);
      return reply.code(call.status).send(call.status === 204 ? undefined : answer);
    },
  });
}

type QueryHandler = (asked: unknown) => JsonQuery;

function serveQuery(api: FastifyInstance, call: Call, ask: QueryHandler, serving: ApiOptions): void {
  const { sessions } = serving;
  api.route({
    method: call.method,
    url: call.path,
    handler: (request, reply) =>
      withRequestId(request.id, async () => {
        // Before anything is read: a later place would promise what an answer cannot know yet.
        const place = serving.eventCursor();
        const shown =
          (await queryForCachedSession(call, request, ask, sessions)) ??
          (await queryForCheckedSession(call, request, ask, sessions));
        reply.header(CURSOR_HEADER, place);
        return sendJson(request, reply.code(call.status), jsonTextOf(orNotFound(shown.answer)));
      }),
  });
}

/**
 * Reads for whoever the token belonged to before: the reading itself says whether it still lives. Undefined when it does
 * not, and when something else is to be refused, which is told only to who is known.
 */
async function queryForCachedSession(call: Call, request: FastifyRequest, ask: QueryHandler, sessions: Sessions) {
  const known = sessions.findCached(readBearerToken(request));
  if (!known || !call.who.includes(known.caller.role)) return undefined;
  const reading = unlessRefused(() => ask({ ...parseRequest(call, request), caller: known.caller }));
  return reading && sessions.runQuery(known, reading);
}

async function queryForCheckedSession(call: Call, request: FastifyRequest, ask: QueryHandler, sessions: Sessions) {
  const known = await authorizeCaller(call, request, sessions);
  const shown = await sessions.runQuery(known, ask({ ...parseRequest(call, request), caller: known.caller }));
  return shown ?? refuse('unauthenticated');
}

function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Settles who asks, and whether they may. */
export async function authenticate(call: Call, request: FastifyRequest, sessions: Sessions): Promise<void> {
  if (call.who === 'anyone') return;
  request.token = readBearerToken(request);
  request.caller = (await authorizeCaller(call, request, sessions)).caller;
}

async function authorizeCaller(call: Call, request: FastifyRequest, sessions: Sessions): Promise<KnownSession> {
  const known = await sessions.lookUp(readBearerToken(request));
  if (known === undefined) refuse('unauthenticated');
  if (!call.who.includes(known.caller.role)) refuse('wrongRole');
  if (call.changesState && !isUserInitiated(request.headers)) refuse('notMeant');
  return known;
}
