import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

export type PushKeys = { p256dh: string; auth: string };
/** The private part of a subscription, which a browser keeps, besides its public keys. */
export type PushKeyPair = PushKeys & { privateKey: string };

const PRIVATE_KEY_BYTES = 32;

/** Keys as a browser creates them: a P-256 key pair and a 16-byte secret, in base64url. */
export function createPushKeys(): PushKeyPair {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys().toString('base64url');
  // Node leaves leading zeros out, so one key of 256 is shorter.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(PRIVATE_KEY_BYTES * 2, '0'), 'hex');
  return { p256dh, privateKey: privateKey.toString('base64url'), auth: randomBytes(16).toString('base64url') };
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHmac('sha256', key)).digest();

/** Decrypts RFC 8291 (one record of RFC 8188). Throws when the body is not for these keys. */
export function decrypt(body: Buffer, keys: PushKeyPair): string {
  const [salt, keyLength] = [body.subarray(0, 16), body[20] ?? 0];
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const own = createECDH('prime256v1');
  own.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
  const both = Buffer.concat([Buffer.from(keys.p256dh, 'base64url'), sender]);
  const auth = hmac(Buffer.from(keys.auth, 'base64url'), own.computeSecret(sender));
  const secret = hmac(salt, hmac(auth, 'WebPush: info\0', both, '\x01'));
  const key = hmac(secret, 'Content-Encoding: aes128gcm\0', '\x01').subarray(0, 16);
  const nonce = hmac(secret, 'Content-Encoding: nonce\0', '\x01').subarray(0, 12);
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  // The text ends before the last non-zero byte, which marks the last record.
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
