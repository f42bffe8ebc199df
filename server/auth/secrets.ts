import { hash as digestOf, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { refuse } from '../http/refusals.ts';
import { createSemaphore } from './semaphore.ts';

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes at once: a core, and of Node's four threads one, are left to everything else. */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Some seconds' worth: who would wait longer has gone by then. */
const MAX_WAITING_HASHES = 300;
const RETRY_AFTER_S = 5;

const hashSemaphore = createSemaphore(MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES);

// Each hash takes 19 MiB and a core: a rush of sign-ins queues here instead of starving everything else.
function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  return hashSemaphore(work, () => refuse('notReady', { retryAfter: RETRY_AFTER_S }));
}

export function hashPassword(password: string): Promise<string> {
  return withHashSlot(() => argonHash(password, ARGON2_OPTIONS));
}

let decoyHash: Promise<string> | undefined;

/** Whether the password is the hashed one. Without a hash it takes the same time and says no: nobody is told who has an account. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoyHash ??= hashPassword('nobody has this password');
  const against = hash ?? (await decoyHash);
  const same = await withHashSlot(() => argonVerify(against, password));
  return same && hash !== undefined;
}

/** A new token that cannot be guessed: 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A sign-up code of six digits. */
export function createCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** What is stored of a token or a code. */
export function digest(secret: string): Buffer {
  return digestOf('sha256', secret, 'buffer');
}

export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
