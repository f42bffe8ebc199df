import { hash as digestOf, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { refuse } from '../http/refusals.ts';
import { makeGate } from './semaphore.ts';

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes at once: a core, and of Node's four threads one, are left to everything else. */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Some seconds' worth: who would wait longer has gone by then. */
const WAITING_AT_MOST = 300;
const RETRY_AFTER_S = 5;

const gate = makeGate(AT_ONCE, WAITING_AT_MOST);

// Each hash takes 19 MiB and a core: a rush of sign-ins queues here instead of starving everything else.
function gated<T>(work: () => Promise<T>): Promise<T> {
  return gate(work, () => refuse('notReady', { retryAfter: RETRY_AFTER_S }));
}

export function hashPassword(password: string): Promise<string> {
  return gated(() => argonHash(password, ARGON));
}

let decoy: Promise<string> | undefined;

/** Whether the password is the hashed one. Without a hash it takes the same time and says no: nobody is told who has an account. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const against = hash ?? (await decoy);
  const same = await gated(() => argonVerify(against, password));
  return same && hash !== undefined;
}

/** A new token that cannot be guessed: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A sign-up code of six digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** What is stored of a token or a code. */
export function digest(secret: string): Buffer {
  return digestOf('sha256', secret, 'buffer');
}

export function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
