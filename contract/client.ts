import type { z } from 'zod';
import type { AnswerWithFields, FieldPath, FieldsOwner } from './answerFields.ts';
import type { Api, CallName } from './api.ts';
import { API } from './api.ts';
import type { Answer, Call, ClientInput } from './call.ts';
import { type CallOptions, createCalls } from './callClient.ts';

type Arguments<C extends Call> = keyof ClientInput<C> extends never
  ? [input?: undefined, options?: CallOptions]
  : Partial<ClientInput<C>> extends ClientInput<C>
    ? [input?: ClientInput<C>, options?: CallOptions]
    : [input: ClientInput<C>, options?: CallOptions];

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
  return createCalls(API, { host, token, send, device }) as unknown as Client;
}
