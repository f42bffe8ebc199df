import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type Config, isLoopback } from '../config/config.ts';
import { HEALTH_PATHS } from './health.ts';
import { Refusal } from './refusals.ts';

export type HostOptions = Pick<Config, 'publicUrl' | 'host'> & { readonly allowedHosts?: readonly string[] };

/** Refuses a request whose host is not one of ours. `route` is the path of the route that it matched. */
export type HostCheck = (request: IncomingMessage, route: string | undefined) => void;

const MAX_REMEMBERED = 1_000;

/**
 * Accepts the hosts of PUBLIC_URL, HOST and ALLOWED_HOSTS, and loopback names, each with any port. A web page can give its
 * own name the address of this machine (DNS rebinding) and would then read everything here as its own.
 */
export function createHostCheck({ publicUrl, host, allowedHosts = [] }: HostOptions): HostCheck {
  const expected = new URL(publicUrl).hostname;
  const names = new Set([expected, host, ...allowedHosts].map((name) => nameOf(name.toLowerCase())));
  const listensEverywhere = host === '0.0.0.0' || host === '::';
  // Nearly every request names the same few hosts.
  const accepted = new Set<string>();
  const isOurs = (named: string, request: IncomingMessage) => {
    if (accepted.has(named)) return true;
    const name = nameOf(named.toLowerCase());
    // DNS rebinding needs a name: a page from elsewhere cannot have an address of this machine as its host.
    if (listensEverywhere && isIP(name) !== 0 && name === localAddressOf(request)) return true;
    if (!names.has(name) && !isLoopback(name)) return false;
    if (accepted.size < MAX_REMEMBERED) accepted.add(named);
    return true;
  };
  return (request, route) => {
    if (hasTwoHosts(request.rawHeaders)) {
      throw new Refusal('invalid', { message: 'The request has more than one Host header: send one' });
    }
    // Load balancers ask for the health of an address that only they use.
    if (route !== undefined && HEALTH_PATHS.has(route)) return;
    for (const named of hostsOf(request)) {
      if (!isOurs(named, request)) throw new Refusal('invalid', { message: wrongHostMessage(named, expected) });
    }
  };
}

/** The hosts that a request names: in its Host header, and in its address when that is a whole URL. */
function hostsOf({ headers: { host }, httpVersion, url = '' }: IncomingMessage): readonly string[] {
  // Every browser sends the header, so nobody is misled by a request of HTTP/1.0 without it.
  const named = host === undefined && httpVersion === '1.0' ? [] : [host ?? ''];
  if (url.startsWith('/') || url === '*') return named;
  return [...named, URL.parse(url)?.host ?? url];
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** A host without its port, and an IPv6 address without its brackets. */
function nameOf(host: string): string {
  if (host.startsWith('[')) return host.slice(1, Math.max(1, host.indexOf(']')));
  // An IPv6 address without brackets comes from our configuration, and has no port.
  const colon = host.indexOf(':');
  return colon === -1 || colon !== host.lastIndexOf(':') ? host : host.slice(0, colon);
}

const localAddressOf = ({ socket }: IncomingMessage) => (socket.localAddress ?? '').replace(/^::ffff:/, '');

const wrongHostMessage = (named: string, expected: string) =>
  `This server is ${expected}, not "${named.slice(0, 100)}": open it under its own name, or add the name to ALLOWED_HOSTS`;
