import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const PRIVATE_IPV4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE_IPV4.addSubnet(network, bits, 'ipv4');
}

// Of IPv6 only what is handed out for the world counts; within it, what documents are written with and what carries
// an IPv4 address inside is left out.
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
const EXCLUDED_IPV6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  EXCLUDED_IPV6.addSubnet(network, bits, 'ipv6');
}

/** Whether an IP address is one of the public internet: not private, loopback, link-local, nor of any special use. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !PRIVATE_IPV4.check(address, 'ipv4');
  if (version === 6) return GLOBAL_IPV6.check(address, 'ipv6') && !EXCLUDED_IPV6.check(address, 'ipv6');
  return false;
}

const LOCAL_HOSTNAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|onion)$/;

/** Whether a URL's host may be a server on the public internet, as far as its name tells. */
export function mayBePublicHost(hostname: string): boolean {
  const bare = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(bare) !== 0) return isPublicAddress(bare);
  return bare.includes('.') && !LOCAL_HOSTNAMES.test(bare);
}

/** A name led to a private address. */
export class PrivateNetworkError extends Error {
  constructor() {
    super('its address leads into a private network');
    this.name = 'PrivateNetwork';
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type DnsLookup = (hostname: string, options: LookupOptions & { all: true }, found: LookupCallback) => void;

/**
 * A look-up for a connection that refuses a name as soon as one of its addresses is private. What is connected to is
 * what was looked at, so a name cannot change its meaning in between.
 */
export function createGuardedLookup(lookup: DnsLookup = systemLookup): LookupFunction {
  return (hostname, options, found) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return found(error ?? new Error('it has no address'), '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address))) return found(new PrivateNetworkError(), '', 0);
      if (options.all) return found(null, addresses);
      return found(null, first.address, first.family);
    });
  };
}
