import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../server/commands/commandError.ts';

const closers: (() => unknown)[] = [];

/** Logs progress to stderr. Results go to stdout. */
export const log = (line: string) => process.stderr.write(`bench: ${line}\n`);

/** Registers a function that runs when the benchmark is over, even after an error. The last one registered runs first. */
export const addCleanup = (close: () => unknown) => void closers.push(close);

/** Creates a folder that is deleted when the benchmark is over. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-bench-'));
  addCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a benchmark, logs its error if it fails, and cleans up. */
export function runBench(run: () => Promise<void>): void {
  run()
    .catch((error: unknown) => {
      log(describeError(error));
      process.exitCode = 1;
    })
    .finally(async () => {
      for (const close of closers.toReversed()) await close();
    });
}
