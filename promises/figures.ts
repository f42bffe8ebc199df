import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';

/** What a run of a suite leaves behind. */
export type Figures = {
  readonly suite: string;
  readonly column: 'ci' | 'night';
  /** Whether every test of it held, and every case that was stated did run. */
  readonly held: boolean;
  readonly ran: number;
  readonly stated: number;
  readonly seconds: number;
  readonly seed: number;
  readonly date: string;
  readonly machine: string;
  readonly skipped: readonly string[];
  readonly figures: Readonly<Record<string, number | string>>;
};

/** Where suites leave their figures. */
export const FIGURES_DIR = join(import.meta.dirname, '..', '.cache', 'promises');

export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
}
