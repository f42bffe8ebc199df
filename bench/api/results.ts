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
  'ours ×',
  'CPU ×',
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
  row.times?.toFixed(2) ?? '',
  row.cpuTimes?.toFixed(2) ?? '',
];

/** Prints the table as Markdown for the README, without columns that have no values. */
export function printTable(title: string, rows: readonly Row[]): void {
  const lines = [HEADERS, ...rows.map(cellsOf)];
  const columns = HEADERS.flatMap((_header, column) =>
    lines.slice(1).some((cells) => cells[column] !== '') ? [column] : [],
  );
  const [header, ...body] = lines.map((cells) => `| ${columns.map((column) => cells[column]).join(' | ')} |`);
  console.log(`\n${title}\n`);
  console.log([header, `|---|${'---:|'.repeat(columns.length - 1)}`, ...body].join('\n'));
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
  // A pair of numbers stands on one line, as the formatter of the repository wants.
  const json = JSON.stringify(results, null, 2).replaceAll(/\[\s+([^\s,]+),\s+([^\s,]+)\s+\]/g, '[$1, $2]');
  writeFileSync(join(folder, `${name}.json`), `${json}\n`);
}

function readGitCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
