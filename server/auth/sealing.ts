import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../http/refusals.ts';
import { digest } from './secrets.ts';

const KEY_FILE = 'sealing-key';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** How many bytes of what is sealed say by which key. */
export const KEY_NAME_BYTES = 4;

/** Encrypts secrets for the database, so that a copy of the database alone does not reveal them. */
export type Sealer = {
  seal(text: string): Buffer;
  /** Throws for data that was sealed with another key. */
  unseal(sealed: Buffer): string;
  /** The same for the same text, and unknown to everybody without the key. */
  mark(text: string): Buffer;
  /** Whether it was sealed with this key: its first bytes are enough. */
  isOwn(sealed: Buffer): boolean;
};

/** AES-256-GCM. A sealed text begins with a digest of its key, so that another key is recognized. */
export function createSealer(key: Buffer): Sealer {
  const keyName = digest(`name of ${key.toString('base64')}`).subarray(0, KEY_NAME_BYTES);
  const isOwn = (sealed: Buffer) => sealed.subarray(0, KEY_NAME_BYTES).equals(keyName);
  return {
    isOwn,
    mark: (text) => createHmac('sha256', key).update(`mark of ${text}`).digest(),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([keyName, nonce, cipher.getAuthTag(), content]);
    },
    unseal(sealed) {
      if (!isOwn(sealed)) refuse('keyMissing');
      const [nonce, tag, content] = split(sealed.subarray(KEY_NAME_BYTES), NONCE_BYTES, TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag);
      return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
    },
  };
}

function split(bytes: Buffer, first: number, second: number): [Buffer, Buffer, Buffer] {
  return [bytes.subarray(0, first), bytes.subarray(first, first + second), bytes.subarray(first + second)];
}

/** The installation's key: SEALING_KEY, or a file in the data directory that only its owner can read. */
export function loadSealer({ sealingKey, dataDir }: { sealingKey?: Buffer; dataDir: string }): Sealer {
  return createSealer(sealingKey ?? readOrCreateKey(join(dataDir, KEY_FILE), dataDir));
}

function readOrCreateKey(path: string, dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true });
  const created = randomBytes(KEY_BYTES).toString('base64url');
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${created}\n`, { mode: 0o600, flush: true });
  try {
    // The file is created atomically. When it exists already, its key is used.
    linkSync(draft, path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
  if (key.length !== KEY_BYTES) throw new Error(`${path} is not a key of ${KEY_BYTES} bytes`);
  return key;
}
