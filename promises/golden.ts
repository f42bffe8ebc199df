// Records what this build answers in random lives of orders, or compares this build with a recording of another one.

import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../scripts/postgres.ts';
import { compareLife } from './golden/compareLives.ts';
import type { RecordedLife } from './golden/recordLife.ts';
import { recordLives } from './golden/recordLives.ts';
import { createTown, type Town } from './golden/town.ts';

const USAGE = 'npm run golden -- record|compare [file] [--lives N] [--seed S]';
const DEFAULT_FILE = join(import.meta.dirname, '..', '.cache', 'golden', 'answers.jsonl');
const [DEFAULT_LIVES, DEFAULT_SEED] = [300, 1];
const LIVES_SHOWN = 5;

const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

function say(line: string): void {
  console.log(`golden: ${line}`);
}

async function record(town: Town, file: string, seeds: readonly number[]): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const output = createWriteStream(file);
  let lines = 0;
  await recordLives(town, seeds, (life) => {
    output.write(`${JSON.stringify(life)}\n`);
    lines += life.lines.length;
  });
  output.end();
  await finished(output);
  say(`${seeds.length} lives, ${lines} lines in ${file}`);
}

/** The lives of a recording, without those that are not asked for. */
async function readRecording(file: string, isWanted: (seed: number) => boolean): Promise<Map<number, string>> {
  const lives = new Map<number, string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const seed = Number(/"seed":(\d+)/.exec(line)?.[1]);
    if (isWanted(seed)) lives.set(seed, line);
  }
  return lives;
}

/** How many lives differ. */
async function compare(town: Town, recorded: ReadonlyMap<number, string>): Promise<number> {
  let different = 0;
  await recordLives(town, [...recorded.keys()], (life) => {
    const differences = compareLife(JSON.parse(recorded.get(life.seed) ?? '') as RecordedLife, life);
    if (differences.length === 0) return;
    different += 1;
    if (different <= LIVES_SHOWN) for (const line of differences) console.log(line);
    else say(`life ${life.seed} differs, too`);
  });
  say(`${different} of ${recorded.size} lives differ`);
  return different;
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { lives: { type: 'string' }, seed: { type: 'string' } },
  });
  const [command, file = DEFAULT_FILE] = positionals;
  if (command !== 'record' && command !== 'compare') throw new Error(USAGE);
  const seed = Number(values.seed ?? DEFAULT_SEED);
  const lives = values.lives === undefined ? undefined : Number(values.lives);
  const until = lives === undefined ? Number.POSITIVE_INFINITY : seed + lives;
  const recorded =
    command === 'compare' ? await readRecording(file, (one) => one >= seed && one < until) : new Map<number, string>();
  if (command === 'compare' && recorded.size === 0) throw new Error(`${file} has none of these lives`);
  const startedAt = performance.now();
  const postgres = await startPostgres();
  try {
    process.env.TEST_DATABASE_URL = postgres.url;
    const town = await createTown();
    if (command === 'record') await record(town, file, seedsFrom(seed, lives ?? DEFAULT_LIVES));
    else process.exitCode = (await compare(town, recorded)) > 0 ? 1 : 0;
  } finally {
    await postgres.stop();
  }
  say(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

await run();
