import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Failure } from '../../contract/failures.ts';
import { PHOTO_MAX_BYTES, PHOTO_TYPES } from '../../domain/files.ts';
import { handleError } from './errors.ts';
import { Refusal } from './refusals.ts';

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

/** What a call that answers with an archive returns: its size is known, and its content is made while it is sent. */
export type ArchiveAnswer = {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
};

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

/** A client that takes the archive slowly, slows down how it is read. */
export function sendArchive(reply: FastifyReply, { name, bytes, content }: ArchiveAnswer): FastifyReply {
  return reply
    .headers({
      ...PHOTO_HEADERS,
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': bytes,
    })
    .type('application/zip')
    .send(Readable.from(content, { objectMode: false }));
}

/** A calendar for the programs of other makers. */
export type CalendarAnswer = { readonly text: string };

export function sendCalendar(reply: FastifyReply, { text }: CalendarAnswer): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-store', 'content-disposition': 'inline; filename="calendar.ics"' })
    .type('text/calendar; charset=utf-8')
    .send(text);
}
