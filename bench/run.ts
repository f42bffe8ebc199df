import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain } from '../server/commands/commandError.ts';

const closers: (() => unknown)[] = [];

/** What a bench says on its way; what it found goes to the other stream. */
export const say = (line: string) => process.stderr.write(`bench: ${line}\n`);

/** Called once the bench is over, however it ended; what was opened last closes first. */
export const atEnd = (close: () => unknown) => void closers.push(close);

/** A folder that is gone when the bench is over. */
export function folderOfItsOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a bench to its end, says in words what kept it from there, and leaves nothing behind. */
export function runBench(run: () => Promise<void>): void {
  run()
    .catch((error: unknown) => {
      say(explain(error));
      process.exitCode = 1;
    })
    .finally(async () => {
      for (const close of closers.toReversed()) await close();
    });
}
