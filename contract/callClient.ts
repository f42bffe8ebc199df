import { type CallShape, DEVICE_HEADER, TAKEN_AT_HEADER } from './call.ts';
import type { ErrorBody, Failure, ValidationError } from './failures.ts';
import { firstMessage, NO_MESSAGE } from './validationErrors.ts';

/** The server answered with an error. `message` is for the screen; `validationErrors` has the invalid properties. */
export class CallFailed extends Error {
  readonly statusCode: number;
  readonly code: Failure | undefined;
  readonly validationErrors: readonly ValidationError[];
  /** When to try again in seconds, if the server says so. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, body: ErrorBody | undefined, headers: Headers) {
    super(firstMessage(body?.message ?? NO_MESSAGE));
    this.name = 'CallFailed';
    this.statusCode = status;
    this.code = body?.code;
    this.validationErrors = Array.isArray(body?.message) ? body.message : [];
    const wait = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(wait) ? wait : undefined;
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('App backend service unreachable', { cause });
    this.name = 'Unreachable';
  }
}

/** What the client reads of a call. The build of the web app takes only this from API, without the schemas. */
export const CLIENT_CALL_PROPERTIES = [
  'method',
  'path',
  'device',
  'answersFile',
] as const satisfies readonly (keyof CallShape)[];
export type ClientCallData = Pick<CallShape, (typeof CLIENT_CALL_PROPERTIES)[number]>;

type UntypedInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  photo?: Blob;
  idempotencyKey?: string;
  takenAt?: string;
};

/** The path and query of a call, below the API's base URL. */
export function buildUrl(call: Pick<CallShape, 'path'>, { params = {}, query = {} }: UntypedInput): string {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

function bodyOf({ photo, body }: UntypedInput): { body?: Blob | string } {
  if (photo !== undefined) return { body: photo };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** Where a client sends its calls. */
export type ClientOptions = {
  /** The API's base URL: "/api" in the browser. */
  readonly host: string;
  /** The session's token, read for each request. */
  readonly token: () => string | undefined;
  /** Replaces fetch. */
  readonly send?: typeof fetch;
  /** The id that this device keeps. */
  readonly device?: () => string | undefined;
};

export type CallOptions = { signal?: AbortSignal };

/**
 * One function for each of `calls`. They throw CallFailed for an error answer, and Unreachable when there is no answer.
 */
export function createCalls(
  calls: Readonly<Record<string, ClientCallData>>,
  { host, token, send = fetch, device = () => undefined }: ClientOptions,
) {
  async function request(call: ClientCallData, input: UntypedInput = {}, options: CallOptions = {}): Promise<unknown> {
    const headers: Record<string, string> = { accept: 'application/json' };
    const bearer = token();
    if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`;
    if (input.body !== undefined) headers['content-type'] = 'application/json';
    if (input.photo !== undefined) headers['content-type'] = input.photo.type;
    if (input.idempotencyKey !== undefined) headers['idempotency-key'] = input.idempotencyKey;
    if (input.takenAt !== undefined) headers[TAKEN_AT_HEADER] = input.takenAt;
    const deviceId = call.device ? device() : undefined;
    if (deviceId !== undefined) headers[DEVICE_HEADER] = deviceId;
    const response = await send(host + buildUrl(call, input), {
      method: call.method,
      headers,
      ...bodyOf(input),
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch((cause: unknown) => {
      if (options.signal?.aborted) throw cause;
      throw new Unreachable(cause);
    });
    if (response.status === 204) return undefined;
    if (response.ok && call.answersFile) return response.blob();
    const body = await response.json().catch(() => undefined);
    if (!response.ok) throw new CallFailed(response.status, body as ErrorBody | undefined, response.headers);
    return body;
  }
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (input?: UntypedInput, options?: CallOptions) => request(call, input, options),
    ]),
  );
}
