import { CallFailed } from '../../contract/client.ts';
import type { LoadSize } from '../../domain/orders.ts';

// spec 9
const LOAD_SIZE_LABELS: Record<LoadSize, string> = {
  Small: 'Small (1-2 lbs)',
  Medium: 'Medium (3-5 lbs)',
  Large: 'Large (6-8 lbs)',
};

/** 'Small (1-2 lbs)'. */
export function loadSizeLabel(size: LoadSize): string {
  return LOAD_SIZE_LABELS[size];
}

/** The server's message, or a general one (spec 8). */
export function reasonOf(error: unknown): string {
  return error instanceof CallFailed ? error.message : 'Something went wrong';
}
