import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Committed, so that everybody reads when the long run was made last. */
const FILE = join(import.meta.dirname, 'lastNight.json');

export type LastRun = { readonly date: string; readonly seconds: number; readonly passed: boolean };
export type LastRuns = Readonly<Record<string, LastRun>>;

export const readLastRuns = (): LastRuns =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as LastRuns) : {};

/** Keeps when a step of the night ran, and how it ended. */
export function keepLastRun(name: string, run: LastRun): void {
  const runs = Object.entries({ ...readLastRuns(), [name]: run }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(runs), null, 2)}\n`);
}

/** When the steps of the night ran last, and how far it came. */
export function describeLastRuns(steps: readonly string[], runs: LastRuns): string {
  const known = steps.flatMap((name) => (runs[name] ? [{ name, ...runs[name] }] : []));
  if (known.length === 0) return `None of the ${steps.length} steps has run yet.`;
  const dates = known.map(({ date }) => date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  const when = first === last ? `on ${last}` : `between ${first} and ${last}`;
  const failed = known.filter(({ passed }) => !passed).map(({ name, date }) => `${name} (${date})`);
  const missing = steps.filter((name) => !runs[name]);
  return [
    `${known.length} of ${steps.length} steps ran last ${when}.`,
    ...(failed.length > 0 ? [`Failed: ${failed.join(', ')}.`] : []),
    ...(missing.length > 0 ? [`Have not run yet: ${missing.join(', ')}.`] : []),
  ].join('\n');
}
