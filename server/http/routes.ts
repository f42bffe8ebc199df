import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API, type Api, type CallName } from '../../contract/api.ts';
import { type Answer, type Call, type CallInput, CURSOR_HEADER, isReadOnly } from '../../contract/call.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { Lane } from '../db/connectionQueue.ts';
import { findJsonText, jsonTextOf, type SerializedJson } from '../db/json.sql.ts';
import type { JsonQuery } from '../db/query.sql.ts';
import { withRequestId } from '../log.ts';
import { findDuplicateKey } from './duplicateKeys.ts';
import { answerNotFound } from './errors.ts';
import { isUserInitiated } from './fetchMetadata.ts';
import {
  type ArchiveAnswer,
  acceptPhotosOnly,
  type CalendarAnswer,
  type PhotoAnswer,
  sendArchive,
  sendCalendar,
  sendPhoto,
} from './photos.ts';
import { orNotFound, Refusal, refuse } from './refusals.ts';
import { sendJson } from './reply.ts';
import { parseRequest, readBearerToken } from './request.ts';
import { createUploadLimits } from './uploads.ts';

/** The calls that are one SQL statement, which checks the session, reads, and returns the answer as JSON text. */
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
/** What the calls return that answer with a file. */
type FileAnswers = { readonly photo: PhotoAnswer; readonly archive: ArchiveAnswer; readonly calendar: CalendarAnswer };
type QueryCallName = (typeof QUERY_CALLS)[number];

/** One handler per call of the contract. A missing one does not compile. */
export type Handlers = {
  [N in CallName]: (input: CallInput<Api[N]>) => N extends QueryCallName
    ? JsonQuery<Answer<Api[N]>>
    : Api[N] extends { answersFile: infer Kind extends keyof FileAnswers }
      ? Promise<FileAnswers[Kind]>
      : // The one call that changes state and whose answer PostgreSQL writes.
        Promise<N extends 'placeOrder' ? SerializedJson<Answer<Api[N]>> : Answer<Api[N]>>;
};

/** The handlers of reads from `reads`, and those of all other calls from `steps`. They differ in their connections. */
export function pickByLane(reads: Handlers, steps: Handlers): Handlers {
  const handlerOf = (name: CallName) => (isReadOnly(API[name]) ? reads : steps)[name];
  const names = Object.keys(API) as CallName[];
  return Object.fromEntries(names.map((name) => [name, handlerOf(name)])) as Handlers;
}

/** The caller that a token belongs to, which never changes. Whether the session still lives is checked every time. */
export type KnownSession = { readonly tokenHash: Buffer; readonly caller: Caller };

export type Sessions = {
  /** The session of a token, or undefined when it has ended. For a step, it does not wait behind reads. */
  lookUp(token: string, lane: Lane): Promise<KnownSession | undefined>;
  /** The session that an earlier look-up of this token found. It may have ended since. */
  findCached(token: string): KnownSession | undefined;
  /** Runs a query and checks the session in the same statement. Undefined when the session has ended. */
  runQuery(
    session: KnownSession,
    query: JsonQuery,
  ): Promise<{ readonly answer: SerializedJson | undefined } | undefined>;
};

export type ApiOptions = {
  readonly handlers: Handlers;
  readonly sessions: Sessions;
  /** The newest live event that everything read from now on includes. */
  readonly eventCursor: () => string;
  readonly now: () => Date;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    token: string | undefined;
  }
}

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
export const API_BASE = '/api';

/** An answer of the API must not run as a page, and other sites must not load it. */
const API_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Adds every call of the contract to a server, under /api. */
export function serveApi(app: FastifyInstance, options: ApiOptions): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('token', undefined);
  app.register(
    async (api) => {
      prepareApiScope(api, options.now);
      const methods = new Map<string, Set<string>>();
      for (const [name, call] of Object.entries(API) as [CallName, Call][]) {
        if (isQueryCall(name)) serveQuery(api, call, options.handlers[name] as (input: unknown) => JsonQuery, options);
        else {
          const handle = options.handlers[name] as (input: unknown) => Promise<unknown>;
          if (call.takesPhoto) api.register(async (scope) => servePhotoCall(scope, call, handle, options));
          else serveCall(api, call, handle, options);
        }
        methods.set(call.path, (methods.get(call.path) ?? new Set()).add(call.method));
      }
      for (const [path, allowed] of methods) refuseOtherMethods(api, path, allowed);
      api.setNotFoundHandler(answerNotFound);
    },
    { prefix: API_BASE },
  );
}

/**
 * What all answers of the API have in common: JSON only, not cached, not loaded by other sites, and the time that the rules go
 * by, which screens go by as well.
 */
export function prepareApiScope(api: FastifyInstance, now: () => Date): void {
  acceptJsonOnly(api);
  api.addHook('onSend', async (_request, reply) => {
    reply.header('date', now().toUTCString());
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    for (const [name, value] of Object.entries(API_HEADERS)) if (!reply.hasHeader(name)) reply.header(name, value);
  });
}

const isQueryCall = (name: CallName): name is QueryCallName => (QUERY_CALLS as readonly CallName[]).includes(name);

