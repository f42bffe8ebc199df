import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandActs } from './keystrokeModel.ts';
import type { AuditedAct, SituationName } from './situations.ts';

/** The last run of each situation, a file each. */
const RESULTS_DIR = join(import.meta.dirname, '..', '..', '.cache', 'situations');

export type SituationResult = {
  readonly name: SituationName;
  readonly handActs: HandActs;
  readonly seconds: number;
  /** The rows in the audit, the oldest first. */
  readonly acts: readonly AuditedAct[];
  readonly date: string;
};

export function writeResult(result: SituationResult): void {
  mkdirSync(RESULTS_DIR, { recursive: true });
  writeFileSync(join(RESULTS_DIR, `${result.name.replaceAll(' ', '-')}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

export function readResults(): readonly SituationResult[] {
  const files = existsSync(RESULTS_DIR) ? readdirSync(RESULTS_DIR) : [];
  return files.map((file) => JSON.parse(readFileSync(join(RESULTS_DIR, file), 'utf8')) as SituationResult);
}
