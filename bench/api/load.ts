import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Wanted = {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  /** Of the answer that is wanted. */
  readonly status: number;
  readonly body?: object;
};
export type Answered = { readonly status: number; readonly bytes: number };

/** One keep-alive connection with one request under way. Node's own client costs as much as the server that it measures. */
export type Line = { ask(wanted: Wanted): Promise<Answered>; close(): void };

const ANSWER_WITHIN_MS = 20_000;
const HEAD_END = Buffer.from('\r\n\r\n');

export async function openLine(host: string, port: number): Promise<Line> {
  const socket = connect(port, host);
  socket.setNoDelay(true);
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error('no answer came')));
  await once(socket, 'connect');
  let done: ((answered: Answered) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  readAnswers(socket, (answered) => done?.(answered));
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the product hung up')));
  return {
    ask: (wanted) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the line was given up before'));
        done = resolve;
        fail = reject;
        socket.write(written(wanted));
      }),
    close: () => {
      fail = undefined;
      socket.destroy();
    },
  };
}

function written({ method = 'GET', path, token, body }: Wanted): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} /api${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n${sent}\r\n${text}`;
}

/** Reads answers that carry a content-length, or nothing; a chunked one is refused, so that none is miscounted. */
function readAnswers(socket: Socket, take: (answered: Answered) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let status = 0;
  let bytes = 0;
  let left = -1;
  socket.on('data', (piece: Buffer) => {
    let body = piece;
    if (left < 0) {
      head = head.length === 0 ? piece : Buffer.concat([head, piece]);
      const end = head.indexOf(HEAD_END);
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

export type Loaded = {
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds of each request. */
  readonly times: number[];
  readonly bytes: number;
  /** Answers of another status than was wanted. */
  readonly wrong: number;
};

export type Plan = {
  /** The next request, or undefined when there is none left. */
  readonly next: () => Wanted | undefined;
  readonly seconds: number;
};

/** Asks on all lines at once, each its next when it has its answer, for so long or until none is left. */
export async function load(lines: readonly Line[], { next, seconds }: Plan): Promise<Loaded> {
  const times: number[] = [];
  let wrong = 0;
  let bytes = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const work = async (line: Line) => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      const wanted = next();
      if (!wanted) return;
      const answered = await line.ask(wanted);
      times.push(performance.now() - now);
      bytes += answered.bytes;
      if (answered.status !== wanted.status) wrong += 1;
    }
  };
  await Promise.all(lines.map(work));
  return { count: times.length, seconds: (performance.now() - began) / 1000, times, bytes, wrong };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
