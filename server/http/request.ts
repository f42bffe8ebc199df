import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Call, TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { ValidationError } from '../../contract/failures.ts';
import { time } from '../../contract/fields.ts';
import { toValidationErrors } from '../../contract/validationErrors.ts';
import { Refusal, refuse } from './refusals.ts';

const IDEMPOTENCY_KEY_MAXIMUM = 200;

/** The token that a request brings. */
export function readBearerToken(request: FastifyRequest): string {
  const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) refuse('unauthenticated');
  return token;
}

/** What a request asks, of the shapes that its call has; every fault of it is told at once. */
export function parseRequest(call: Call, request: FastifyRequest) {
  const faults: ValidationError[] = [];
  const read = (shape: z.ZodObject | undefined, value: unknown) => {
    if (shape === undefined) return undefined;
    const result = shape.safeParse(value ?? {});
    if (result.success) return result.data;
    faults.push(...toValidationErrors(result.error, shape));
    return undefined;
  };
  const parts = {
    params: read(call.params, request.params),
    query: read(call.query, request.query),
    body: read(call.body, request.body),
    idempotencyKey: call.idempotent ? readIdempotencyKey(request, faults) : undefined,
    takenAt: call.takenAt ? readTakenAt(request, faults) : undefined,
  };
  if (faults.length > 0) throw new Refusal('invalid', { validationErrors: faults });
  return parts;
}

function readIdempotencyKey(request: FastifyRequest, faults: ValidationError[]): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAXIMUM) return key;
  const words = `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAXIMUM} visible ASCII characters`;
  faults.push({ property: 'Idempotency-Key', constraints: { isKey: words } });
  return undefined;
}

function readTakenAt(request: FastifyRequest, faults: ValidationError[]): Date | undefined {
  const text = request.headers[TAKEN_AT_HEADER.toLowerCase()];
  if (text === undefined) return undefined;
  const result = time.safeParse(text);
  if (result.success) return new Date(result.data);
  faults.push({
    property: TAKEN_AT_HEADER,
    constraints: { isTime: `${TAKEN_AT_HEADER} must be a time in ISO 8601, UTC` },
  });
  return undefined;
}
