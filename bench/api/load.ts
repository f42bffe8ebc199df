import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type BenchRequest = {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  /** The expected status of the response. */
  readonly status: number;
  readonly body?: object;
};
export type BenchResponse = { readonly status: number; readonly bytes: number };

/** A keep-alive connection with one request at a time. Node's client would use as much CPU as the measured server. */
export type KeepAliveConnection = { request(options: BenchRequest): Promise<BenchResponse>; close(): void };

const RESPONSE_TIMEOUT_MS = 60_000;
const HEADERS_END = Buffer.from('\r\n\r\n');

export async function openConnection(host: string, port: number): Promise<KeepAliveConnection> {
  const socket = connect(port, host);
  socket.setNoDelay(true);
  socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error('the response timed out')));
  await once(socket, 'connect');
  let done: ((response: BenchResponse) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  readResponses(socket, (response) => done?.(response));
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the product closed the connection')));
  return {
    request: (options) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection is closed'));
        done = resolve;
        fail = reject;
        socket.write(toHttp(options));
      }),
    close: () => {
      fail = undefined;
      socket.destroy();
    },
  };
}

function toHttp({ method = 'GET', path, token, body }: BenchRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const bodyHeaders =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} /api${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${bodyHeaders}\r\n${text}`;
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
  /** Number of responses with another status than expected. */
  readonly unexpected: number;
};

export type LoadPlan = {
  /** The next request, or undefined when there is none left. */
  readonly next: () => BenchRequest | undefined;
  readonly seconds: number;
};

/** Sends requests on all connections at once, one at a time on each, until the time is over or no request is left. */
export async function runLoad(
  connections: readonly KeepAliveConnection[],
  { next, seconds }: LoadPlan,
): Promise<LoadResult> {
  const times: number[] = [];
  let unexpected = 0;
  let bytes = 0;
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const work = async (connection: KeepAliveConnection) => {
    for (let now = performance.now(); now < deadline; now = performance.now()) {
      const request = next();
      if (!request) return;
      const response = await connection.request(request);
      times.push(performance.now() - now);
      bytes += response.bytes;
      if (response.status !== request.status) unexpected += 1;
    }
  };
  await Promise.all(connections.map(work));
  return { count: times.length, seconds: (performance.now() - startedAt) / 1000, times, bytes, unexpected };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
