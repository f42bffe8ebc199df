import { isIPv6 } from 'node:net';
import { refuse } from './refuse.ts';

/** Limits that count by network address; they end a call with 429 and say when to come back. */
export type Limits = {
  request(address: string): void;
  code(address: string): void;
  signIn(address: string): void;
};

type Window = { count: number; until: number };

const CODES_A_MINUTE = 120;
const SIGN_INS_A_MINUTE = 300;
const REQUESTS_A_SECOND = 100;

/** Limits kept in this process. `scale` multiplies them; `now` is the clock in milliseconds. */
export function makeLimits(scale: number, now: () => number = Date.now): Limits {
  return {
    request: limit(REQUESTS_A_SECOND * scale, 1_000, now),
    code: limit(CODES_A_MINUTE * scale, 60_000, now),
    signIn: limit(SIGN_INS_A_MINUTE * scale, 60_000, now),
  };
}

const WINDOWS_AT_MOST = 50_000;

function limit(most: number, periodMs: number, now: () => number): (address: string) => void {
  const windows = new Map<string, Window>();
  return (address) => {
    const time = now();
    const network = networkOf(address);
    const window = windows.get(network);
    if (window === undefined || window.until <= time) {
      if (windows.size >= WINDOWS_AT_MOST) dropEnded(windows, time);
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
    if (window.until > time && windows.size < WINDOWS_AT_MOST) return;
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
