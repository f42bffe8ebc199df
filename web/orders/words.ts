import { CallFailed } from '../../contract/client.ts';
import { LOAD_POUNDS, type LoadSize } from '../../domain/orders.ts';

/** 'Small (1-2 lbs)'. */
export function loadLabel(size: LoadSize): string {
  return `${size} (${LOAD_POUNDS[size].from}-${LOAD_POUNDS[size].to} lbs)`; // spec 9
}

/** What the server said, or that nobody knows (spec 8). */
export function reasonOf(error: unknown): string {
  return error instanceof CallFailed ? error.message : 'Something went wrong';
}
