import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type BenchRequest = {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  /** Of the answer that is wanted. */
  readonly status: number;
  readonly body?: object;
};
export type BenchResponse = { readonly status: number; readonly bytes: number };

/** One keep-alive connection with one request under way. Node's own client costs as much as the server that it measures. */
export type KeepAliveConnection = { request(wanted: BenchRequest): Promise<BenchResponse>; close(): void };

const RESPONSE_TIMEOUT_MS = 20_000;
const HEADERS_END = Buffer.from('\r\n\r\n');

export async function openConnection(host: string, port: number): Promise<KeepAliveConnection> {
  const socket = connect(port, host);
  socket.setNoDelay(true);
  socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error('no answer came')));
  await once(socket, 'connect');
  let done: ((answered: BenchResponse) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  readResponses(socket, (answered) => done?.(answered));
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the product hung up')));
  return {
    request: (wanted) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the line was given up before'));
        done = resolve;
        fail = reject;
        socket.write(toHttp(wanted));
      }),
    close: () => {
      fail = undefined;
      socket.destroy();
    },
  };
}

function toHttp({ method = 'GET', path, token, body }: BenchRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} /api${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n${sent}\r\n${text}`;
}

/** Reads answers that carry a content-length, or nothing; a chunked one is refused, so that none is miscounted. */
function readResponses(socket: Socket, take: (answered: BenchResponse) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let status = 0;
  let bytes = 0;
  let left = -1;
  socket.on('data', (piece: Buffer) => {
    let body = piece;
    if (left < 0) {
      head = head.length === 0 ? piece : Buffer.concat([head, piece]);
      const end = head.indexOf(HEADERS_END);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      if (/transfer-encoding/i.test(text)) throw new Error('a chunked answer cannot be measured');
      status = Number(text.slice(9, 12));
      left = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      bytes = left;
      body = head.subarray(end + 4);
      head = Buffer.alloc(0);
    }
    left -= body.length;
    if (left > 0) return;
    left = -1;
    take({ status, bytes });
  });
}

export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds of each request. */
  readonly times: number[];
  readonly bytes: number;
  /** Answers of another status than was wanted. */
  readonly unexpected: number;
};

export type LoadPlan = {
  /** The next request, or undefined when there is none left. */
  readonly next: () => BenchRequest | undefined;
  readonly seconds: number;
};

/** Asks on all lines at once, each its next when it has its answer, for so long or until none is left. */
export async function runLoad(lines: readonly KeepAliveConnection[], { next, seconds }: LoadPlan): Promise<LoadResult> {
  const times: number[] = [];
  let wrong = 0;
  let bytes = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const work = async (line: KeepAliveConnection) => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      const wanted = next();
      if (!wanted) return;
      const answered = await line.request(wanted);
      times.push(performance.now() - now);
      bytes += answered.bytes;
      if (answered.status !== wanted.status) wrong += 1;
    }
  };
  await Promise.all(lines.map(work));
  return { count: times.length, seconds: (performance.now() - began) / 1000, times, bytes, unexpected: wrong };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
