import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How a connection that means no good ended. */
export type ConnectionEnd = {
  /** The status that was answered, or undefined when nothing was. */
  readonly status: number | undefined;
  /** Bytes that the kernel took of what was to be sent. */
  readonly sentBytes: number;
};

export type AbusiveSocket = {
  readonly socket: Socket;
  /** Resolves when the other side has ended the connection; never by itself. */
  readonly ended: Promise<ConnectionEnd>;
};

/** A bare connection from an address of this machine, that the other side has to end. */
export async function openAbusiveSocket(url: string, from: string): Promise<AbusiveSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  let said = '';
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => {
    if (said.length < 64) said += piece;
  });
  // To be cut off is what it is here for.
  socket.on('error', () => undefined);
  const ended = new Promise<ConnectionEnd>((resolve) => {
    socket.once('close', () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(said)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), sentBytes: socket.bytesWritten });
    });
  });
  await Promise.race([once(socket, 'connect'), ended]);
  return { socket, ended };
}

/** Sends pieces one by one, each when the one before has left and `everyMs` have passed, until the connection ends. */
export function sendSlowly({ socket }: AbusiveSocket, pieces: Iterable<string | Buffer>, everyMs = 0): void {
  const left = pieces[Symbol.iterator]();
  const next = () => {
    const piece = socket.destroyed || !socket.writable ? undefined : left.next().value;
    if (piece === undefined) return;
    socket.write(piece, () => (everyMs > 0 ? setTimeout(next, everyMs) : setImmediate(next)));
  };
  next();
}

/** The head of a request, without the empty line that ends it. */
export function requestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const lines = Object.entries({ host: 'rubadub.test', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, ''].join('\r\n');
}

export function* repeatForever<T>(piece: T): Generator<T> {
  for (;;) yield piece;
}
