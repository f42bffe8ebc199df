import { ConfigError } from '../config/environment.ts';

/** Why a start cannot go on, in one line for the person who started it. */
export class CommandError extends Error {
  override name = 'StartFault';
}

/** The line to show for what stopped a start; a fault of ours keeps its stack. */
export function describeError(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function errorCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The first line of what an error says, for when it is somebody else's error. */
export function errorMessageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || errorCodeOf(error) : String(error);
  return message.split('\n')[0] ?? '';
}
