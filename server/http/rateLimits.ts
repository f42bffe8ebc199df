import { isIPv6 } from 'node:net';
import type { Tx } from '../db/database.ts';
import { incrementRateLimit } from './rateLimits.sql.ts';
import { refuse } from './refusals.ts';

/** Limits that count by network; they end a call with 429 and say when to come back. */
export type RateLimits = {
  /** Any call. Kept in this process: an ordinary call asks the database nothing for it. */
  countRequest(address: string): void;
  /** A stream that is open here; gives what to call when it has ended. */
  openStream(address: string): () => void;
  /** A mail with a code or a link. Like those below it is kept in the database, for all servers together. */
  countCodeMail(address: string): Promise<void>;
  countSignIn(address: string): Promise<void>;
  /** A code or a link that is tried. */
  countSecretAttempt(address: string): Promise<void>;
};

const CODES_PER_MINUTE = 120;
const SIGN_INS_PER_MINUTE = 300;
const SECRET_ATTEMPTS_PER_MINUTE = 300;
const REQUESTS_PER_SECOND = 100;
const MAX_OPEN_STREAMS = 1_000;
const STREAM_RETRY_S = 30;
const MINUTE_MS = 60_000;
const MAX_NETWORKS = 50_000;

/** `scale` multiplies the limits; `now` is the clock. */
export function createRateLimits(db: Tx, scale: number, now: () => Date = () => new Date()): RateLimits {
  const shared = (kind: string, most: number) => limitAcrossServers(db, { kind, most: most * scale, now });
  return {
    countRequest: limitInProcess(REQUESTS_PER_SECOND * scale, 1_000, () => now().getTime()),
    openStream: limitConcurrent(MAX_OPEN_STREAMS * scale),
    countCodeMail: shared('code', CODES_PER_MINUTE),
    countSignIn: shared('sign-in', SIGN_INS_PER_MINUTE),
    countSecretAttempt: shared('secret', SECRET_ATTEMPTS_PER_MINUTE),
  };
}

type SharedLimit = { readonly kind: string; readonly most: number; readonly now: () => Date };

function limitAcrossServers(db: Tx, { kind, most, now }: SharedLimit): (address: string) => Promise<void> {
  // What the database has said already costs it nothing more: a flood is turned away here.
  const full = new Map<string, number>();
  return async (address) => {
    const time = now();
    const network = ipNetworkOf(address);
    const until = full.get(network) ?? 0;
    if (until > time.getTime()) refuse('tooMany', { retryAfter: (until - time.getTime()) / 1000 });
    const rule = { periodMs: MINUTE_MS, most: Math.ceil(most) };
    const { count, endsAt } = await incrementRateLimit(db, { kind, network }, time, rule);
    full.delete(network);
    if (count <= most) return;
    if (full.size >= MAX_NETWORKS) full.clear();
    full.set(network, endsAt.getTime());
    refuse('tooMany', { retryAfter: (endsAt.getTime() - time.getTime()) / 1000 });
  };
}

function limitConcurrent(most: number): (address: string) => () => void {
  const open = new Map<string, number>();
  return (address) => {
    const network = ipNetworkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= most) refuse('tooMany', { retryAfter: STREAM_RETRY_S });
    open.set(network, count + 1);
    return () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    };
  };
}

type RateWindow = { count: number; until: number };

function limitInProcess(most: number, periodMs: number, now: () => number): (address: string) => void {
  const windows = new Map<string, RateWindow>();
  return (address) => {
    const time = now();
    const network = ipNetworkOf(address);
    const window = windows.get(network);
    if (window === undefined || window.until <= time) {
      if (windows.size >= MAX_NETWORKS) dropExpiredWindows(windows, time);
      windows.delete(network);
      windows.set(network, { count: 1, until: time + periodMs });
      return;
    }
    window.count += 1;
    if (window.count > most) refuse('tooMany', { retryAfter: (window.until - time) / 1000 });
  };
}

// Windows stand in the order they began, so the ended ones are in front.
function dropExpiredWindows(windows: Map<string, RateWindow>, time: number): void {
  for (const [network, window] of windows) {
    if (window.until > time && windows.size < MAX_NETWORKS) return;
    windows.delete(network);
  }
}

/** The network that an address belongs to: an IPv4 address alone, an IPv6 one with its /64. */
export function ipNetworkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle = tail === undefined ? [] : Array(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...middle, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
