import type { z } from 'zod';
import type { Caller, Role } from '../domain/accounts.ts';
import type { Failure } from './failures.ts';

/** An HTTP call without who may make it. The server validates with it, the client takes its types from it. */
export type CallShape = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below /api; a `:name` is a key of `params`. */
  readonly path: `/${string}`;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The body is a photo of one of PHOTO_TYPES instead of JSON. */
  readonly takesPhoto?: true;
  /** Answers with a file instead of JSON. The client returns it as a Blob. */
  readonly answersFile?: 'photo' | 'archive' | 'calendar';
  readonly answer: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** Answers with a stream of events. */
  readonly streams?: true;
  /** Takes an optional Idempotency-Key header. */
  readonly idempotent?: true;
  /** Takes an optional Rubadub-Taken-At header: when a device without a network took the step. */
  readonly takenAt?: true;
  /** Takes an optional Rubadub-Device header: a random id that the device keeps, so that limits recognize its owner. */
  readonly device?: true;
  /** The failures besides those that the call's shape implies (see failuresOf). */
  readonly failures: readonly Failure[];
  readonly summary: string;
  /** A valid request, for the docs and the generated tests. */
  readonly example?: { readonly params?: object; readonly query?: object; readonly body?: object };
};

/** A call of the marketplace. The API docs are made from it. */
export type Call = CallShape & {
  /** Who may call: everyone, or users of these roles with a valid token. */
  readonly who: 'anyone' | readonly Role[];
  /** Changes state although it is a GET, as the specification has it. Never cached, and HEAD is refused. */
  readonly changesState?: true;
  /** The section of the specification. */
  readonly spec: string;
};

/** Whether a call changes nothing. */
export const isReadOnly = (call: Call): boolean => call.method === 'GET' && !call.changesState;

export const TAKEN_AT_HEADER = 'Rubadub-Taken-At';
export const DEVICE_HEADER = 'Rubadub-Device';
/** At least 128 random bits as base64url. */
export const DEVICE_PATTERN = /^[\w-]{22,86}$/;
/**
 * A position in the stream of events, on every answer of an authorized call and of the stream. The answer includes all
 * events up to it, so a client resumes the stream from there without reading again.
 */
export const CURSOR_HEADER = 'x-events-cursor';
export const EVENTS_PATH = '/events';
/** On the stream's answer: `yes` if it resumes after `Last-Event-ID`; otherwise the client must read everything again. */
export const RESUMED_HEADER = 'x-events-resumed';

export const anyRole = ['Bud', 'Scrub', 'Duber'] as const satisfies readonly Role[];

type NoUnknownKeys<C> = Record<Exclude<keyof C, keyof Call>, never>;

/** Declares a call. Keeps its exact type, and does not compile with a key that Call does not have. */
export function call<const C extends Call>(definition: C & NoUnknownKeys<C>): C {
  return definition;
}

export type Part<C extends CallShape, K extends 'params' | 'query' | 'body', Side extends 'input' | 'output'> =
  C extends Record<K, infer S extends z.ZodType> ? (Side extends 'input' ? z.input<S> : z.output<S>) : undefined;

type Empty = Record<never, never>;
/** The parts that a call has. A part without required properties is optional. */
export type PresentParts<T> = {
  [K in keyof T as T[K] extends undefined ? never : Empty extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as T[K] extends undefined ? never : Empty extends T[K] ? K : never]?: T[K];
};

/** What a client passes to a call: its `params`, `query` and `body`, if it has them. */
export type ClientInput<C extends Call> = PresentParts<{
  params: Part<C, 'params', 'input'>;
  query: Part<C, 'query', 'input'>;
  body: Part<C, 'body', 'input'>;
}> &
  (C extends { takesPhoto: true } ? { photo: Blob } : unknown) &
  (C extends { idempotent: true } ? { idempotencyKey?: string } : unknown) &
  (C extends { takenAt: true } ? { takenAt?: string } : unknown);

export type Answer<C extends CallShape> = z.output<C['answer']>;

/** The caller: undefined for a public call, otherwise a user with one of the call's roles. */
export type CallerOf<C extends Call> = C['who'] extends readonly (infer R)[] ? Extract<Caller, { role: R }> : undefined;

/** What a request says about where it comes from. */
export type RequestOrigin = {
  /** The IP address of the client. */
  readonly from: string;
  /** A text of any length and content; empty when the client sent none. */
  readonly userAgent: string;
  /** The random id that the device keeps, if the call takes one and the client sent one. */
  readonly device: string | undefined;
};

/** The input of a handler. Everything in it is validated, except for the user agent. */
export type CallInput<C extends Call> = RequestOrigin & {
  readonly caller: CallerOf<C>;
  readonly params: Part<C, 'params', 'output'>;
  readonly query: Part<C, 'query', 'output'>;
  readonly body: Part<C, 'body', 'output'>;
  /** The body of a call that takes a photo, unchecked. */
  readonly photo: C extends { takesPhoto: true } ? Uint8Array : undefined;
  readonly idempotencyKey: string | undefined;
  /** By the device's clock, which may be wrong. */
  readonly takenAt: Date | undefined;
  /** The session token, if the call needs one. */
  readonly token: string | undefined;
};
