import { ConfigError } from '../config/environment.ts';

/** Why a command cannot continue, in one line for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** The text to show for an error that stopped a command. An unexpected error keeps its stack. */
export function describeError(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function errorCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The first line of the message of an error from elsewhere. */
export function errorMessageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || errorCodeOf(error) : String(error);
  return message.split('\n')[0] ?? '';
}
