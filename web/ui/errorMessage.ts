import { CallFailed } from '../../contract/client.ts';

/** The server's own words for why a call failed, or `fallback` when there are none worth showing. */
export function errorMessageOf(error: unknown, fallback: string): string {
  return error instanceof CallFailed && error.statusCode < 500 ? error.message : fallback;
}
