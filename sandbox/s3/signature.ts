import { createHmac, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The one key pair that the stand-in accepts. */
export const S3_STAND_IN_KEYS = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox-secret' };

const MAX_SKEW_MS = 15 * 60_000;

export type SignedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** Why S3 would refuse a request that is signed with version 4 in its headers; undefined when the signature holds. */
export function findSignatureProblem({ method, url, headers, body }: SignedRequest, now: Date): string | undefined {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [accessKeyId = '', ...scope] = credential.split('/');
  const [day = '', region = '', service = '', end = ''] = scope;
  if (accessKeyId !== S3_STAND_IN_KEYS.accessKeyId) return 'InvalidAccessKeyId';
  const date = String(headers['x-amz-date'] ?? '');
  if (service !== 's3' || end !== 'aws4_request' || !date.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (Math.abs(parseDate(date) - now.getTime()) > MAX_SKEW_MS) return 'RequestTimeTooSkewed';
  const digest = String(headers['x-amz-content-sha256'] ?? '');
  if (digest !== hash('sha256', body)) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';');
  if (!signed.includes('host') || !signed.includes('x-amz-content-sha256')) return 'AccessDenied';
  const [path = '', query = ''] = url.split('?');
  const lines = signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`).join('');
  const canonical = [method, path, query, lines, names, digest].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash('sha256', canonical)].join('\n');
  const key = [day, region, service, end].reduce<Buffer | string>(sign, `AWS4${S3_STAND_IN_KEYS.secretAccessKey}`);
  return sign(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

const sign = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

// 20260504T120000Z
function parseDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
