import type { z } from 'zod';
import type { Caller, Role } from '../domain/accounts.ts';
import type { Failure } from './failures.ts';

/**
 * The mould every HTTP call is cast in. The server validates with it, the client is typed by it, the API
 * description is printed from it, and the tests speak through it.
 */
export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below /api; a `:name` is a key of `params`. */
  readonly path: `/${string}`;
  /** Who may call: anybody, or people of these roles with a live token. */
  readonly who: 'anyone' | readonly Role[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** Takes an optional Idempotency-Key header. */
  readonly idempotent?: true;
  /** Takes an optional Rubadub-Taken-At header: when a device that had no network took the step. */
  readonly takenAt?: true;
  /** Changes state although it is a GET, because the published calls are so: never cached, never from a HEAD. */
  readonly changesState?: true;
  /** Answers one event after the other, without an end. */
  readonly streams?: true;
  /** The failures this call can answer beyond those that its shape implies (400, 401, 403, 404 of an id). */
  readonly failures: readonly Failure[];
  readonly summary: string;
  /** The section of the specification that it comes from. */
  readonly spec: string;
  /** A made-up but valid request, for the description and the generated tests. */
  readonly example?: { readonly params?: object; readonly query?: object; readonly body?: object };
};

export const TAKEN_AT_HEADER = 'Rubadub-Taken-At';
/**
 * On every answer of a call that was let through, and on the stream: a place among the events. Whatever happened up to
 * there the answer shows already; a stream that goes on after it tells the rest, so nothing need be asked twice.
 */
export const CURSOR_HEADER = 'x-events-cursor';

export const anyRole = ['Bud', 'Scrub', 'Duber'] as const satisfies readonly Role[];

type NoUnknownKeys<C> = Record<Exclude<keyof C, keyof Call>, never>;

/** Declares a call. Keeps its exact type, and does not compile with a key that Call does not have. */
export function call<const C extends Call>(definition: C & NoUnknownKeys<C>): C {
  return definition;
}

type Part<C extends Call, K extends 'params' | 'query' | 'body', Side extends 'input' | 'output'> =
  C extends Record<K, infer S extends z.ZodType> ? (Side extends 'input' ? z.input<S> : z.output<S>) : undefined;

type Empty = Record<never, never>;
/** The parts that a call has; one that may be empty may be left out. */
type PresentParts<T> = { [K in keyof T as T[K] extends undefined ? never : Empty extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as T[K] extends undefined ? never : Empty extends T[K] ? K : never]?: T[K];
};

/** What a client hands over for a call: `params`, `query` and `body` as far as the call has them. */
export type ClientInput<C extends Call> = PresentParts<{
  params: Part<C, 'params', 'input'>;
  query: Part<C, 'query', 'input'>;
  body: Part<C, 'body', 'input'>;
}> &
  (C extends { idempotent: true } ? { idempotencyKey?: string } : unknown) &
  (C extends { takenAt: true } ? { takenAt?: string } : unknown);

export type Answer<C extends Call> = z.output<C['answer']>;

/** Who is asking: nobody in particular, or a person with one of the roles the call names. */
export type CallerOf<C extends Call> = C['who'] extends readonly (infer R)[] ? Extract<Caller, { role: R }> : undefined;

/** What a handler is given: everything checked, nothing raw. */
export type CallInput<C extends Call> = {
  readonly caller: CallerOf<C>;
  readonly params: Part<C, 'params', 'output'>;
  readonly query: Part<C, 'query', 'output'>;
  readonly body: Part<C, 'body', 'output'>;
  readonly idempotencyKey: string | undefined;
  /** From the device's clock, which may be wrong. */
  readonly takenAt: Date | undefined;
  /** The session token that the caller sent, if the call asks for one. */
  readonly token: string | undefined;
  /** The network address that the request came from. */
  readonly from: string;
};
