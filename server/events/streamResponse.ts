import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CURSOR_HEADER, RESUMED_HEADER } from '../../contract/call.ts';
import type { RateLimits } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';

// A response of server-sent events, whatever the events are.

export const MAX_STREAMS_PER_USER = 100;
const RETRY_AFTER_S = 30;
/** Bytes that may wait for a slow client before it is disconnected. It can reconnect and resume. */
const MAX_BUFFERED_BYTES = 256 * 1024;
const MAX_STUCK_HEARTBEATS = 3;
const END_TIMEOUT_MS = 2_000;

/** The two numbers of the cursor in a Last-Event-ID header, as digits. Undefined for anything else: nothing is resumed then. */
export function parseCursorPair(header: string | string[] | undefined): [string, string] | undefined {
  const [, first, second] = /^(\d{1,19})-(\d{1,18})$/.exec(String(header ?? '')) ?? [];
  return first === undefined || second === undefined ? undefined : [first, second];
}

type OpenStreams = { readonly ofUser: number; readonly limits: Pick<RateLimits, 'openStream'> };

/** Counts a stream until it closes. Returns false when its client has hung up already, and refuses when there are too many. */
export function beginStream(request: FastifyRequest, reply: FastifyReply, { ofUser, limits }: OpenStreams): boolean {
  // No `close` comes any more that would end what is counted below.
  if (reply.raw.destroyed) {
    reply.hijack();
    return false;
  }
  if (ofUser >= MAX_STREAMS_PER_USER) refuse('tooMany', { retryAfter: RETRY_AFTER_S });
  reply.raw.once('close', limits.openStream(request.ip));
  return true;
}

type StreamHead = { readonly requestId: string; readonly isResumed: boolean; readonly cursor: string };

export function writeStreamHead(raw: ServerResponse, { requestId, isResumed, cursor }: StreamHead): void {
  // The stream ends with its connection, so its messages need no chunks around them, which are a fifth of what a write costs.
  raw.removeHeader('transfer-encoding');
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    // The connection is not used again, so that a server that stops need not wait for it to become idle.
    connection: 'close',
    'x-request-id': requestId,
    [RESUMED_HEADER]: isResumed ? 'yes' : 'no',
    [CURSOR_HEADER]: cursor,
  });
  raw.write(': welcome\n\n');
}

/** Writes to a response that stays open. A slow client is disconnected. */
export function createTextStream(raw: ServerResponse) {
  let stuckHeartbeats = 0;
  // A client that disconnects during a write needs no handling here: `close` follows.
  raw.on('error', () => undefined);
  const isClosed = () => raw.destroyed || raw.writableEnded;
  const send = (message: string | Buffer) => {
    if (isClosed()) return;
    if (raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy();
    else raw.write(message);
  };
  return {
    isClosed,
    send,
    heartbeat() {
      stuckHeartbeats = raw.writableLength > 0 ? stuckHeartbeats + 1 : 0;
      if (stuckHeartbeats >= MAX_STUCK_HEARTBEATS) raw.destroy();
      else if (raw.headersSent) send(': beat\n\n');
    },
    end() {
      // A proper end logs no error in the client's console. A client that does not read it is disconnected later, through
      // the socket, because a response that has ended has none.
      const { socket } = raw;
      if (raw.headersSent && !isClosed()) raw.end();
      setTimeout(() => socket?.destroy(), END_TIMEOUT_MS).unref();
    },
  };
}
