import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Call, TAKEN_AT_HEADER } from '../../contract/call.ts';
import type { Fault } from '../../contract/failures.ts';
import { faultsOf } from '../../contract/faults.ts';
import { time } from '../../contract/fields.ts';
import { Refusal, refuse } from './refusals.ts';

const IDEMPOTENCY_KEY_MAXIMUM = 200;

/** The token that a request brings. */
export function bearer(request: FastifyRequest): string {
  const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) refuse('unauthenticated');
  return token;
}

/** What a request asks, of the shapes that its call has; every fault of it is told at once. */
export function readShape(call: Call, request: FastifyRequest) {
  const faults: Fault[] = [];
  const read = (shape: z.ZodObject | undefined, value: unknown) => {
    if (shape === undefined) return undefined;
    const result = shape.safeParse(value ?? {});
    if (result.success) return result.data;
    faults.push(...faultsOf(result.error, shape));
    return undefined;
  };
  const parts = {
    params: read(call.params, request.params),
    query: read(call.query, request.query),
    body: read(call.body, request.body),
    idempotencyKey: call.idempotent ? idempotencyKey(request, faults) : undefined,
    takenAt: call.takenAt ? takenAt(request, faults) : undefined,
  };
  if (faults.length > 0) throw new Refusal('invalid', { faults });
  return parts;
}

function idempotencyKey(request: FastifyRequest, faults: Fault[]): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAXIMUM) return key;
  const words = `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAXIMUM} visible ASCII characters`;
  faults.push({ property: 'Idempotency-Key', constraints: { isKey: words } });
  return undefined;
}

function takenAt(request: FastifyRequest, faults: Fault[]): Date | undefined {
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
