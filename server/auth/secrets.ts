import { hash as digestOf, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { normalizePassword } from '../../domain/accounts.ts';
import { ipNetworksOf } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { createSemaphore } from './semaphore.ts';

// OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane.
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Leaves one core, and one of Node's four worker threads, to everything else. */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Several seconds of work for one network: clients do not wait longer. The networks take turns, so others wait less. */
const MAX_WAITING_HASHES = { waiting: 600, perNetwork: 300 };
const RETRY_AFTER_S = 5;

const hashSemaphore = createSemaphore(MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES);

// Each hash takes 19 MiB and a core, so many sign-ins at once queue here instead of slowing everything down.
function withHashSlot<T>(from: string, work: () => Promise<T>): Promise<T> {
  return hashSemaphore(ipNetworksOf(from), work, () => refuse('notReady', { retryAfter: RETRY_AFTER_S }));
}

/** The `from` of hashes that no request asks for. */
export const THIS_MACHINE = '127.0.0.1';

/** `from` is the IP address of the client: networks take turns. */
export function hashPassword(password: string, from: string): Promise<string> {
  return withHashSlot(from, () => argonHash(normalizePassword(password), ARGON2_OPTIONS));
}

let decoyHash: Promise<string> | undefined;

/** Whether the password matches the hash. Without a hash it takes as long and returns false, so time does not reveal accounts. */
export async function verifyPassword(password: string, hash: string | undefined, from: string): Promise<boolean> {
  decoyHash ??= hashPassword('nobody has this password', from);
  const against = hash ?? (await decoyHash);
  for (const spelling of spellingsOf(password))
    if (await withHashSlot(from, () => argonVerify(against, spelling))) return hash !== undefined;
  return false;
}

/** Earlier releases hashed what the system of the person wrote. Most passwords have one spelling, so they take one hash. */
function spellingsOf(password: string): ReadonlySet<string> {
  return new Set([normalizePassword(password), password, password.normalize('NFC'), password.normalize('NFD')]);
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

/** A person's Idempotency-Key in the form that is stored with the step. Null without a key. */
export function requestKeyOf(userId: string, idempotencyKey: string | undefined): Buffer | null {
  return idempotencyKey === undefined ? null : digest(`${userId} ${idempotencyKey}`);
}

export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
