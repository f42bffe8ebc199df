import { ConfigError } from '../config/variables.ts';

/** Why a start cannot go on, in one line for the person who started it. */
export class StartFault extends Error {
  override name = 'StartFault';
}

/** The line to show for what stopped a start; a fault of ours keeps its stack. */
export function explain(error: unknown): string {
  if (error instanceof StartFault || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The first line of what an error says, for when it is somebody else's error. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || codeOf(error) : String(error);
  return message.split('\n')[0] ?? '';
}
