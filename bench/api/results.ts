import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build.ts';
import type { Row } from './measure.ts';

const HEADERS = [
  'call',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'peak MB',
  'bytes',
  'pgbench/s',
  'ratio',
  '÷ reference',
  'spread',
  'wanted',
];

const cellsOf = (row: Row) => [
  row.name,
  row.perSecond.toFixed(0),
  row.p50Ms.toFixed(2),
  row.p99Ms.toFixed(1),
  row.cpuUs.toFixed(0),
  row.peakMb.toFixed(0),
  row.bytes.toFixed(0),
  row.pgbenchPerSecond?.toFixed(0) ?? '',
  row.ratio?.toFixed(2) ?? '',
  row.toReference?.toFixed(3) ?? '',
  row.spread?.map((share) => share.toFixed(3)).join('–') ?? '',
  row.reach?.toString() ?? '',
];

/** Prints the table as Markdown for the README. */
export function printTable(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}\n`);
  console.log(`| ${HEADERS.join(' | ')} |\n|---|${'---:|'.repeat(HEADERS.length - 1)}`);
  for (const row of rows) console.log(`| ${cellsOf(row).join(' | ')} |`);
}

/** Writes the results and a description of the machine to bench/results/. */
export function writeResults(about: Record<string, string | number>, rows: readonly object[], more: object = {}): void {
  const folder = join(ROOT, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const [cpu] = cpus();
  const machine = {
    cpus: cpus().length,
    cpu: cpu?.model.trim(),
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    // Other load on the machine lowers the ratios too, because the product is a single process among many.
    load: loadavg()[0],
  };
  const name = Object.values(about).slice(0, 2).join('-').toLowerCase().replaceAll(/\W+/g, '-');
  const results = { ...about, ...more, at: new Date().toISOString(), commit: readGitCommit(), machine, rows };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
}

function readGitCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