/** Accepts JSON bodies only. An empty body counts as none: many clients send the content type with every call. */
function acceptJsonOnly(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error');
  api.removeContentTypeParser(['application/json', 'text/plain']);
  api.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parse(request, text, (error, body) => done(error ?? refuseDuplicateKeys(text), body));
  });
}

function refuseDuplicateKeys(json: string): Refusal | null {
  const key = findDuplicateKey(json);
  if (key === undefined) return null;
  return new Refusal('notJson', { message: `The body has the key "${key.slice(0, 50)}" more than once` });
}

/** Answers 405 for every method of a path except the allowed ones. */
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

/** What else happens to the requests of a call: before their body is read, and around their work. */
type Admission = {
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly around: <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;
};
const ANY: Admission = { admit: () => undefined, around: (_request, work) => work() };

const servePhotoCall: typeof serveCall = (scope, call, handle, options) => {
  acceptPhotosOnly(scope);
  const { admit, keepDuring } = createUploadLimits();
  serveCall(scope, call, handle, options, {
    admit: (request, reply) => admit(request, reply, request.caller?.id ?? refuse('unauthenticated')),
    around: keepDuring,
  });
};

function serveCall(
  api: FastifyInstance,
  call: Call,
  handle: (input: unknown) => Promise<unknown>,
  options: ApiOptions,
  { admit, around }: Admission = ANY,
): void {
  api.route({
    method: call.method,
    url: call.path,
    // Before the body is read, so that no body is read for a stranger.
    onRequest: async (request, reply) => {
      await authenticate(call, request, options.sessions);
      admit(request, reply);
    },
    handler: async (request, reply) => {
      const { caller, token, ip: from } = request;
      const userAgent = request.headers['user-agent'] ?? '';
      const input = { ...parseRequest(call, request), caller, token, from, userAgent };
      // Before anything is read: a later cursor could skip events that the answer does not include.
      reply.header(CURSOR_HEADER, options.eventCursor());
      const answer = await around(request, () => withRequestId(request.id, () => handle(input)));
      if (call.answersFile === 'photo') return sendPhoto(reply.code(call.status), answer as PhotoAnswer);
      if (call.answersFile === 'archive') return sendArchive(reply.code(call.status), answer as ArchiveAnswer);
      if (call.answersFile === 'calendar') return sendCalendar(reply.code(call.status), answer as CalendarAnswer);
      const json = findJsonText(answer);
      if (json !== undefined) return sendJson(request, reply.code(call.status), json);
      return reply.code(call.status).send(call.status === 204 ? undefined : answer);
    },
  });
}

type QueryHandler = (input: unknown) => JsonQuery;

function serveQuery(api: FastifyInstance, call: Call, buildQuery: QueryHandler, options: ApiOptions): void {
  const { sessions } = options;
  api.route({
    method: call.method,
    url: call.path,
    handler: (request, reply) =>
      withRequestId(request.id, async () => {
        // Before anything is read: a later cursor could skip events that the answer does not include.
        const cursor = options.eventCursor();
        const result =
          (await queryForCachedSession(call, request, buildQuery, sessions)) ??
          (await queryForCheckedSession(call, request, buildQuery, sessions));
        reply.header(CURSOR_HEADER, cursor);
        return sendJson(request, reply.code(call.status), jsonTextOf(orNotFound(result.answer)));
      }),
  });
}

/**
 * Runs the query for the caller that the token had before; the query itself checks that the session still lives. Undefined
 * when it has ended or the request is invalid: then the session is checked first, because a stranger must get a 401.
 */
async function queryForCachedSession(
  call: Call,
  request: FastifyRequest,
  buildQuery: QueryHandler,
  sessions: Sessions,
) {
  const session = sessions.findCached(readBearerToken(request));
  if (!session || !call.who.includes(session.caller.role)) return undefined;
  const query = unlessRefused(() => buildQuery({ ...parseRequest(call, request), caller: session.caller }));
  const result = query && (await sessions.runQuery(session, query));
  if (result) request.caller = session.caller;
  return result;
}

async function queryForCheckedSession(
  call: Call,
  request: FastifyRequest,
  buildQuery: QueryHandler,
  sessions: Sessions,
) {
  const session = await authorizeCaller(call, request, sessions);
  const result = await sessions.runQuery(
    session,
    buildQuery({ ...parseRequest(call, request), caller: session.caller }),
  );
  return result ?? refuse('unauthenticated');
}

function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Sets the request's caller. Refuses with 401 without a live session, and with 403 for the wrong role. */
export async function authenticate(call: Call, request: FastifyRequest, sessions: Sessions): Promise<void> {
  if (call.who === 'anyone') return;
  request.token = readBearerToken(request);
  await authorizeCaller(call, request, sessions);
}

async function authorizeCaller(call: Call, request: FastifyRequest, sessions: Sessions): Promise<KnownSession> {
  const session = await sessions.lookUp(readBearerToken(request), isReadOnly(call) ? 'reads' : 'steps');
  if (session === undefined) refuse('unauthenticated');
  if (!call.who.includes(session.caller.role)) refuse('wrongRole');
  if (call.changesState && !isUserInitiated(request.headers)) refuse('notMeant');
  request.caller = session.caller;
  return session;
}
