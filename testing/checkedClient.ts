import { expect } from 'vitest';
import { API, type CallName } from '../contract/api.ts';
import type { Call } from '../contract/call.ts';
import { CallFailed } from '../contract/callClient.ts';
import type { Client } from '../contract/client.ts';
import { errorBody, FAILURES } from '../contract/failures.ts';
import { failuresOf } from '../contract/openapi.ts';
import { answerPathsOf } from './fieldSets.ts';
import { partialSchema } from './partialSchema.ts';

const FRACTIONS_OF_CENTS =
  /"(?:loadPrice|delivery|pickup|platformFee|taxes|totalPrice|price|priceTotalSum|scrubEarning\w*|total\w+|todayEarning)":-?\d+\.\d{3,}/;
const NOT_A_UUIDV7 = /"\w*[iI]d":"(?!\w{8}-\w{4}-7\w{3}-[89ab]\w{3}-\w{12}")/;
/** Their ids are those of the card network, parts of digests, and names of keys. */
const OTHER_IDS: ReadonlySet<CallName> = new Set(['readConfig', 'listSessions', 'readRecordIssuer']);

/** Checks that an answer has exactly the properties of its schema, or those `fields` of it, whole cents and UUIDv7 ids. */
export function expectMatchesContract(name: CallName, answer: unknown, fields: readonly string[] = []): void {
  const call: Call = API[name];
  const parsed = partialSchema(call.answer, answerPathsOf(name, fields)).safeParse(answer);
  expect(parsed.error?.issues, `the answer of ${name}`).toBeUndefined();
  expect(parsed.data, `the answer of ${name} has nothing extra`).toStrictEqual(answer);
  const text = JSON.stringify(answer) ?? '';
  expect(FRACTIONS_OF_CENTS.exec(text)?.[0], `money in the answer of ${name}`).toBeUndefined();
  if (!OTHER_IDS.has(name)) expect(NOT_A_UUIDV7.exec(text)?.[0], `ids in the answer of ${name}`).toBeUndefined();
}

/** Wraps a client so that every answer and every failure is checked against the contract. */
export function createCheckedClient(api: Client): Client {
  const check = (name: CallName) => {
    const call = api[name] as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]) => {
      const answer = await call(...args).catch((error: unknown) => {
        if (error instanceof CallFailed) {
          const declared = failuresOf(API[name]).map((failure) => FAILURES[failure][0] as number);
          expect(declared, `the failures of ${name}`).toContain(error.statusCode);
        }
        throw error;
      });
      const [input] = args as [input?: { query?: { fields?: readonly string[] } }];
      expectMatchesContract(name, answer, input?.query?.fields);
      return answer;
    };
  };
  return Object.fromEntries((Object.keys(API) as CallName[]).map((name) => [name, check(name)])) as unknown as Client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a raw answer
export type Reply = { readonly status: number; readonly headers: Headers; readonly body: any };

type RequestOptions = {
  readonly token?: string | undefined;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly photo?: Blob;
  readonly headers?: Record<string, string>;
};

/** Sends a raw request and checks what every answer must have: the error shape, a request id, no caching. */
export async function sendRequest(
  apiUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const { token, body, photo, headers } = options;
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(photo === undefined ? {} : { 'content-type': photo.type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(photo === undefined ? {} : { body: photo }),
  });
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  if (/^(?:image|application\/zip|text\/calendar)/.test(response.headers.get('content-type') ?? '')) {
    expect(response.headers.get('cache-control')).toMatch(/^(private, max-age=3600|no-store)$/);
    return { status: response.status, headers: response.headers, body: await response.blob() };
  }
  const text = await response.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('etag')).toBeNull();
  expect(text).not.toContain(response.headers.get('x-request-id'));
  if (response.status >= 400 && method !== 'HEAD') {
    expect(Object.keys(FAILURES), text).toContain(parsed.code);
    expect(parsed).toStrictEqual(errorBody(parsed.code, parsed.message));
    expect(parsed.statusCode).toBe(response.status);
    expect(response.status, text).not.toBe(500);
  }
  return { status: response.status, headers: response.headers, body: parsed };
}

/** The status and message of a call that must fail. */
export async function expectFailure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => expect.fail('the call should have failed'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof CallFailed)) throw error;
  return { status: error.statusCode, message: error.message };
}

/** The messages of a 400 by property, in the order of the answer. */
export function expectValidationErrors({ status, body }: Reply): [property: string, message: string][] {
  expect(status, JSON.stringify(body)).toBe(400);
  expect(Array.isArray(body.message), JSON.stringify(body)).toBe(true);
  const errors = body.message as { property: string; constraints: Record<string, string> }[];
  return errors.map(({ property, constraints, ...rest }) => {
    expect(rest).toEqual({});
    expect(Object.keys(constraints)).toHaveLength(1);
    return [property, Object.values(constraints)[0] ?? ''];
  });
}

/** 'success', or the code of the failure. */
export const outcomeOf = (calling: Promise<unknown>) =>
  calling.then(
    () => 'success',
    (error: unknown) => (error instanceof CallFailed ? error.code : error),
  );
