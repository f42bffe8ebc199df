import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../../contract/failures.ts';
import { PHOTO_MAX_BYTES, PHOTO_TYPES } from '../../domain/files.ts';
import { handleError } from './errors.ts';
import { Refusal, refuse } from './refusals.ts';

/** What a call that answers with a photo returns. */
export type PhotoAnswer = {
  readonly type: string;
  readonly bytes: Buffer;
  /** Whether the browser may keep it for a while. Not what operators read, and no document of a person. */
  readonly isCached?: boolean;
};

const FAILURE_BY_CODE: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'photoTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'notPhotoType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'notAPhoto',
};

/** The photos that one process reads at the same time, in bytes: ten of the largest. */
const MAX_BYTES_UNDER_WAY = 10 * PHOTO_MAX_BYTES;
const RETRY_AFTER_S = 5;

/**
 * Accepts photos only, as raw bytes, in a scope of its own: the limit of all other bodies is a hundredth of theirs. Before a body is
 * read, its size is known and its place is taken: one photo a person, and a number of bytes for the process.
 */
export function acceptPhotosOnly(scope: FastifyInstance): void {
  const uploads = new Map<string, number>();
  // After the session was checked.
  scope.addHook('preParsing', async (request, reply) => {
    const owner = request.caller?.id ?? refuse('unauthenticated');
    const bytes = readLength(request);
    if (uploads.has(owner)) refuse('tooManyPhotos', { retryAfter: RETRY_AFTER_S });
    const underWay = [...uploads.values()].reduce((sum, other) => sum + other, bytes);
    if (underWay > MAX_BYTES_UNDER_WAY) refuse('notReady', { retryAfter: RETRY_AFTER_S });
    uploads.set(owner, bytes);
    reply.raw.once('close', () => uploads.delete(owner));
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    [...PHOTO_TYPES],
    { parseAs: 'buffer', bodyLimit: PHOTO_MAX_BYTES },
    (_request, body, done) => done(null, body),
  );
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = FAILURE_BY_CODE[error.code];
    return handleError(failure ? new Refusal(failure) : error, request, reply);
  });
}

function readLength({ headers }: FastifyRequest): number {
  const text = headers['content-length'];
  if (text === undefined || headers['transfer-encoding'] !== undefined) refuse('lengthMissing');
  const bytes = Number(text);
  return bytes <= PHOTO_MAX_BYTES ? bytes : refuse('photoTooLarge');
}

const PHOTO_HEADERS = {
  // Opened as a page of its own, it runs nothing, even if a browser takes it for a page.
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'content-disposition': 'inline',
  vary: 'authorization',
} as const;

export function sendPhoto(reply: FastifyReply, { type, bytes, isCached = false }: PhotoAnswer): FastifyReply {
  // In this browser only, and only for the person who read it.
  const caching = { 'cache-control': isCached ? 'private, max-age=3600' : 'no-store' };
  return reply
    .headers({ ...PHOTO_HEADERS, ...caching })
    .type(type)
    .send(bytes);
}
