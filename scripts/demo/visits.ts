import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API } from '../../contract/api.ts';
import { type Call, isReadOnly } from '../../contract/call.ts';
import { streamEvents } from '../../contract/events.ts';

/** Somebody who has closed the app without signing out is here for this long. */
const HERE_MS = 3 * 60_000;
const MAX_REMEMBERED = 1_000;

/** What the demo knows of the people who look at it. */
export type Visits = {
  /** When a visitor last did something, in milliseconds; -Infinity before the first time. */
  readonly lastActAt: () => number;
  /** Whether a visitor is signed in as this user, and was here in the last minutes. */
  readonly isHere: (userId: string) => boolean;
  /** Resolves when a visitor does something. */
  readonly nextAct: () => Promise<void>;
  readonly register: (app: FastifyInstance) => void;
};

const keyOf = (method: string, path: string) => `${method} ${path}`;
const keyOfCall = ({ method, path }: Pick<Call, 'method' | 'path'>) => keyOf(method, `/api${path}`);

// Devices do these by themselves.
const AUTOMATIC: readonly Call[] = [API.sharePosition, API.forgetPosition, API.subscribePush];
// The app checks its session when somebody opens it. Other reads follow live events: they say nothing about people.
const ACTS = new Set(
  Object.values<Call>(API)
    .filter((call) => (call === API.session || !isReadOnly(call)) && !AUTOMATIC.includes(call))
    .map(keyOfCall),
);
const STREAM = keyOfCall(streamEvents);
const LOGOUT = keyOfCall(API.logout);
const SIGN_INS = [API.login, API.signUp].map(keyOfCall);

/** Notes what visitors do: every request but the demo's own. */
export function createVisits(isOwn: (headers: IncomingHttpHeaders) => boolean, now: () => number): Visits {
  const seenAt = new Map<string, number>();
  const streams = new Map<string, number>();
  let lastActAt = Number.NEGATIVE_INFINITY;
  let next = Promise.withResolvers<void>();

  const see = (userId: string) => {
    seenAt.delete(userId);
    seenAt.set(userId, now());
    const [oldest] = seenAt.size > MAX_REMEMBERED ? seenAt.keys() : [];
    if (oldest !== undefined) seenAt.delete(oldest);
  };
  const countStream = (userId: string, change: 1 | -1) => {
    const count = (streams.get(userId) ?? 0) + change;
    if (count > 0) streams.set(userId, count);
    else streams.delete(userId);
  };
  const noteAct = () => {
    lastActAt = now();
    next.resolve();
    next = Promise.withResolvers();
  };
  const routeOf = ({ method, routeOptions }: FastifyRequest) => keyOf(method, routeOptions.url ?? '');

  return {
    lastActAt: () => lastActAt,
    isHere: (userId) => streams.has(userId) || now() - (seenAt.get(userId) ?? Number.NEGATIVE_INFINITY) < HERE_MS,
    nextAct: () => next.promise,
    register: (app) => {
      app.addHook('preHandler', async (request, reply) => {
        const { caller, headers } = request;
        if (!caller || isOwn(headers) || routeOf(request) !== STREAM) return;
        // They have hung up already, and no `close` comes any more.
        if (reply.raw.destroyed) return;
        countStream(caller.id, 1);
        reply.raw.once('close', () => countStream(caller.id, -1));
      });
      // Not async: the answer must be sent at once, as without this hook.
      app.addHook('preSerialization', (request, _reply, answer, done) => {
        const isSignIn = SIGN_INS.includes(routeOf(request)) && !isOwn(request.headers);
        if (isSignIn && isSignedIn(answer)) see(answer.user.id);
        done(null, answer);
      });
      app.addHook('onResponse', async (request, reply) => {
        if (reply.statusCode >= 400 || isOwn(request.headers)) return;
        const route = routeOf(request);
        if (request.caller && route !== STREAM) see(request.caller.id);
        if (request.caller && route === LOGOUT) seenAt.delete(request.caller.id);
        if (ACTS.has(route)) noteAct();
      });
    },
  };
}

// The sign-in knows its user only in the answer.
const isSignedIn = (answer: unknown): answer is { user: { id: string } } =>
  typeof answer === 'object' && answer !== null && 'user' in answer && 'authToken' in answer;
