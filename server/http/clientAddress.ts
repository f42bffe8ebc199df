import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Stands for every client whose address a proxy wrote in a form that we cannot read: together they are one network. */
export const UNKNOWN_ADDRESS = 'unknown';

const BRACKETED_PATTERN = /^\[([^\]]*)\](?::\w*)?$/;
/** RFC 7239: a port has digits, or is a made-up name after an underscore. */
const IPV4_PATTERN = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\w*)?$/;
const IPV6_PATTERN = /^([\da-f:.]*)(?:%.*)?$/i;
/**
 * The `for` of each element of a Forwarded header (RFC 7239). Only the quotes of `for` itself count: a client's own quote, written
 * before the proxy's element, then cannot hide that element.
 */
const FORWARDED_FOR_PATTERN = /(?:^|[;,])[ \t]*for[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;,"]*))/gi;

/** An address as a proxy wrote it, without port, brackets, zone or mapping, in its usual spelling; UNKNOWN_ADDRESS if it is none. */
export function readAddress(written: string): string {
  const text = written.trim().replace(/^"(.*)"$/, '$1');
  const inner = BRACKETED_PATTERN.exec(text)?.[1] ?? text;
  const address = IPV4_PATTERN.exec(inner)?.[1] ?? IPV6_PATTERN.exec(inner)?.[1] ?? '';
  // Node is strict: the library also reads 010.0.0.1 and 127.1, each in its own way.
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : ipaddr.process(address).toString();
}

/** The addresses that proxies wrote, the client's side first. Most proxies write only X-Forwarded-For, so it wins. */
export function readForwarded({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const { 'x-forwarded-for': plain, forwarded } = headers;
  // Node joins a header that comes several times.
  const text = String(plain ?? '');
  if (text.trim() !== '')
    return text
      .split(',')
      .filter((part) => part.trim() !== '')
      .map(readAddress);
  return [...(forwarded ?? '').matchAll(FORWARDED_FOR_PATTERN)].map(([, quoted, bare]) =>
    readAddress(quoted ?? bare ?? ''),
  );
}

/** Writes the addresses of a request in the one form that Fastify reads. */
export function normalizeForwarded(request: IncomingMessage): void {
  const addresses = readForwarded(request);
  if (addresses.length > 0) request.headers['x-forwarded-for'] = addresses.join(', ');
}
