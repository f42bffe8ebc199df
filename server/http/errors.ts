import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, FAILURES, type Failure } from '../../contract/failures.ts';
import { isDatabaseUnavailable } from '../db/database.ts';
import { discardBody } from './connections.ts';
import { Refusal } from './refusals.ts';

const FAILURE_BY_FASTIFY_CODE: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'notJsonType',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'notJson',
  FST_ERR_CTP_INVALID_JSON_BODY: 'notJson',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'notJson',
  FST_ERR_BAD_URL: 'invalid',
};

const RETRY_AFTER_S = 2;

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseUnavailable(error)) return new Refusal('notReady', { retryAfter: RETRY_AFTER_S });
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const known = FAILURE_BY_FASTIFY_CODE[code];
  if (known) return new Refusal(known);
  // Errors of the JSON parser, such as for a `__proto__` key, have a status but no Fastify code.
  if (statusCode === 400) return new Refusal('notJson');
  if (statusCode === 413) return new Refusal('tooLarge');
  return new Refusal('broken');
}

/** Answers any thrown error with our error JSON, without internals. Errors of ours (5xx) are logged. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error);
  discardBody(request.raw);
  const [statusCode] = FAILURES[refusal.failure];
  if (statusCode >= 500) request.log.error({ err: error }, refusal.message);
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfter))));
  const body = errorBody(statusCode, refusal.validationErrors ? [...refusal.validationErrors] : refusal.message);
  reply.header('cache-control', 'no-store').code(statusCode).send(body);
}
