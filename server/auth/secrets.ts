import { hash as digestOf, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { refuse } from '../http/refusals.ts';
import { createSemaphore } from './semaphore.ts';

// OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane.
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Leaves one core, and one of Node's four worker threads, to everything else. */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(3, availableParallelism() - 1));
/** A few seconds of work: clients do not wait longer. */
const MAX_WAITING_HASHES = 300;
const RETRY_AFTER_S = 5;

const hashSemaphore = createSemaphore(MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES);

// Each hash takes 19 MiB and a core, so many sign-ins at once queue here instead of slowing everything down.
function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  return hashSemaphore(work, () => refuse('notReady', { retryAfter: RETRY_AFTER_S }));
}

export function hashPassword(password: string): Promise<string> {
  return withHashSlot(() => argonHash(password, ARGON2_OPTIONS));
}

let decoyHash: Promise<string> | undefined;

/** Whether the password matches the hash. Without a hash it takes as long and returns false, so time does not reveal accounts. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoyHash ??= hashPassword('nobody has this password');
  const against = hash ?? (await decoyHash);
  const same = await withHashSlot(() => argonVerify(against, password));
  return same && hash !== undefined;
}

/** A token of 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A sign-up code of six digits. */
export function createCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** The hash under which a token or a code is stored. */
export function digest(secret: string): Buffer {
  return digestOf('sha256', secret, 'buffer');
}

export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
