import { createPublicKey, verify } from 'node:crypto';

/** The claimed sender of a push (RFC 8292). */
export type Sender = { publicKey: string; subject: string };

const MAX_LIFETIME_S = 24 * 60 * 60;

/** The sender of a push to one of `origins` (our own addresses), or the reason why a push service would refuse it. */
export function verifySender(authorization: string | undefined, origins: string[], now: Date): Sender | string {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (!signature) return 'Authorization must be vapid t=…, k=…';
  if (!hasValidSignature(`${head}.${claims}`, signature, publicKey)) return 'The signature is wrong';
  const { aud, exp, sub } = decodeJson(claims) as { aud?: unknown; exp?: unknown; sub?: unknown };
  const seconds = now.getTime() / 1000;
  if (!origins.includes(String(aud))) return `aud is ${String(aud)}, not ${origins[0]}`;
  if (typeof exp !== 'number' || exp < seconds || exp > seconds + MAX_LIFETIME_S)
    return 'exp is not within the next day';
  if (typeof sub !== 'string' || !/^(mailto:|https:)/.test(sub)) return 'sub must be a mailto: or https: address';
  return { publicKey, subject: sub };
}

function hasValidSignature(text: string, signature: string, publicKey: string): boolean {
  try {
    const point = Buffer.from(publicKey, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map((part) => part.toString('base64url')) as [
      string,
      string,
    ];
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const given = Buffer.from(signature, 'base64url');
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, given);
  } catch {
    return false;
  }
}

function decodeJson(part: string): object {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) ?? {};
  } catch {
    return {};
  }
}
