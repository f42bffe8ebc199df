import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 hands out addresses for the internet from this block only. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether an IP address is on the public internet: not private, loopback, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6));
}

const LOCAL_HOSTNAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|onion)$/;

/** Whether a URL's host may be on the public internet, judged by its name alone. */
export function mayBePublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_HOSTNAMES.test(host);
}

export class PrivateNetworkError extends Error {
  constructor() {
    super('its host resolves to a private address');
    this.name = 'PrivateNetwork';
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type DnsLookup = (hostname: string, options: LookupOptions & { all: true }, callback: LookupCallback) => void;

/**
 * A DNS lookup that refuses a name if one of its addresses is private. The connection uses the checked addresses, so the
 * name cannot resolve to another one in between.
 */
export function createGuardedLookup(lookup: DnsLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('its host has no address'), '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PrivateNetworkError(), '', 0);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
