import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

// ipaddr.js also calls the parts of IPv6 "unicast" that nobody has been assigned yet.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address belongs to the public internet: not private, loopback, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const ip = ipaddr.parse(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6));
}

const LOCAL_HOSTNAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|onion)$/;

/** Whether a URL's host can be on the public internet, judged by its name alone. */
export function mayBePublicHost(hostname: string): boolean {
  const bare = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(bare) !== 0) return isPublicAddress(bare);
  return bare.includes('.') && !LOCAL_HOSTNAMES.test(bare);
}

/** A host name resolved to a private address. */
export class PrivateNetworkError extends Error {
  constructor() {
    super('its address leads into a private network');
    this.name = 'PrivateNetwork';
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type DnsLookup = (hostname: string, options: LookupOptions & { all: true }, found: LookupCallback) => void;

/**
 * A DNS look-up that fails when any of a name's addresses is private. The connection uses the addresses that were
 * checked, so the name cannot resolve to something else in between.
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
