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
import { type Answer, type Asked, type Call, CURSOR_HEADER } from '../../contract/call.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { Known, Sessions } from '../auth/sessions.ts';
import { type Ready, readyText, textOf } from '../db/json.sql.ts';
import type { Reading } from '../db/query.sql.ts';
import { workFor } from '../log.ts';
import { answerClientError, boundConnections, watchConnections } from './connections.ts';
import { answerError } from './errors.ts';
import { isMeant } from './fetchMetadata.ts';
import type { Limits } from './rateLimits.ts';
import { found, Refusal, refuse } from './refusals.ts';
import { sendJson } from './reply.ts';
import { bearer, readShape } from './request.ts';

/** The calls that are one question to the database: what it finds it writes as JSON, and says whether the session lives. */
const READINGS = [
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
type ReadingName = (typeof READINGS)[number];

/** One function a call of the contract; the compiler asks for the missing ones. */
export type Handlers = {
  [N in CallName]: (asked: Asked<Api[N]>) => N extends ReadingName
    ? Reading<Answer<Api[N]>>
    : // Placing is the one step whose answer PostgreSQL writes, too.
      Promise<N extends 'placeOrder' ? Ready<Answer<Api[N]>> : Answer<Api[N]>>;
};

export type Serving = {
  readonly handlers: Handlers;
  readonly sessions: Sessions;
  /** Up to which of the live events everything shows in what is read from now on. */
  readonly place: () => string;
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
const URL_LOGGED_AT_MOST = 200;
export const API_BASE = '/api';

/** On every answer: nothing is taken for another type than it says, and nobody is told where somebody came from. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
/** An answer of the API is no page, whatever stands in it, and no other site's to load. */
const NO_PAGE = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;
const HTTPS_HEADERS = { ...HEADERS, 'strict-transport-security': 'max-age=31536000' } as const;

export const LIVE_PATH = `${API_BASE}/health/live`;

type Door = {
  logger: FastifyBaseLogger;
  trustProxy: boolean | number | string[];
  limits: Limits;
  /** Whether people reach it by https alone. */
  isHttps?: boolean;
  /** Multiplies what is counted by network. */
  scale?: number;
};

const noSchemas = () => {
  throw new Error('the contract checks what is sent; no route has a schema for Fastify');
};

function optionsOf(given: Door): FastifyHttpOptions<RawServerDefault> {
  return {
    loggerInstance: given.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustHops(given.trustProxy),
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
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.header('x-request-id', request.id);
      answerError(error, request, reply);
    },
  };
}

/** A bare HTTP server with our limits, our one error shape, and a request id on every answer. */
export function bareServer(given: Door): FastifyInstance {
  const app = Fastify(optionsOf(given));
  boundConnections(app.server, { scale: given.scale ?? 1, behindProxy: given.trustProxy !== false });
  const connections = watchConnections(app.server);
  app.addHook('preClose', async () => connections.endIdle());
  app.decorateRequest('caller', undefined);
  app.decorateRequest('token', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(given.isHttps ? HTTPS_HEADERS : HEADERS);
    // Whatever is asked of the API counts, known or not; but nobody is to be told that a full server is a dead one.
    if (request.url.startsWith(API_BASE) && request.url !== LIVE_PATH) given.limits.request(request.ip);
  });
  app.addHook('onResponse', async (request, reply) => {
    // One line a request, without its query: a token may stand there by mistake.
    const [url = ''] = request.url.slice(0, URL_LOGGED_AT_MOST).split('?');
    request.log.info(
      { method: request.method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
  app.setErrorHandler(answerError);
  return app;
}

/** Proxies are counted from our end, and `on` is one: the leftmost forwarded address is whatever the client wrote. */
function trustHops(trust: boolean | number | string[]) {
  const hops = trust === true ? 1 : trust;
  return typeof hops === 'number' ? (_address: string, hop: number) => hop < hops : hops;
}

/** Adds every call of the contract to a server, under /api. */
export function serveApi(app: FastifyInstance, serving: Serving): void {
  app.register(
    async (api) => {
      readJsonOnly(api);
      api.addHook('onSend', async (_request, reply) => {
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
        reply.headers(NO_PAGE);
      });
      const methods = new Map<string, Set<string>>();
      for (const [name, call] of Object.entries(API) as [CallName, Call][]) {
        if (isReading(name)) serveReading(api, call, serving.handlers[name] as (asked: unknown) => Reading, serving);
        else serveCall(api, call, serving.handlers[name] as (asked: unknown) => Promise<unknown>, serving);
        methods.set(call.path, (methods.get(call.path) ?? new Set()).add(call.method));
      }
      for (const [path, allowed] of methods) refuseOtherMethods(api, path, allowed);
      api.setNotFoundHandler((request, reply) => answerError(new Refusal('notFound'), request, reply));
    },
    { prefix: API_BASE },
  );
}

const isReading = (name: CallName): name is ReadingName => (READINGS as readonly CallName[]).includes(name);

/** JSON is the one kind of body, and an empty one is none: many clients name the type on every call they make. */
function readJsonOnly(api: FastifyInstance): void {
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
  serving: Serving,
): void {
  api.route({
    method: call.method,
    url: call.path,
    // Who is asking is settled before a body is read: a stranger's megabytes are not worth parsing.
    onRequest: (request) => identify(call, request, serving.sessions),
    handler: async (request, reply) => {
      const asked = { ...readShape(call, request), caller: request.caller, token: request.token, from: request.ip };
      // Before anything is read: a later place would promise what an answer cannot know yet.
      reply.header(CURSOR_HEADER, serving.place());
      const answer = await workFor(request.id, () => handle(asked));
      const json = readyText(answer);
      if (json !== undefined) return sendJson(request, reply.code(call.status), json);
      return reply.code(call.status).send(call.status === 204 ? undefined : answer);
    },
  });
}

type Ask = (asked: unknown) => Reading;

function serveReading(api: FastifyInstance, call: Call, ask: Ask, serving: Serving): void {
  const { sessions } = serving;
  api.route({
    method: call.method,
    url: call.path,
    handler: (request, reply) =>
      workFor(request.id, async () => {
        // Before anything is read: a later place would promise what an answer cannot know yet.
        const place = serving.place();
        const shown =
          (await readAtOnce(call, request, ask, sessions)) ?? (await readKnown(call, request, ask, sessions));
        reply.header(CURSOR_HEADER, place);
        return sendJson(request, reply.code(call.status), textOf(found(shown.answer)));
      }),
  });
}

/**
 * Reads for whoever the token belonged to before: the reading itself says whether it still lives. Undefined when it does
 * not, and when something else is to be refused, which is told only to who is known.
 */
async function readAtOnce(call: Call, request: FastifyRequest, ask: Ask, sessions: Sessions) {
  const known = sessions.recall(bearer(request));
  if (!known || !call.who.includes(known.caller.role)) return undefined;
  const reading = unlessRefused(() => ask({ ...readShape(call, request), caller: known.caller }));
  return reading && sessions.read(known, reading);
}

async function readKnown(call: Call, request: FastifyRequest, ask: Ask, sessions: Sessions) {
  const known = await whoMay(call, request, sessions);
  const shown = await sessions.read(known, ask({ ...readShape(call, request), caller: known.caller }));
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
export async function identify(call: Call, request: FastifyRequest, sessions: Sessions): Promise<void> {
  if (call.who === 'anyone') return;
  request.token = bearer(request);
  request.caller = (await whoMay(call, request, sessions)).caller;
}

async function whoMay(call: Call, request: FastifyRequest, sessions: Sessions): Promise<Known> {
  const known = await sessions.lookUp(bearer(request));
  if (known === undefined) refuse('unauthenticated');
  if (!call.who.includes(known.caller.role)) refuse('wrongRole');
  if (call.acts && !isMeant(request.headers)) refuse('notMeant');
  return known;
}
