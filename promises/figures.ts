import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';

/** The result of one run of a suite. */
export type Figures = {
  readonly suite: string;
  readonly column: 'ci' | 'night';
  /** Whether every test passed and at least the stated number of cases ran. */
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

/** Where suites write their figures. */
export const FIGURES_DIR = join(import.meta.dirname, '..', '.cache', 'promises');

export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
}
