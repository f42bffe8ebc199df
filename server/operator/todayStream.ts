import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { streamToday } from '../../contract/operator/today.ts';
import type { Database } from '../db/database.ts';
import type { LiveEvents } from '../events/liveEvents.ts';
import { beginStream, createTextStream, parseCursorPair, writeStreamHead } from '../events/streamResponse.ts';
import type { RateLimits } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { API_BASE, refuseOtherMethods } from '../http/routes.ts';
import type { ConsoleContext, SignedInOperator } from '../operatorContext.ts';
import { authorizeByToken } from './routes.ts';
import {
  hasChangedSince,
  listLiveOperatorTokens,
  readTownMark,
  type TodayCursor,
  type TownMark,
} from './todayChanges.sql.ts';
import { openTodayHub, TODAY_PERMISSION, type TodayHub, type TodayWatcher } from './todayHub.ts';

type StreamOptions = {
  readonly context: ConsoleContext;
  readonly database: Database;
  readonly liveEvents: Pick<LiveEvents, 'join'>;
  readonly limits: Pick<RateLimits, 'openStream'>;
};

type StreamParts = Pick<StreamOptions, 'context' | 'limits'> & { readonly hub: TodayHub };

/** Opens the hub of the streams of this server. */
function openHub({ context: { now, config, log }, database: { stepDb }, liveEvents }: StreamOptions): TodayHub {
  const time = () => ({ now: now(), isDemoOn: config.demo });
  const hub = openTodayHub({
    // News of steps does not wait behind reads.
    readMark: (before) => readTownMark(stepDb, before),
    findLiveTokens: (hashes) => listLiveOperatorTokens(stepDb, hashes, TODAY_PERMISSION, time()),
    log,
  });
  liveEvents.join(hub);
  return hub;
}

/** GET /api/operator/events: sends a message when something on Today has changed, until the console disconnects or its session ends. */
export function serveTodayStream(app: FastifyInstance, options: StreamOptions): void {
  const parts = { ...options, hub: openHub(options) };
  const authorize = authorizeByToken(parts.context);
  app.register(
    async (api) => {
      const operators = new WeakMap<FastifyRequest, SignedInOperator>();
      api.route({
        method: 'GET',
        url: streamToday.path,
        onRequest: async (request) => void operators.set(request, await authorize(streamToday, request)),
        handler: (request, reply) => handleStream(parts, operators.get(request), request, reply),
      });
      refuseOtherMethods(api, streamToday.path, new Set(['GET']));
    },
    { prefix: API_BASE },
  );
  // Closing the server waits for open responses, and a stream stays open until somebody ends it.
  app.addHook('preClose', async () => parts.hub.endAll());
}

const renderCursor = ({ xmin, acts }: TownMark) => `${xmin}-${acts}`;
const EVENT = JSON.stringify({ entity: 'today' });
const renderEvent = (mark: TownMark) => `id: ${renderCursor(mark)}\ndata: ${EVENT}\n\n`;

async function handleStream(
  { context: { db }, hub, limits }: StreamParts,
  operator: SignedInOperator | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!operator) refuse('unauthenticated');
  if (!beginStream(request, reply, { ofUser: hub.countStreamsOf(operator.id), limits })) return;
  const watcher = createWatcher(reply, operator);
  reply.raw.once('close', () => hub.unwatch(watcher));
  try {
    const mark = await hub.watch(watcher);
    const cursor = readCursor(request.headers['last-event-id']);
    const hasChanged = cursor && (await hasChangedSince(db, cursor));
    reply.hijack();
    if (watcher.isClosed()) return;
    writeStreamHead(reply.raw, {
      requestId: request.id,
      isResumed: hasChanged !== undefined,
      cursor: renderCursor(mark),
    });
    watcher.start(hasChanged ? mark : undefined);
  } catch (error) {
    hub.unwatch(watcher);
    if (!reply.raw.headersSent) throw error;
    reply.raw.destroy();
  }
}

/** A change before the head was written is sent after it. */
function createWatcher({ raw }: FastifyReply, { id, session }: SignedInOperator) {
  const stream = createTextStream(raw);
  let isStarted = false;
  let missed: TownMark | undefined;
  const changed = (mark: TownMark) => {
    if (isStarted) stream.send(renderEvent(mark));
    else missed = mark;
  };
  const watcher: TodayWatcher = {
    operatorId: id,
    tokenHash: session.tokenHash,
    changed,
    heartbeat: stream.heartbeat,
    end: stream.end,
  };
  return {
    ...watcher,
    isClosed: stream.isClosed,
    start(already: TownMark | undefined) {
      isStarted = true;
      const first = missed ?? already;
      if (first) changed(first);
    },
  };
}

/** The cursor in a Last-Event-ID header. Undefined for anything else: the console then reads everything again. */
function readCursor(text: string | string[] | undefined): TodayCursor | undefined {
  const pair = parseCursorPair(text);
  return pair && { xmin: pair[0], acts: pair[1] };
}
