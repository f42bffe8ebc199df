import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { addUpFigures, type Figures, figuresFile, writeFigures } from './figures.ts';
import type { SuiteDefinition } from './promises.ts';

type Command = { readonly args: readonly string[]; readonly cwd: string };
type Part = { readonly n: number; readonly seed: number; readonly cases: number };

/** Each part starts servers and a database, so a short night has fewer parts. */
const LEAST_CASES = 20;

/** How the cases of a suite are divided into parts, each with a seed of its own. PROMISE_CASES sets their number. */
export function divideIntoParts({ night, nightParts = 1 }: SuiteDefinition, random: () => number): Part[] {
  const all = Number(process.env.PROMISE_CASES) || Number(night);
  const count = Math.max(1, Math.min(nightParts, Math.floor(all / LEAST_CASES)));
  return Array.from({ length: count }, (_, n) => ({
    n,
    seed: Math.floor(random() * 1e9),
    cases: Math.floor(all / count) + (n < all % count ? 1 : 0),
  }));
}

/**
 * Runs the parts of a suite, as many at once as there are cores, and adds up their figures. A part that fails prints what it
 * said, and how to repeat it. Returns how many failed.
 */
export async function runParts(suite: SuiteDefinition, command: Command): Promise<number> {
  const startedAt = performance.now();
  const parts = divideIntoParts(suite, Math.random);
  const waiting = [...parts];
  const failed: Part[] = [];
  for (const { n } of parts) rmSync(figuresFile({ suite: suite.id, column: 'night', part: n }), { force: true });
  const runNext = async (): Promise<void> => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const output = await runPart(part, command);
      if (output === undefined) continue;
      failed.push(part);
      console.log(
        `${output}\npart ${part.n + 1} of ${parts.length} failed. To repeat it:\n  ${describeRepeat(suite, part)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  const found = parts.map(({ n }) => readPart(suite, n)).filter((one) => one !== undefined);
  const seed = (failed[0] ?? parts[0])?.seed ?? 0;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (found.length > 0)
    writeFigures({
      ...addUpFigures(found),
      seed,
      seconds,
      held: failed.length === 0 && found.every(({ held }) => held),
    });
  return failed.length;
}

const describeRepeat = ({ file }: SuiteDefinition, { seed, cases }: Part) =>
  `PROMISES=night PROMISE_SEED=${seed} PROMISE_CASES=${cases} npx vitest run ${file}`;

/** Runs a part. Returns what it has printed if it failed. */
async function runPart({ n, seed, cases }: Part, { args, cwd }: Command): Promise<string | undefined> {
  const env = { PROMISES: 'night', PROMISE_PART: String(n), PROMISE_SEED: String(seed), PROMISE_CASES: String(cases) };
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  console.log(`part ${n + 1}: ${cases} cases, seed ${seed}: ${code === 0 ? 'passed' : 'failed'}`);
  return code === 0 ? undefined : Buffer.concat(output).toString();
}

function readPart({ id }: SuiteDefinition, part: number): Figures | undefined {
  const file = figuresFile({ suite: id, column: 'night', part });
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figures) : undefined;
}
