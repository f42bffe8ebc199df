import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { streamEvents } from '../../contract/events.ts';
import { digest } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import type { RateLimits } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { API_BASE, type ApiOptions, authenticate, refuseOtherMethods } from '../http/routes.ts';
import { type Cursor, canResume, type EventRow, readLatestCursor, readMissedEvents } from './events.sql.ts';
import {
  type EncodedEvent,
  encodeEvent,
  formatCursor,
  isAfter,
  type StreamHub,
  type StreamSubscriber,
} from './streamHub.ts';
import { beginStream, createTextStream, parseCursorPair, writeStreamHead } from './streamResponse.ts';

type StreamOptions = Pick<ApiOptions, 'sessions'> & {
  readonly limits: Pick<RateLimits, 'openStream'>;
  readonly db: Tx;
  readonly hub: StreamHub;
  readonly now: () => Date;
};

const MAX_BUFFERED_EVENTS = 1_000;
const PAGE_SIZE = 200;

/** GET /api/events: streams the caller's events until the client disconnects or the token is revoked. */
export function serveEvents(app: FastifyInstance, options: StreamOptions): void {
  app.register(
    async (api) => {
      api.route({
        method: 'GET',
        url: streamEvents.path,
        onRequest: (request) => authenticate(streamEvents, request, options.sessions),
        handler: (request, reply) => handleStream(options, request, reply),
      });
      refuseOtherMethods(api, streamEvents.path, new Set(['GET']));
    },
    { prefix: API_BASE },
  );
  // Closing the server waits for open responses, and a stream stays open until somebody ends it.
  app.addHook('preClose', async () => options.hub.endAll());
}

async function handleStream(
  { db, hub, now, limits, sessions }: StreamOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller, token } = request;
  if (!caller || token === undefined) refuse('unauthenticated');
  if (!beginStream(request, reply, { ofUser: hub.countStreamsOf(caller.id), limits })) return;
  const writer = createEventWriter(reply.raw, { userId: caller.id, tokenHash: digest(token) });
  // Subscribe before reading anything, so that no event between the two is missed.
  const upTo = hub.subscribe(writer.subscriber);
  writer.onClose(() => hub.unsubscribe(writer.subscriber));
  try {
    const requested = parseCursor(request.headers['last-event-id']);
    const isResumed = requested !== undefined && (await canResume(db, requested));
    const from = isResumed ? requested : await readLatestCursor(db);
    // When a session ends, its streams are ended: check again for one that ended before this stream was subscribed.
    if (!(await sessions.lookUp(token, 'reads'))) refuse('unauthenticated');
    reply.hijack();
    if (writer.isClosed()) return;
    writeStreamHead(reply.raw, { requestId: request.id, isResumed, cursor: formatCursor(from) });
    if (isResumed) await sendMissedEvents(db, writer, now, { userId: caller.id, from, upTo });
    writer.startLive(from);
  } catch (error) {
    if (!reply.raw.headersSent) {
      hub.unsubscribe(writer.subscriber);
      throw error;
    }
    request.log.warn({ err: error }, 'a stream failed while it sent missed events');
    reply.raw.destroy();
  }
}

type MissedRange = { readonly userId: string; readonly from: Cursor; readonly upTo: Cursor };

async function sendMissedEvents(
  db: Tx,
  writer: EventWriter,
  now: () => Date,
  { userId, from, upTo }: MissedRange,
): Promise<void> {
  let cursor = from;
  let page: EventRow[];
  do {
    page = await readMissedEvents(db, userId, { from: cursor, to: upTo }, PAGE_SIZE, now());
    for (const event of page) writer.write(encodeEvent(event));
    cursor = page.at(-1)?.cursor ?? cursor;
    await writer.drained();
  } while (page.length === PAGE_SIZE && !writer.isClosed());
}

type EventWriter = ReturnType<typeof createEventWriter>;

/** Writes events to a response. New events wait while missed ones are sent, and a slow client is disconnected. */
function createEventWriter(raw: ServerResponse, owner: Pick<StreamSubscriber, 'userId' | 'tokenHash'>) {
  let waiting: EncodedEvent[] | undefined = [];
  let after: Cursor = { tx: 0n, id: 0n };
  const stream = createTextStream(raw);
  const write = ({ message }: EncodedEvent) => {
    if (message !== undefined) stream.send(message);
  };
  const subscriber: StreamSubscriber = {
    ...owner,
    receive(event) {
      if (waiting === undefined) {
        if (isAfter(event.cursor, after)) write(event);
      } else if (waiting.push(event) > MAX_BUFFERED_EVENTS) raw.destroy();
    },
    heartbeat: stream.heartbeat,
    end: stream.end,
  };
  return {
    subscriber,
    write,
    isClosed: stream.isClosed,
    onClose: (act: () => void) => void raw.once('close', act),
    /** Sends the events that waited and all later ones, except those up to `from`. */
    startLive(from: Cursor) {
      after = from;
      const held = waiting ?? [];
      waiting = undefined;
      for (const event of held) subscriber.receive(event);
    },
    drained: () =>
      new Promise<void>((resolve) => {
        if (!raw.writableNeedDrain || stream.isClosed()) return resolve();
        raw.once('drain', resolve);
        raw.once('close', resolve);
      }),
  };
}

/** The cursor in a Last-Event-ID header. Undefined for anything else: the stream then starts with new events. */
function parseCursor(text: string | string[] | undefined): Cursor | undefined {
  const pair = parseCursorPair(text);
  return pair && { tx: BigInt(pair[0]), id: BigInt(pair[1]) };
}
