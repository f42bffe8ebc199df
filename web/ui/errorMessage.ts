import { CallFailed } from '../../contract/client.ts';

/** The server's message for a failed call, or `fallback` when there is none for users. */
export function errorMessageOf(error: unknown, fallback: string): string {
  return error instanceof CallFailed && error.statusCode < 500 ? error.message : fallback;
}
