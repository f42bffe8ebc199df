import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type CallShape, DEVICE_HEADER, DEVICE_PATTERN, TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { ValidationError } from '../../contract/failures.ts';
import { time } from '../../contract/fields.ts';
import { toValidationErrors } from '../../contract/validationErrors.ts';
import { Refusal, refuse } from './refusals.ts';

const IDEMPOTENCY_KEY_MAXIMUM = 200;

/** The token of the Authorization header. Fails with 401 without one. */
export function readBearerToken(request: FastifyRequest): string {
  const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) refuse('unauthenticated');
  return token;
}

/** The validated parts of a request. Fails with 400 and a list of all problems. */
export function parseRequest(call: CallShape, request: FastifyRequest) {
  const errors: ValidationError[] = [];
  const read = (shape: z.ZodObject | undefined, value: unknown) => {
    if (shape === undefined) return undefined;
    const result = shape.safeParse(value ?? {});
    if (result.success) return result.data;
    errors.push(...toValidationErrors(result.error, shape));
    return undefined;
  };
  const parts = {
    params: read(call.params, request.params),
    query: read(call.query, request.query),
    body: read(call.body, request.body),
    photo: call.takesPhoto ? readPhoto(request.body) : undefined,
    idempotencyKey: call.idempotent ? readIdempotencyKey(request, errors) : undefined,
    takenAt: call.takenAt ? readTakenAt(request, errors) : undefined,
    device: call.device ? readDevice(request, errors) : undefined,
  };
  if (errors.length > 0) throw new Refusal('invalid', { validationErrors: errors });
  return parts;
}

/** Empty without a body, which the call refuses like anything else that is no photo. */
const readPhoto = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

function readIdempotencyKey(request: FastifyRequest, errors: ValidationError[]): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAXIMUM) return key;
  const message = `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAXIMUM} visible ASCII characters`;
  errors.push({ property: 'Idempotency-Key', constraints: { isKey: message } });
  return undefined;
}

function readTakenAt(request: FastifyRequest, errors: ValidationError[]): Date | undefined {
  const text = request.headers[TAKEN_AT_HEADER.toLowerCase()];
  if (text === undefined) return undefined;
  const result = time.safeParse(text);
  if (result.success) return new Date(result.data);
  errors.push({
    property: TAKEN_AT_HEADER,
    constraints: { isTime: `${TAKEN_AT_HEADER} must be a time in ISO 8601, UTC` },
  });
  return undefined;
}

function readDevice(request: FastifyRequest, errors: ValidationError[]): string | undefined {
  const id = request.headers[DEVICE_HEADER.toLowerCase()];
  if (id === undefined || (typeof id === 'string' && DEVICE_PATTERN.test(id))) return id;
  const message = `${DEVICE_HEADER} must be at least 128 random bits as base64url: 22 to 86 letters, digits, - or _`;
  errors.push({ property: DEVICE_HEADER, constraints: { isDevice: message } });
  return undefined;
}
