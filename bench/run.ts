import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../server/commands/commandError.ts';

const closers: (() => unknown)[] = [];

/** What a bench says on its way; what it found goes to the other stream. */
export const log = (line: string) => process.stderr.write(`bench: ${line}\n`);

/** Called once the bench is over, however it ended; what was opened last closes first. */
export const addCleanup = (close: () => unknown) => void closers.push(close);

/** A folder that is gone when the bench is over. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-bench-'));
  addCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a bench to its end, says in words what kept it from there, and leaves nothing behind. */
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
