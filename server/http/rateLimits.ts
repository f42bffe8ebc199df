import { isIPv6 } from 'node:net';
import ipaddr, { type IPv6 } from 'ipaddr.js';
import { MINUTE_MS } from '../../domain/durations.ts';
import type { Tx } from '../db/database.ts';
import { incrementRateLimit } from './rateLimits.sql.ts';
import { refuse } from './refusals.ts';

/** Limits per network. Above a limit, a call fails with 429 and a Retry-After header. */
export type RateLimits = {
  /** Any call. Counted in this process, so that an ordinary call needs no extra query. */
  countRequest(address: string): void;
  /** A request for a page, one of its files, or a stand-in. Opening the app takes dozens, so this limit is higher. */
  countFileRequest(address: string): void;
  /** A live stream that opens here. Returns the function to call when it ends. */
  openStream(address: string): () => void;
  /** A mail with a code or a link. This limit and those below are counted in the database, for all servers together. */
  countCodeMail(address: string): Promise<void>;
  countSignIn(address: string): Promise<void>;
  /** An attempt to use a code or a link. */
  countSecretAttempt(address: string): Promise<void>;
  /** A request to a third party that an operator wants to try. */
  countConnectionTest(address: string): Promise<void>;
};

const CODES_PER_MINUTE = 120;
const SIGN_INS_PER_MINUTE = 300;
const SECRET_ATTEMPTS_PER_MINUTE = 300;
const CONNECTION_TESTS_PER_MINUTE = 20;
const REQUESTS_PER_SECOND = 100;
const FILE_REQUESTS_PER_SECOND = 1_000;
const MAX_OPEN_STREAMS = 1_000;
const STREAM_RETRY_S = 30;
const MAX_NETWORKS = 50_000;
/** A /48 of IPv6 may do as much as this many of its /64s. */
export const WIDE_NETWORK_FACTOR = 4;

/** `scale` multiplies every limit. */
export function createRateLimits(db: Tx, scale: number, now: () => Date = () => new Date()): RateLimits {
  const shared = (kind: string, max: number) => limitAcrossServers(db, { kind, max: max * scale, now });
  return {
    countRequest: limitInProcess(REQUESTS_PER_SECOND * scale, 1_000, () => now().getTime()),
    countFileRequest: limitInProcess(FILE_REQUESTS_PER_SECOND * scale, 1_000, () => now().getTime()),
    openStream: limitConcurrent(MAX_OPEN_STREAMS * scale),
    countCodeMail: shared('code', CODES_PER_MINUTE),
    countSignIn: shared('sign-in', SIGN_INS_PER_MINUTE),
    countSecretAttempt: shared('secret', SECRET_ATTEMPTS_PER_MINUTE),
    countConnectionTest: shared('connection-test', CONNECTION_TESTS_PER_MINUTE),
  };
}

type SharedLimit = { readonly kind: string; readonly max: number; readonly now: () => Date };

function limitAcrossServers(db: Tx, { kind, max, now }: SharedLimit): (address: string) => Promise<void> {
  // Networks above the limit, until their window ends: refusing them needs no further query.
  const blockedUntil = new Map<string, number>();
  return async (address) => {
    const time = now();
    const networks = ipNetworksOf(address);
    const until = Math.max(...networks.map((network) => blockedUntil.get(network) ?? 0));
    if (until > time.getTime() && until <= time.getTime() + 2 * MINUTE_MS)
      refuse('tooMany', { retryAfter: (until - time.getTime()) / 1000 });
    // The narrow network first: above its own limit it does not use up that of the wide one.
    for (const network of networks.toReversed()) {
      const most = network.endsWith('/48') ? max * WIDE_NETWORK_FACTOR : max;
      const window = { periodMs: MINUTE_MS, most: Math.ceil(most) };
      const { count, endsAt } = await incrementRateLimit(db, { kind, network }, time, window);
      blockedUntil.delete(network);
      if (count <= most) continue;
      if (blockedUntil.size >= MAX_NETWORKS) blockedUntil.clear();
      blockedUntil.set(network, endsAt.getTime());
      refuse('tooMany', { retryAfter: (endsAt.getTime() - time.getTime()) / 1000 });
    }
  };
}

function limitConcurrent(max: number): (address: string) => () => void {
  const open = countByNetwork();
  return (address) => {
    const network = ipNetworkOf(address);
    if (open.get(network) >= max) refuse('tooMany', { retryAfter: STREAM_RETRY_S });
    open.add(network, 1);
    return () => open.add(network, -1);
  };
}

/** Counts something that opens and closes, per network. */
export function countByNetwork() {
  const counts = new Map<string, number>();
  const get = (network: string) => counts.get(network) ?? 0;
  return {
    get,
    add(network: string, change: 1 | -1) {
      const count = get(network) + change;
      if (count > 0) counts.set(network, count);
      else counts.delete(network);
    },
  };
}

type RateWindow = { count: number; endsAt: number };

function limitInProcess(max: number, periodMs: number, now: () => number): (address: string) => void {
  const windows = new Map<string, RateWindow>();
  return (address) => {
    const time = now();
    const network = ipNetworkOf(address);
    const window = windows.get(network);
    // A window that ends later than one of now is from a clock that was set back since, as when the demo is added.
    if (window === undefined || window.endsAt <= time || window.endsAt > time + periodMs) {
      if (windows.size >= MAX_NETWORKS) deleteEndedWindows(windows, time);
      windows.delete(network);
      windows.set(network, { count: 1, endsAt: time + periodMs });
      return;
    }
    window.count += 1;
    if (window.count > max) refuse('tooMany', { retryAfter: (window.endsAt - time) / 1000 });
  };
}

// The map is in the order in which windows began, so the ended ones come first.
function deleteEndedWindows(windows: Map<string, RateWindow>, time: number): void {
  for (const [network, window] of windows) {
    if (window.endsAt > time && windows.size < MAX_NETWORKS) return;
    windows.delete(network);
  }
}

/** The networks that an address is in, from wide to narrow: the owner of an IPv6 /48 also has its 65,536 /64s. */
export function ipNetworksOf(address: string): readonly [string, ...string[]] {
  const network = ipNetworkOf(address);
  if (!network.endsWith('/64')) return [network];
  return [`${network.split(':', 3).join(':')}::/48`, network];
}

/** '203.0.x.x': roughly where a network is, without naming a household. */
export function maskedNetworkOf(network: string): string {
  if (network.includes(':')) return `${network.split(':', 2).join(':')}:x:x`;
  return network.includes('.') ? `${network.split('.', 2).join('.')}.x.x` : network;
}

/** The network that an address is counted under: an IPv4 address alone, an IPv6 address with its /64. */
export function ipNetworkOf(address: string): string {
  // Every request passes here, and this check is faster than parsing the most common kind of address.
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as IPv6).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
