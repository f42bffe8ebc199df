import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Failure } from '../../contract/failures.ts';
import { PHOTO_MAX_BYTES, PHOTO_TYPES } from '../../domain/files.ts';
import { handleError } from './errors.ts';
import { Refusal } from './refusals.ts';

/** What a call that answers with a photo returns. */
export type PhotoAnswer = { readonly type: string; readonly bytes: Buffer };

const FAILURE_BY_CODE: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'photoTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'notPhotoType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'notAPhoto',
};

/** Accepts photos only, as raw bytes, in a scope of its own: the limit of all other bodies is a hundredth of theirs. */
export function acceptPhotosOnly(scope: FastifyInstance): void {
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

const PHOTO_HEADERS = {
  // Opened as a page of its own, it runs nothing, even if a browser takes it for a page.
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'content-disposition': 'inline',
  // In this browser only, and only for the person who read it.
  'cache-control': 'private, max-age=3600',
  vary: 'authorization',
} as const;

export function sendPhoto(reply: FastifyReply, { type, bytes }: PhotoAnswer): FastifyReply {
  return reply.headers(PHOTO_HEADERS).type(type).send(bytes);
}
