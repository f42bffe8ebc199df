import type { z } from 'zod';
import type { AnswerWithFields, FieldPath, FieldsOwner } from './answerFields.ts';
import type { Api, CallName } from './api.ts';
import { API } from './api.ts';
import { type Answer, type Call, type ClientInput, DEVICE_HEADER, TAKEN_AT_HEADER } from './call.ts';
import type { ErrorBody, Failure, ValidationError } from './failures.ts';
import { firstMessage } from './validationErrors.ts';

/** The server answered with an error. `message` is for the screen; `validationErrors` has the invalid properties. */
export class CallFailed extends Error {
  readonly statusCode: number;
  readonly code: Failure | undefined;
  readonly validationErrors: readonly ValidationError[];
  /** When to try again in seconds, if the server says so. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, body: ErrorBody | undefined, headers: Headers) {
    super(firstMessage(body?.message ?? 'Something went wrong'));
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

type Arguments<C extends Call> = keyof ClientInput<C> extends never
  ? [input?: undefined, options?: CallOptions]
  : Partial<ClientInput<C>> extends ClientInput<C>
    ? [input?: ClientInput<C>, options?: CallOptions]
    : [input: ClientInput<C>, options?: CallOptions];
type CallOptions = { signal?: AbortSignal };

type FieldPathOf<C extends Call> = FieldPath<FieldsOwner<Answer<C>>>;

/** The input of a call with the `fields` F, which are names here and joined by commas in the URL. */
type InputWithFields<C extends Call, F> =
  ClientInput<C> extends infer Input
    ? { [K in keyof Input]: K extends 'query' ? Omit<NonNullable<Input[K]>, 'fields'> & { fields?: F } : Input[K] }
    : never;

/** A call whose answer has only the properties that the `fields` name, or all without them. */
type CallWithFields<C extends Call> = <const F extends readonly FieldPathOf<C>[] = readonly []>(
  ...args: Partial<ClientInput<C>> extends ClientInput<C>
    ? [input?: InputWithFields<C, F>, options?: CallOptions]
    : [input: InputWithFields<C, F>, options?: CallOptions]
) => Promise<AnswerWithFields<Answer<C>, F[number]>>;

type ClientCall<C extends Call> = C extends { query: infer Q extends z.ZodType }
  ? 'fields' extends keyof z.input<Q>
    ? CallWithFields<C>
    : (...args: Arguments<C>) => Promise<Answer<C>>
  : (...args: Arguments<C>) => Promise<Answer<C>>;

export type Client = { [N in CallName]: ClientCall<Api[N]> };

/** What the client reads of a call. The build of the web app takes only this from API, without the schemas. */
export const CLIENT_CALL_PROPERTIES = [
  'method',
  'path',
  'device',
  'answersPhoto',
] as const satisfies readonly (keyof Call)[];
type ClientCallData = Pick<Call, (typeof CLIENT_CALL_PROPERTIES)[number]>;

type UntypedInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  photo?: Blob;
  idempotencyKey?: string;
  takenAt?: string;
};

/** The path and query of a call, below the API's base URL. */
export function buildUrl(call: Pick<Call, 'path'>, { params = {}, query = {} }: UntypedInput): string {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

function bodyOf({ photo, body }: UntypedInput): { body?: Blob | string } {
  if (photo !== undefined) return { body: photo };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/**
 * The typed client, with one function per call. `host` is the API's base URL ("/api" in the browser); `token` is called for
 * each request; `send` replaces fetch; `device` is the id that this device keeps. Throws CallFailed for an error answer, and Unreachable when there is no answer.
 */
export function createClient(
  host: string,
  token: () => string | undefined = () => undefined,
  send: typeof fetch = fetch,
  device: () => string | undefined = () => undefined,
): Client {
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
    if (response.ok && call.answersPhoto) return response.blob();
    const body = await response.json().catch(() => undefined);
    if (!response.ok) throw new CallFailed(response.status, body as ErrorBody | undefined, response.headers);
    return body;
  }
  return Object.fromEntries(
    Object.entries(API).map(([name, call]) => [
      name,
      (input?: UntypedInput, options?: CallOptions) => request(call, input, options),
    ]),
  ) as unknown as Client;
}
