import { connect } from 'node:net';

export type RawReply = {
  /** Undefined when the connection ended without an answer. */
  readonly status: number | undefined;
  /** Everything that arrived. */
  readonly text: string;
};

// Longer than the server waits for the rest of a request.
const HANG_MS = 40_000;
const STATUS_PATTERN = /^HTTP\/1\.1 (\d{3}) /;

/**
 * Sends bytes as they are and returns what the server answered before it closed. With `isAll`, the server learns that no
 * more bytes will come, and does not wait for the rest of a request that is cut.
 */
export function sendRaw(url: string, bytes: string | Buffer, { isAll = false } = {}): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('data', (chunk) => chunks.push(chunk));
    // Being cut off is one way to end.
    socket.on('error', () => undefined);
    socket.setTimeout(HANG_MS, () => {
      reject(new Error('the connection hangs'));
      socket.destroy();
    });
    socket.once('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const status = STATUS_PATTERN.exec(text)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), text });
    });
    if (isAll) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** Sends the beginning of a request, and leaves the rest out. `status` is that of its answer: undefined if the connection ended. */
export function beginRaw(url: string, bytes: string | Buffer) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const answered = Promise.withResolvers<{ status: number | undefined; text: string }>();
  let text = '';
  socket.on('error', () => undefined).once('close', () => answered.resolve({ status: undefined, text }));
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const status = STATUS_PATTERN.exec(text)?.[1];
    if (status !== undefined && text.includes('\r\n\r\n')) answered.resolve({ status: Number(status), text });
  });
  socket.write(bytes);
  return { answered: answered.promise, leave: () => socket.destroy() };
}

/** A request without a body, as text. The server closes the connection after its answer. */
export const rawRequest = (method: string, target: string, headers: readonly string[] = ['host: localhost']) =>
  [`${method} ${target} HTTP/1.1`, ...headers, 'connection: close', '', ''].join('\r\n');

/** Addresses that name nothing, and that programs often mishandle. */
export const HOSTILE_TARGETS = [
  '//x',
  '//',
  '///etc/passwd',
  '//rebound.example.org/%2f..',
  '/%00',
  '/x%00.js',
  '/%',
  '/%zz',
  '/%ff',
  '/%c0%af',
  '/%ed%a0%80',
  '/%e0%80%80',
  '/assets/%2e%2e/x',
  '/assets/../../package.json',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..\\..\\x',
  '/assets/%5c..%5cx',
  '/assets',
  '/assets/',
  '/assets/.',
  '/./x',
  '/index.html/',
  '/.sources',
  '/.git/config',
  '/x?%00=%ff&%',
  '/x#y',
  '/%23',
  '/%3f',
  '/;x',
  '/con',
  '/x:$DATA',
  '/*',
  '/:id',
  '/constructor',
  '/__proto__',
  `/${'a'.repeat(8_000)}`,
  `/${'%61'.repeat(2_000)}`,
  `${'/a'.repeat(2_000)}`,
  'http://localhost//x',
  'http://localhost/%00',
  'http://localhost',
] as const;
