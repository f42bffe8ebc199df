import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, FAILURES, type Failure } from '../../contract/failures.ts';
import { isDatabaseUnavailable } from '../db/database.ts';
import { drainBody } from './connections.ts';
import { Refusal } from './refusals.ts';

const FAILURE_BY_FASTIFY_CODE: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'notJsonType',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'notJson',
  FST_ERR_CTP_INVALID_JSON_BODY: 'notJson',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'notJson',
  FST_STATIC_FORBIDDEN_PATH: 'notFound',
};

const BAD_URL_MESSAGE = 'The address is not valid: after each % come two hexadecimal digits, in UTF-8';

/** The Retry-After of a 503 that does not say when. */
const RETRY_AFTER_S = 2;

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_BAD_URL') return new Refusal('invalid', { message: BAD_URL_MESSAGE });
  const known = FAILURE_BY_FASTIFY_CODE[code];
  if (known) return new Refusal(known);
  // Errors of the JSON parser, such as for a `__proto__` key, and of a client that leaves, have a status but no Fastify code.
  if (statusCode === 400) return new Refusal('notJson');
  if (statusCode === 413) return new Refusal('tooLarge');
  if (isDatabaseUnavailable(error)) return new Refusal('notReady');
  return new Refusal('broken');
}

/** Answers any thrown error with our error JSON, without internals. Errors of ours (5xx) are logged. */
export async function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const refusal = toRefusal(error);
  reply.refusal = refusal.failure;
  const [statusCode] = FAILURES[refusal.failure];
  if (statusCode >= 500) request.log.error({ err: error }, refusal.message);
  const retryAfter = refusal.retryAfter ?? (statusCode === 503 ? RETRY_AFTER_S : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  // A client that is still writing after that is cut off.
  if (!request.raw.complete && !(await drainBody(request.raw))) reply.header('connection', 'close');
  const body = errorBody(refusal.failure, refusal.validationErrors ? [...refusal.validationErrors] : refusal.message);
  reply.header('cache-control', 'no-store').code(statusCode).send(body);
}

export const answerNotFound = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
  handleError(new Refusal('notFound'), request, reply);
