import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How an abusive connection ended. */
export type ConnectionEnd = {
  /** The status of the answer, or undefined without one. */
  readonly status: number | undefined;
  /** Bytes that the kernel accepted for sending. */
  readonly sentBytes: number;
};

export type AbusiveSocket = {
  readonly socket: Socket;
  /** Resolves when the server has closed the connection; this side never closes it. */
  readonly ended: Promise<ConnectionEnd>;
};

/** Opens a raw TCP connection from one of this machine's addresses. */
export async function openAbusiveSocket(url: string, from: string): Promise<AbusiveSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    if (received.length < 64) received += chunk;
  });
  // Being cut off is expected.
  socket.on('error', () => undefined);
  const ended = new Promise<ConnectionEnd>((resolve) => {
    socket.once('close', () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), sentBytes: socket.bytesWritten });
    });
  });
  await Promise.race([once(socket, 'connect'), ended]);
  return { socket, ended };
}

/** Sends chunks one by one until the connection ends, waiting `everyMs` after each was sent. */
export function sendSlowly({ socket }: AbusiveSocket, chunks: Iterable<string | Buffer>, everyMs = 0): void {
  const remaining = chunks[Symbol.iterator]();
  const next = () => {
    const chunk = socket.destroyed || !socket.writable ? undefined : remaining.next().value;
    if (chunk === undefined) return;
    socket.write(chunk, () => (everyMs > 0 ? setTimeout(next, everyMs) : setImmediate(next)));
  };
  next();
}

/** The request line and headers, without the empty line that ends them. */
export function requestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, ''].join('\r\n');
}

export function* repeatForever<T>(value: T): Generator<T> {
  for (;;) yield value;
}
