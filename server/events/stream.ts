import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CURSOR_HEADER } from '../../contract/call.ts';
import { RESUMED_HEADER, streamEvents } from '../../contract/events.ts';
import { digest } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import type { RateLimits } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { API_BASE, type ApiOptions, authenticate, refuseOtherMethods } from '../http/routes.ts';
import { type Cursor, canResume, type EventRow, readMissedEvents, readOutboxEdge } from './events.sql.ts';
import { formatCursor, isAfter, type StreamHub, type StreamSubscriber } from './streamHub.ts';

type StreamOptions = Pick<ApiOptions, 'sessions'> & {
  readonly limits: Pick<RateLimits, 'openStream'>;
  readonly db: Tx;
  readonly hub: StreamHub;
  readonly now: () => Date;
};

const MAX_STREAMS_PER_USER = 100;
const RETRY_AFTER_S = 30;
/** Bytes that may wait for a slow reader before it is cut off; it comes back and resumes. */
const MAX_BUFFERED_BYTES = 256 * 1024;
const MAX_BUFFERED_EVENTS = 1_000;
const MAX_STUCK_HEARTBEATS = 3;
const END_TIMEOUT_MS = 2_000;
const PAGE_SIZE = 200;

/** GET /api/events: what concerns the caller, as it happens, until the client leaves or the token dies. */
export function serveEvents(app: FastifyInstance, given: StreamOptions): void {
  app.register(
    async (api) => {
      api.route({
        method: 'GET',
        url: streamEvents.path,
        onRequest: (request) => authenticate(streamEvents, request, given.sessions),
        handler: (request, reply) => handleStream(given, request, reply),
      });
      refuseOtherMethods(api, streamEvents.path, new Set(['GET']));
    },
    { prefix: API_BASE },
  );
  // An open stream never ends by itself, and closing waits for every answer under way.
  app.addHook('preClose', async () => given.hub.endAll());
}

async function handleStream(
  { db, hub, now, limits }: StreamOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller, token } = request;
  if (!caller || token === undefined) refuse('unauthenticated');
  if (hub.countStreamsOf(caller.id) >= MAX_STREAMS_PER_USER) refuse('tooMany', { retryAfter: RETRY_AFTER_S });
  reply.raw.once('close', limits.openStream(request.ip));
  const outlet = createEventWriter(reply.raw, { userId: caller.id, tokenHash: digest(token) });
  // Before anything is read: what is committed from here on is kept for this reader.
  const upTo = hub.subscribe(outlet.reader);
  outlet.onGone(() => hub.unsubscribe(outlet.reader));
  try {
    const asked = parseCursor(request.headers['last-event-id']);
    const isResumed = asked !== undefined && (await canResume(db, asked));
    const from = isResumed ? asked : await readOutboxEdge(db);
    reply.hijack();
    if (outlet.isGone()) return;
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      // A stream is the last thing on its connection, so that a server that stops need not wait for it to idle.
      connection: 'close',
      'x-request-id': request.id,
      [RESUMED_HEADER]: isResumed ? 'yes' : 'no',
      [CURSOR_HEADER]: formatCursor(from),
    });
    reply.raw.write(': welcome\n\n');
    if (isResumed) await catchUp(db, outlet, now, { userId: caller.id, from, upTo });
    outlet.flow(from);
  } catch (error) {
    if (!reply.raw.headersSent) {
      hub.unsubscribe(outlet.reader);
      throw error;
    }
    request.log.warn({ err: error }, 'a stream broke while it caught up');
    reply.raw.destroy();
  }
}

type MissedRange = { readonly userId: string; readonly from: Cursor; readonly upTo: Cursor };

async function catchUp(
  db: Tx,
  outlet: EventWriter,
  now: () => Date,
  { userId, from, upTo }: MissedRange,
): Promise<void> {
  let cursor = from;
  let page: EventRow[];
  do {
    page = await readMissedEvents(db, userId, { from: cursor, to: upTo }, PAGE_SIZE, now());
    for (const event of page) outlet.write(event);
    cursor = page.at(-1)?.cursor ?? cursor;
    await outlet.drained();
  } while (page.length === PAGE_SIZE && !outlet.isGone());
}

type EventWriter = ReturnType<typeof createEventWriter>;

/** A response that events are written to: those that arrive while it catches up wait, and a slow reader is cut off. */
function createEventWriter(raw: ServerResponse, who: Pick<StreamSubscriber, 'userId' | 'tokenHash'>) {
  let waiting: EventRow[] | undefined = [];
  let after: Cursor = { tx: 0n, id: 0n };
  let stuck = 0;
  // A client that left in mid-write is no news: `close` follows.
  raw.on('error', () => undefined);
  const isGone = () => raw.destroyed || raw.writableEnded;
  const send = (text: string) => {
    if (isGone()) return;
    if (raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy();
    else raw.write(text);
  };
  const write = ({ cursor, data }: EventRow) => {
    if (data !== undefined) send(`id: ${formatCursor(cursor)}\ndata: ${data}\n\n`);
  };
  const reader: StreamSubscriber = {
    ...who,
    receive(event) {
      if (waiting === undefined) {
        if (isAfter(event.cursor, after)) write(event);
      } else if (waiting.push(event) > MAX_BUFFERED_EVENTS) raw.destroy();
    },
    heartbeat() {
      stuck = raw.writableLength > 0 ? stuck + 1 : 0;
      if (stuck >= MAX_STUCK_HEARTBEATS) raw.destroy();
      else if (raw.headersSent) send(': beat\n\n');
    },
    end() {
      // Ended and not cut, so that the client's console stays quiet; who does not take even that is cut.
      // The socket itself: an answer that has ended lets go of it, and a client that reads no end keeps it open.
      const { socket } = raw;
      if (raw.headersSent && !isGone()) raw.end();
      setTimeout(() => socket?.destroy(), END_TIMEOUT_MS).unref();
    },
  };
  return {
    reader,
    write,
    isGone,
    onGone: (act: () => void) => void raw.once('close', act),
    /** Lets through what waited and what comes, as far as it lies after `from`. */
    flow(from: Cursor) {
      after = from;
      const kept = waiting ?? [];
      waiting = undefined;
      for (const event of kept) reader.receive(event);
    },
    drained: () =>
      new Promise<void>((resolve) => {
        if (!raw.writableNeedDrain || isGone()) return resolve();
        raw.once('drain', resolve);
        raw.once('close', resolve);
      }),
  };
}

/** An id of ours, or undefined: whatever else a client sends begins anew. */
function parseCursor(text: string | string[] | undefined): Cursor | undefined {
  const [, tx, id] = /^(\d{1,19})-(\d{1,18})$/.exec(String(text ?? '')) ?? [];
  return tx === undefined || id === undefined ? undefined : { tx: BigInt(tx), id: BigInt(id) };
}
