import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as newUuid } from 'uuid';
import { errorBody } from '../../contract/failures.ts';
import { ipNetworkOf } from './rateLimits.ts';

const MAX_CONNECTIONS_PER_NETWORK = 2_000;

/** Requests on one connection whose answers are not out yet; browsers send one after the other. */
const MAX_UNANSWERED_REQUESTS = 16;

/** What is open, and what of it waits for an answer. */
export type ConnectionTracker = {
  /** Ends what nobody waits for: kept alive, or opened in advance and never used, as browsers do. */
  closeIdle(): void;
};

/** Cuts off who asks and asks on a connection without taking the answers: they would pile up in memory. */
export function trackConnections(server: Server): ConnectionTracker {
  const unanswered = new Map<Socket, number>();
  const add = (socket: Socket, change: number) => {
    const count = (unanswered.get(socket) ?? 0) + change;
    if (!socket.destroyed) unanswered.set(socket, count);
    return count;
  };
  server.on('connection', (socket: Socket) => {
    unanswered.set(socket, 0);
    socket.once('close', () => unanswered.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (add(socket, 1) > MAX_UNANSWERED_REQUESTS) return void socket.destroy();
    response.once('close', () => void add(socket, -1));
  });
  return {
    closeIdle() {
      for (const [socket, count] of unanswered) if (count === 0) socket.destroy();
    },
  };
}

/**
 * Turns away what one network connects above its share, streams among them: open sockets cost memory and are bounded.
 * Not behind a proxy: all of its connections come from one address, and bounding them is its own business.
 */
export function limitConnections(
  server: Server,
  { scale, behindProxy }: { scale: number; behindProxy: boolean },
): void {
  if (behindProxy) return;
  const most = Math.max(1, MAX_CONNECTIONS_PER_NETWORK * scale);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = ipNetworkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > most) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * What still arrives of a body that was refused is read on and thrown away, so that the client gets to read why; but
 * who sends on and on is cut off.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete) return;
  let unread = 0;
  request.on('data', (piece: Buffer) => {
    unread += piece.length;
    if (unread > MAX_UNREAD_BYTES) request.socket.destroy();
  });
}

type ClientError = Error & { code?: string };

const CLIENT_ERROR_REPLIES: Record<string, readonly [status: number, word: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The address or the headers are too long'],
};

/** Answers what is no HTTP, or came too slowly or too large for Node itself, in our one shape of an error. */
export function handleClientError(error: ClientError, socket: Socket & { _httpMessage?: ServerResponse }): void {
  // The other side has gone, or an answer is under way already: nothing more can be said.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const [status, word, message] = CLIENT_ERROR_REPLIES[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'The request is not valid HTTP',
  ];
  const body = JSON.stringify({ ...errorBody(status, message), error: word });
  const head = [
    `HTTP/1.1 ${status} ${word}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${newUuid()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Who sends on without end is not read on without end.
  setTimeout(() => socket.destroy(), 1_000).unref();
}
