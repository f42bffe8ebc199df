import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API } from '../../contract/api.ts';
import { type Call, isReadOnly } from '../../contract/call.ts';
import { streamEvents } from '../../contract/events.ts';

/**
 * An account is a visitor's for this long after its last request with a session, also after they have signed out: a visitor
 * who plays several roles in turn comes back to each of them.
 */
export const PLAYED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;
/** An account is written down at most this often. After a restart it is a visitor's for that much longer. */
const STORE_EVERY_MS = 10_000;

/** What the demo knows of the people who look at it. */
export type Visits = {
  /** When a visitor last did something, in milliseconds; -Infinity before the first time. */
  readonly lastActAt: () => number;
  /** Whether a visitor plays this user: the app is open, or was in the last minutes. */
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
const SIGN_INS = [API.login, API.signUp].map(keyOfCall);

export type VisitsOptions = {
  /** Whether a request with these headers is the demo's own. */
  readonly isOwn: (headers: IncomingHttpHeaders) => boolean;
  /** The server's clock, in milliseconds. */
  readonly now: () => number;
  /** Keeps who plays whom, so that a restart does not forget it. */
  readonly dataDir: string;
};

/** Notes what visitors do: every request but the demo's own. */
export function createVisits({ isOwn, now, dataDir }: VisitsOptions): Visits {
  const { see, wasSeenLately } = openSeen(join(dataDir, 'visits.json'), now);
  const streams = new Map<string, number>();
  let lastActAt = Number.NEGATIVE_INFINITY;
  let next = Promise.withResolvers<void>();

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

  return {
    lastActAt: () => lastActAt,
    isHere: (userId) => {
      // An open app is a request that goes on.
      if (streams.has(userId)) see(userId);
      return wasSeenLately(userId);
    },
    nextAct: () => next.promise,
    register: (app) => addHooks(app, { isOwn, see, countStream, noteAct }),
  };
}

type VisitCallbacks = Pick<VisitsOptions, 'isOwn'> & {
  readonly see: (userId: string) => void;
  readonly countStream: (userId: string, change: 1 | -1) => void;
  readonly noteAct: () => void;
};

function addHooks(app: FastifyInstance, { isOwn, see, countStream, noteAct }: VisitCallbacks): void {
  app.addHook('preHandler', async (request, reply) => {
    const { caller, headers } = request;
    if (!caller || isOwn(headers) || routeOf(request) !== STREAM) return;
    // They have hung up already, and no `close` comes any more.
    if (reply.raw.destroyed) return;
    countStream(caller.id, 1);
    reply.raw.once('close', () => {
      countStream(caller.id, -1);
      see(caller.id);
    });
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
    if (ACTS.has(route)) noteAct();
  });
}

const routeOf = ({ method, routeOptions }: FastifyRequest) => keyOf(method, routeOptions.url ?? '');

// The sign-in knows its user only in the answer.
const isSignedIn = (answer: unknown): answer is { user: { id: string } } =>
  typeof answer === 'object' && answer !== null && 'user' in answer && 'authToken' in answer;

/** When each visitor was last seen, kept in a file. */
function openSeen(path: string, now: () => number) {
  const seenAt = readSeen(path);
  const storedAt = new Map<string, number>();
  const isRecent = (at: number) => now() - at < PLAYED_MS;

  const store = () => {
    for (const [userId, at] of seenAt) if (!isRecent(at)) seenAt.delete(userId);
    storedAt.clear();
    for (const entry of seenAt) storedAt.set(...entry);
    try {
      writeFileSync(path, `${JSON.stringify(Object.fromEntries(seenAt))}\n`, { mode: 0o600 });
    } catch {
      // A full disk: a restart forgets them, and nothing else is lost.
    }
  };

  return {
    see: (userId: string): void => {
      seenAt.delete(userId);
      seenAt.set(userId, now());
      const [oldest] = seenAt.size > MAX_REMEMBERED ? seenAt.keys() : [];
      if (oldest !== undefined) seenAt.delete(oldest);
      if (now() - (storedAt.get(userId) ?? Number.NEGATIVE_INFINITY) >= STORE_EVERY_MS) store();
    },
    wasSeenLately: (userId: string): boolean => isRecent(seenAt.get(userId) ?? Number.NEGATIVE_INFINITY),
  };
}

/** When visitors were seen before a restart. */
function readSeen(path: string): Map<string, number> {
  try {
    const stored = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>);
    const known = stored.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    return new Map(known.map(([userId, at]) => [userId, at + STORE_EVERY_MS]));
  } catch {
    // The first start.
    return new Map();
  }
}
