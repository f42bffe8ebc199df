import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type BenchRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly token: string;
  /** The expected status of the response. */
  readonly status: number;
  readonly body?: object;
};
export type BenchResponse = { readonly status: number; readonly bytes: number };

/** A keep-alive connection with one request at a time. Node's client would use as much CPU as the measured server. */
export type KeepAliveConnection = { request(options: BenchRequest): Promise<BenchResponse>; close(): void };

type PendingRequest = {
  readonly options: BenchRequest;
  readonly resolve: (response: BenchResponse) => void;
  readonly reject: (error: Error) => void;
  ticks: number;
};

const RESPONSE_TIMEOUT_MS = 60_000;
const TIMEOUT_TICKS = 20;
const HEADERS_END = Buffer.from('\r\n\r\n');

export type ConnectionOptions = {
  /** A request without an answer in this time fails; a connection without a request stays open. */
  readonly timeoutMs?: number;
  /** The path of the API, before the path of each request. */
  readonly base?: string;
  /** The headers that say who sends a request. */
  readonly headersOf?: (token: string) => Readonly<Record<string, string>>;
};

/** Opens a connection, by default to our own API. */
export async function openConnection(
  host: string,
  port: number,
  { timeoutMs = RESPONSE_TIMEOUT_MS, base = '/api', headersOf = bearerHeaders }: ConnectionOptions = {},
): Promise<KeepAliveConnection> {
  const socket = connect(port, host);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let pending: PendingRequest | undefined;
  const settle = () => {
    const settled = pending;
    pending = undefined;
    return settled;
  };
  readResponses(socket, (response) => settle()?.resolve(response));
  socket.on('error', (error) => settle()?.reject(error));
  socket.on('close', () => settle()?.reject(new Error('the product closed the connection')));
  // Counts ticks instead of looking at the clock: a machine that stood still has answers that were not read yet.
  const timer = setInterval(() => {
    if (!pending) return;
    pending.ticks += 1;
    if (pending.ticks <= TIMEOUT_TICKS) return;
    const { method = 'GET', path } = pending.options;
    socket.destroy(new Error(`no answer to ${method} ${path} in ${timeoutMs / 1000} s`));
  }, timeoutMs / TIMEOUT_TICKS);
  socket.once('close', () => clearInterval(timer));
  return {
    request: (options) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the product closed the connection'));
        pending = { options, resolve, reject, ticks: 0 };
        socket.write(toHttp(options, base, headersOf(options.token)));
      }),
    close: () => {
      settle();
      socket.destroy();
    },
  };
}

export const bearerHeaders = (token: string) => ({ authorization: `Bearer ${token}` });

function toHttp({ method = 'GET', path, body }: BenchRequest, base: string, headers: Record<string, string>): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const bodyHeaders =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  const callerHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${base}${path} HTTP/1.1\r\nhost: localhost\r\n${callerHeaders.join('')}${bodyHeaders}\r\n${text}`;
}

/** Reads responses with a content-length or without a body. Throws on a chunked response, which it cannot count. */
function readResponses(socket: Socket, onResponse: (response: BenchResponse) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let status = 0;
  let bytes = 0;
  let remaining = -1;
  socket.on('data', (chunk: Buffer) => {
    let body = chunk;
    if (remaining < 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEADERS_END);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      if (/transfer-encoding/i.test(text)) throw new Error('a chunked response cannot be measured');
      status = Number(text.slice(9, 12));
      remaining = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      bytes = remaining;
      body = head.subarray(end + 4);
      head = Buffer.alloc(0);
    }
    remaining -= body.length;
    if (remaining > 0) return;
    remaining = -1;
    onResponse({ status, bytes });
  });
}

export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds of each request. */
  readonly times: number[];
  readonly bytes: number;
  /** Number of responses with another status than expected, and these statuses. */
  readonly unexpected: number;
  readonly unexpectedStatuses: ReadonlySet<number>;
};

export type LoadPlan = {
  /** The next request, or undefined when there is none left. */
  readonly next: () => BenchRequest | undefined;
  readonly seconds: number;
  /** How long a client looks at an answer before its next request, on average. */
  readonly pauseMs?: number;
};

/** Sends requests on all connections at once, one at a time on each, until the time is over or no request is left. */
export async function runLoad(
  connections: readonly KeepAliveConnection[],
  { next, seconds: duration, pauseMs = 0 }: LoadPlan,
): Promise<LoadResult> {
  const times: number[] = [];
  let unexpected = 0;
  const unexpectedStatuses = new Set<number>();
  let bytes = 0;
  const startedAt = performance.now();
  const deadline = startedAt + duration * 1000;
  const work = async (connection: KeepAliveConnection) => {
    for (let now = performance.now(); now < deadline; now = performance.now()) {
      const request = next();
      if (!request) return;
      const response = await connection.request(request);
      times.push(performance.now() - now);
      bytes += response.bytes;
      if (response.status !== request.status) {
        unexpected += 1;
        unexpectedStatuses.add(response.status);
      }
      if (pauseMs > 0) await sleep(Math.random() * 2 * pauseMs);
    }
  };
  await Promise.all(connections.map(work));
  const seconds = (performance.now() - startedAt) / 1000;
  return { count: times.length, seconds, times, bytes, unexpected, unexpectedStatuses };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = Float64Array.from(values).toSorted();
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
};
