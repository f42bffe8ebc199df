import type { Random } from '../testing/random.ts';
import { HOSTILE_TARGETS, rawRequest } from '../testing/rawSocket.ts';
import { pick } from './fuzzValues.ts';

/** Bytes for one connection. `isAll`: the server learns that no more will come, because a request in it may be cut. */
export type RawBytes = { readonly bytes: Buffer; readonly isAll: boolean };

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY', 'CONNECT'];
const ODD_METHODS = ['get', 'GETT', 'PRI', 'G T', '', '\0', 'POST\t', 'A'.repeat(5_000)];
const TARGETS = [
  ...HOSTILE_TARGETS,
  '/api/config',
  '/api//config',
  '/api/%2e%2e/api/config',
  '/api/config/%00',
  '/api/orders/%00',
  '/api/orders/%ff',
  '/api/orders/..',
  '/%61pi/config',
  '/API/config',
  '/api/config;x',
  '/api/config?filters=%00&filters=%ff',
  '/api/profile?__proto__[x]=1',
  '/api/unsubscribe/one-click?token=%00',
  '/api/unsubscribe/one-click?token=a&token=b',
  '/api/webhooks/square',
  '/api/events?x=%',
  '*',
  '',
  'x',
  '?',
  '\\',
  'ftp://localhost/x',
  'https://localhost:99999/api/config',
  'http://[::1/api/config',
  'http:///api/config',
  'http://user:password@localhost/api/config',
  '/api/\u00e9',
];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.2',
  'http/1.1',
  'HTTP/x',
  '',
];
const HOST = 'Host: localhost';
const HEADERS = [
  'Host: localhost',
  'Host: rebound.example.org',
  'Host:',
  'Host: [',
  'Host: localhost:x',
  'Host : localhost',
  ' folded: x',
  'no colon',
  ': no name',
  'X: \0',
  'X: \x7f\x01',
  'X: caf\u00e9',
  `X: ${'a'.repeat(20_000)}`,
  'Content-Length: 0',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length: 99999999999999999999',
  'Content-Length: 1, 1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Content-Type: application/json',
  'Content-Type: application/json; charset=utf-7',
  'Content-Type: ;;;',
  'Content-Type: \t',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: the unexpected',
  'Upgrade: websocket',
  'Connection: upgrade',
  'Connection: keep-alive, close, x',
  'Accept: text/html',
  'Accept-Encoding: gzip;q=0, *',
  'Range: bytes=-1,0-,5-2',
  'If-None-Match: "',
  'X-Forwarded-For: \u00e9, ::, 1.2.3.4.5',
  'X-Forwarded-Host: rebound.example.org',
  'Authorization: Bearer',
  'Authorization: Bearer \xff',
  'Idempotency-Key: \t',
  'Last-Event-ID: 9e99-1',
  'Cookie: auth-token=%',
];
const CHUNKS = [
  '5\r\nhello\r\n',
  '2\r\n{}\r\n',
  '0\r\n\r\n',
  '0\r\nX: y\r\n\r\n',
  '5;x="\r\nhello\r\n',
  `1;${'e'.repeat(20_000)}\r\n{\r\n`,
  '-1\r\nx\r\n',
  '0x1\r\nx\r\n',
  'ffffffffffffffff\r\nx\r\n',
  '5\nhello\n',
  '5\r\nhel\r\n',
  'G\r\n',
  '\r\n',
  `10001\r\n${' '.repeat(65_537)}\r\n`,
];

/** A request that is valid, or would be without one oddity or several. */
export function generateRawBytes(random: Random, valid: readonly Buffer[]): RawBytes {
  const kinds = [generateTarget, generateHeaders, generateChunks, () => damage(random, pick(random, valid))];
  return pick(random, kinds)(random);
}

const toBytes = (text: string, isAll: boolean): RawBytes => ({ bytes: Buffer.from(text, 'latin1'), isAll });

function generateTarget(random: Random): RawBytes {
  const method = pick(random, random() < 0.8 ? METHODS : ODD_METHODS);
  return toBytes(rawRequest(method, pick(random, TARGETS), [HOST]), false);
}

function generateHeaders(random: Random): RawBytes {
  const lines = Array.from({ length: 1 + random() * 4 }, () => pick(random, HEADERS));
  if (random() < 0.7) lines.unshift(HOST);
  const head = [
    `${pick(random, METHODS)} ${pick(random, TARGETS)} ${pick(random, VERSIONS)}`,
    ...lines,
    'Connection: close',
  ];
  // A body may be announced, and none follows.
  return toBytes(`${head.join(random() < 0.9 ? '\r\n' : '\n')}\r\n\r\n`, true);
}

function generateChunks(random: Random): RawBytes {
  const body = Array.from({ length: 1 + random() * 5 }, () => pick(random, CHUNKS)).join('');
  const path = pick(random, [
    '/api/auth/login',
    '/api/unsubscribe/one-click',
    '/api/webhooks/square',
    '/api/config',
    '/x',
  ]);
  const headers = [HOST, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
  return toBytes(rawRequest('POST', path, headers) + body, true);
}

function damage(random: Random, valid: Buffer): RawBytes {
  const bytes = Buffer.from(valid);
  for (let count = 1 + random() * 4; count > 0; count -= 1) {
    bytes.writeUInt8(Math.floor(random() * 256), Math.floor(random() * bytes.length));
  }
  const at = Math.floor(random() * bytes.length);
  const repeated = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at), bytes.subarray(at)]);
  return { bytes: random() < 0.3 ? repeated : bytes, isAll: true };
}

/** A request with a JSON body, as bytes. */
export function rawJsonRequest(method: string, path: string, body: unknown, token: string): Buffer {
  const json = JSON.stringify(body);
  const headers = [HOST, `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  return Buffer.from(rawRequest(method, path, [...headers, `Content-Length: ${Buffer.byteLength(json)}`]) + json);
}
