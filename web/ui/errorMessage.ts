import { CallFailed } from '../../contract/callClient.ts';
import { NO_MESSAGE } from '../../contract/failures.ts';

/** The server's message for a failed call, or `fallback` when there is none for users. */
export function errorMessageOf(error: unknown, fallback: string): string {
  return error instanceof CallFailed && error.message !== NO_MESSAGE ? error.message : fallback;
}

/** Whether something does not exist for this user. A link with an invalid id is not found, like a link to somebody else's order. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof CallFailed && (error.statusCode === 404 || error.statusCode === 400);
