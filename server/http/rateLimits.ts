import { isIPv6 } from 'node:net';
import type { Tx } from '../db/database.ts';
import { countOne } from './rateLimits.sql.ts';
import { refuse } from './refusals.ts';

/** Limits that count by network; they end a call with 429 and say when to come back. */
export type Limits = {
  /** Any call. Kept in this process: an ordinary call asks the database nothing for it. */
  request(address: string): void;
  /** A stream that is open here; gives what to call when it has ended. */
  stream(address: string): () => void;
  /** A mail with a code or a link. Like those below it is kept in the database, for all servers together. */
  code(address: string): Promise<void>;
  signIn(address: string): Promise<void>;
  /** A code or a link that is tried. */
  secret(address: string): Promise<void>;
};

const CODES_A_MINUTE = 120;
const SIGN_INS_A_MINUTE = 300;
const SECRETS_A_MINUTE = 300;
const REQUESTS_A_SECOND = 100;
const STREAMS_AT_ONCE = 1_000;
const STREAM_RETRY_S = 30;
const MINUTE_MS = 60_000;
const NETWORKS_AT_MOST = 50_000;

/** `scale` multiplies the limits; `now` is the clock. */
export function makeLimits(db: Tx, scale: number, now: () => Date = () => new Date()): Limits {
  const shared = (kind: string, most: number) => limitForAll(db, { kind, most: most * scale, now });
  return {
    request: limitHere(REQUESTS_A_SECOND * scale, 1_000, () => now().getTime()),
    stream: limitAtOnce(STREAMS_AT_ONCE * scale),
    code: shared('code', CODES_A_MINUTE),
    signIn: shared('sign-in', SIGN_INS_A_MINUTE),
    secret: shared('secret', SECRETS_A_MINUTE),
  };
}

type Shared = { readonly kind: string; readonly most: number; readonly now: () => Date };

function limitForAll(db: Tx, { kind, most, now }: Shared): (address: string) => Promise<void> {
  // What the database has said already costs it nothing more: a flood is turned away here.
  const full = new Map<string, number>();
  return async (address) => {
    const time = now();
    const network = networkOf(address);
    const until = full.get(network) ?? 0;
    if (until > time.getTime()) refuse('tooMany', { retryAfter: (until - time.getTime()) / 1000 });
    const rule = { periodMs: MINUTE_MS, most: Math.ceil(most) };
    const { count, endsAt } = await countOne(db, { kind, network }, time, rule);
    full.delete(network);
    if (count <= most) return;
    if (full.size >= NETWORKS_AT_MOST) full.clear();
    full.set(network, endsAt.getTime());
    refuse('tooMany', { retryAfter: (endsAt.getTime() - time.getTime()) / 1000 });
  };
}

function limitAtOnce(most: number): (address: string) => () => void {
  const open = new Map<string, number>();
  return (address) => {
    const network = networkOf(address);
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

type Window = { count: number; until: number };

function limitHere(most: number, periodMs: number, now: () => number): (address: string) => void {
  const windows = new Map<string, Window>();
  return (address) => {
    const time = now();
    const network = networkOf(address);
    const window = windows.get(network);
    if (window === undefined || window.until <= time) {
      if (windows.size >= NETWORKS_AT_MOST) dropEnded(windows, time);
      windows.delete(network);
      windows.set(network, { count: 1, until: time + periodMs });
      return;
    }
    window.count += 1;
    if (window.count > most) refuse('tooMany', { retryAfter: (window.until - time) / 1000 });
  };
}

// Windows stand in the order they began, so the ended ones are in front.
function dropEnded(windows: Map<string, Window>, time: number): void {
  for (const [network, window] of windows) {
    if (window.until > time && windows.size < NETWORKS_AT_MOST) return;
    windows.delete(network);
  }
}

/** The network that an address belongs to: an IPv4 address alone, an IPv6 one with its /64. */
export function networkOf(address: string): string {
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
