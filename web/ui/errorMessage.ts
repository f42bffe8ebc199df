import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import type { Failure } from '../../contract/failures.ts';
import { NO_MESSAGE } from '../../contract/validationErrors.ts';

/** The device itself refuses something. The message is for users, the code that of the server for the same. */
export class RefusedHere extends Error {
  override name = 'RefusedHere';
  readonly code: Failure | undefined;

  constructor(message: string, code?: Failure) {
    super(message);
    this.code = code;
  }
}

/** The message for a failed call, or `fallback` when there is none for users. */
export function errorMessageOf(error: unknown, fallback: string): string {
  if (error instanceof RefusedHere) return error.message;
  return error instanceof CallFailed && error.message !== NO_MESSAGE ? error.message : fallback;
}

/** Which failure it is, where the server or the device says so. */
export const failureOf = (error: unknown): Failure | undefined =>
  error instanceof CallFailed || error instanceof RefusedHere ? error.code : undefined;

/** Whether a failure says nothing about the request itself: there is no network or a slow one, or the server is busy or in trouble. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof CallFailed && (error.statusCode === 408 || error.statusCode === 429 || error.statusCode >= 500));

/** Whether something does not exist for this user. A link with an invalid id is not found, like a link to somebody else's order. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof CallFailed && (error.statusCode === 404 || error.statusCode === 400);
