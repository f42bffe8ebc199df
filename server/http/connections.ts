import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as newUuid } from 'uuid';
import type { ErrorBody } from '../../contract/failures.ts';
import { countByNetwork, ipNetworkOf } from './rateLimits.ts';

const MAX_CONNECTIONS_PER_NETWORK = 2_000;

/** Pipelined requests on one connection that have no answer yet. Browsers do not pipeline at all. */
const MAX_UNANSWERED_REQUESTS = 16;

export type ConnectionTracker = {
  /** Closes connections without a request: kept alive, or opened in advance by a browser. */
  closeIdle(): void;
};

/** Tracks open connections. Cuts off a client that pipelines requests without reading the answers: they would fill memory. */
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
 * Limits the open connections of one network, streams included, because sockets cost memory. Does nothing behind a proxy:
 * all connections then come from the proxy's address, and the proxy limits its clients.
 */
export function limitConnections(
  server: Server,
  { scale, behindProxy }: { scale: number; behindProxy: boolean },
): void {
  if (behindProxy) return;
  const max = Math.max(1, MAX_CONNECTIONS_PER_NETWORK * scale);
  const open = countByNetwork();
  server.on('connection', (socket: Socket) => {
    const network = ipNetworkOf(socket.remoteAddress ?? '');
    if (open.get(network) + 1 > max) return void socket.destroy();
    open.add(network, 1);
    socket.once('close', () => open.add(network, -1));
  });
}

const MAX_DRAINED_BYTES = 10 * 1024 * 1024;
const MAX_DRAIN_MS = 2_000;

/**
 * Reads and discards the rest of a refused body: if we answered and closed while the client still writes, it would see a
 * reset instead of the answer. Resolves to false when there was too much or it took too long, so that more is to come.
 */
export function drainBody(request: IncomingMessage): Promise<boolean> {
  // The client has left.
  if (request.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    let drained = 0;
    const finish = () => {
      clearTimeout(timer);
      request.off('data', count);
      resolve(request.complete);
    };
    const count = (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > MAX_DRAINED_BYTES) finish();
    };
    const timer = setTimeout(finish, MAX_DRAIN_MS);
    request.on('data', count).once('end', finish).once('close', finish).resume();
  });
}

type ClientError = Error & { code?: string };

const CLIENT_ERROR_REPLIES: Record<string, readonly [status: number, reason: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The address or the headers are too long'],
};
const BAD_REQUEST = [400, 'Bad Request', 'The request is not valid HTTP'] as const;

/** Answers a request that Node rejects before Fastify sees it (not HTTP, too slow, too large) with our error JSON. */
export function handleClientError(error: ClientError, socket: Socket & { _httpMessage?: ServerResponse }): void {
  // The client has gone, or another answer has begun: nothing can be sent any more.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const [status, reason, message] = CLIENT_ERROR_REPLIES[error.code ?? ''] ?? BAD_REQUEST;
  const body = JSON.stringify({ statusCode: status, error: reason, message } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${newUuid()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that keeps sending is cut off.
  setTimeout(() => socket.destroy(), 1_000).unref();
}
