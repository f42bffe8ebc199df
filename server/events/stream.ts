import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CURSOR_HEADER } from '../../contract/call.ts';
import { RESUMED_HEADER, streamEvents } from '../../contract/events.ts';
import { digest } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import type { Limits } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { API_BASE, identify, refuseOtherMethods, type Serving } from '../http/routes.ts';
import { type Cursor, canResume, type EventRow, edgeOfOutbox, readMissed } from './events.sql.ts';
import { type Hub, isAfter, type Reader, writeCursor } from './streamHub.ts';

type Given = Pick<Serving, 'sessions'> & {
  readonly limits: Pick<Limits, 'stream'>;
  readonly db: Tx;
  readonly hub: Hub;
  readonly now: () => Date;
};

const STREAMS_A_PERSON = 100;
const RETRY_AFTER_S = 30;
/** Bytes that may wait for a slow reader before it is cut off; it comes back and resumes. */
const WAITING_MOST = 256 * 1024;
const WAITING_EVENTS = 1_000;
const STUCK_BEATS = 3;
const END_WITHIN_MS = 2_000;
const PAGE = 200;

/** GET /api/events: what concerns the caller, as it happens, until the client leaves or the token dies. */
export function serveEvents(app: FastifyInstance, given: Given): void {
  app.register(
    async (api) => {
      api.route({
        method: 'GET',
        url: streamEvents.path,
        onRequest: (request) => identify(streamEvents, request, given.sessions),
        handler: (request, reply) => stream(given, request, reply),
      });
      refuseOtherMethods(api, streamEvents.path, new Set(['GET']));
    },
    { prefix: API_BASE },
  );
  // An open stream never ends by itself, and closing waits for every answer under way.
  app.addHook('preClose', async () => given.hub.endAll());
}

async function stream({ db, hub, now, limits }: Given, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { caller, token } = request;
  if (!caller || token === undefined) refuse('unauthenticated');
  if (hub.readersOf(caller.id) >= STREAMS_A_PERSON) refuse('tooMany', { retryAfter: RETRY_AFTER_S });
  reply.raw.once('close', limits.stream(request.ip));
  const outlet = openOutlet(reply.raw, { userId: caller.id, tokenHash: digest(token) });
  // Before anything is read: what is committed from here on is kept for this reader.
  const upTo = hub.join(outlet.reader);
  outlet.onGone(() => hub.leave(outlet.reader));
  try {
    const asked = readCursor(request.headers['last-event-id']);
    const isResumed = asked !== undefined && (await canResume(db, asked));
    const from = isResumed ? asked : await edgeOfOutbox(db);
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
      [CURSOR_HEADER]: writeCursor(from),
    });
    reply.raw.write(': welcome\n\n');
    if (isResumed) await catchUp(db, outlet, now, { userId: caller.id, from, upTo });
    outlet.flow(from);
  } catch (error) {
    if (!reply.raw.headersSent) {
      hub.leave(outlet.reader);
      throw error;
    }
    request.log.warn({ err: error }, 'a stream broke while it caught up');
    reply.raw.destroy();
  }
}

type Missed = { readonly userId: string; readonly from: Cursor; readonly upTo: Cursor };

async function catchUp(db: Tx, outlet: Outlet, now: () => Date, { userId, from, upTo }: Missed): Promise<void> {
  let cursor = from;
  let page: EventRow[];
  do {
    page = await readMissed(db, userId, { from: cursor, to: upTo }, PAGE, now());
    for (const event of page) outlet.write(event);
    cursor = page.at(-1)?.cursor ?? cursor;
    await outlet.drained();
  } while (page.length === PAGE && !outlet.isGone());
}

type Outlet = ReturnType<typeof openOutlet>;

/** A response that events are written to: those that arrive while it catches up wait, and a slow reader is cut off. */
function openOutlet(raw: ServerResponse, who: Pick<Reader, 'userId' | 'tokenHash'>) {
  let waiting: EventRow[] | undefined = [];
  let after: Cursor = { tx: 0n, id: 0n };
  let stuck = 0;
  // A client that left in mid-write is no news: `close` follows.
  raw.on('error', () => undefined);
  const isGone = () => raw.destroyed || raw.writableEnded;
  const send = (text: string) => {
    if (isGone()) return;
    if (raw.writableLength > WAITING_MOST) raw.destroy();
    else raw.write(text);
  };
  const write = ({ cursor, data }: EventRow) => {
    if (data !== undefined) send(`id: ${writeCursor(cursor)}\ndata: ${data}\n\n`);
  };
  const reader: Reader = {
    ...who,
    take(event) {
      if (waiting === undefined) {
        if (isAfter(event.cursor, after)) write(event);
      } else if (waiting.push(event) > WAITING_EVENTS) raw.destroy();
    },
    beat() {
      stuck = raw.writableLength > 0 ? stuck + 1 : 0;
      if (stuck >= STUCK_BEATS) raw.destroy();
      else if (raw.headersSent) send(': beat\n\n');
    },
    end() {
      // Ended and not cut, so that the client's console stays quiet; who does not take even that is cut.
      // The socket itself: an answer that has ended lets go of it, and a client that reads no end keeps it open.
      const { socket } = raw;
      if (raw.headersSent && !isGone()) raw.end();
      setTimeout(() => socket?.destroy(), END_WITHIN_MS).unref();
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
      for (const event of kept) reader.take(event);
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
function readCursor(text: string | string[] | undefined): Cursor | undefined {
  const [, tx, id] = /^(\d{1,19})-(\d{1,18})$/.exec(String(text ?? '')) ?? [];
  return tx === undefined || id === undefined ? undefined : { tx: BigInt(tx), id: BigInt(id) };
}
