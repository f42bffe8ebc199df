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

/** The value of an option such as `--rounds=3`. */
export const readOption = (args: readonly string[], name: string, defaultValue: string): string =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? defaultValue;

/** The numbers of people, such as `10k` or `1M`. */
export const readSizes = (args: readonly string[]): number[] =>
  args
    .filter((arg) => /^\d+[kM]?$/.test(arg))
    .map((text) => Number.parseInt(text, 10) * (text.endsWith('M') ? 1e6 : text.endsWith('k') ? 1e3 : 1));
