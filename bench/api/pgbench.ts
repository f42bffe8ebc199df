import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CompiledQuery } from 'kysely';
import { findPostgresProgram } from '../../scripts/postgres.ts';
import { PLAN_OPTIONS, type Tx } from '../../server/db/database.ts';

const execFileAsync = promisify(execFile);

/** Placeholders for parameters that pgbench reads from a column of `bench.inputs`. */
export const PLACEHOLDERS = { caller: '«caller»', a: '«a»', b: '«b»' } as const;
const COLUMN_OF: Record<string, string> = { '«caller»': 'caller', '«a»': 'a', '«b»': 'b' };
/** Placeholder for an id that is new in each transaction. */
export const FRESH_ID = '«fresh»';

/** The statements that `work` sends. Nothing runs: each gets one row. */
export async function recordStatements(work: (tx: Tx) => Promise<unknown>): Promise<CompiledQuery[]> {
  const recorded: CompiledQuery[] = [];
  const executeQuery = async (query: CompiledQuery) => {
    recorded.push(query);
    return { rows: [{ json: 'null' }] };
  };
  await work({ executeQuery } as unknown as Tx);
  return recorded;
}

/** Writes the statements that `work` sends as a pgbench script. Parameters come from random inputs. */
export async function writeScript(
  work: (tx: Tx) => Promise<unknown>,
  { call, count, once }: { call: number; count: number; once: boolean },
): Promise<string> {
  const recorded = await recordStatements(work);
  // If an input may be used only once, each client has its own inputs.
  const setIndex = once
    ? '\\set n :n + 1\n\\set i :n * 10 + :client_id'
    : `\\set n :n + 1\n\\set i random(0, ${count - 1})`;
  return [setIndex, ...recorded.map((query) => `${inlineParameters(query, call)};`)].join('\n');
}

function inlineParameters({ sql, parameters }: CompiledQuery, call: number): string {
  let usesInput = false;
  const text = sql.replaceAll(/\$(\d+)/g, (_whole, position: string) => {
    const value = parameters[Number(position) - 1];
    const expressionFor = (placeholder: string) => {
      if (placeholder === FRESH_ID) return 'bench.thing(9, :client_id * 10000000 + :n)';
      usesInput = true;
      return `(select ${COLUMN_OF[placeholder]} from input)`;
    };
    if (typeof value !== 'string') return literal(value);
    // A placeholder can also be part of a string, such as an id in JSON.
    const parts = value.split(/(«\w+»)/).filter((part) => part !== '');
    const expressions = parts.map((part) => (part.startsWith('«') ? expressionFor(part) : quote(part)));
    return expressions.length > 1
      ? `(${expressions.map((part) => `${part}::text`).join(' || ')})`
      : (expressions[0] ?? "''");
  });
  // pgbench reads a colon and a word as a variable, even inside quotes.
  const quoted = text.replaceAll(/'(?:[^']|'')*'/g, (part) =>
    part.includes(':') ? `E${part.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}` : part,
  );
  // Without the comment at the start of a rare statement.
  const statement = quoted
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/^\s*\/\*.*?\*\//, '')
    .trim();
  if (!usesInput) return statement;
  const input = `with input as materialized (select caller, a, b from bench.inputs where call = ${call} and i = :i)`;
  return statement.startsWith('with ') ? `${input}, ${statement.slice(5)}` : `${input} ${statement}`;
}

/** A value of a statement, as SQL. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
  if (Array.isArray(value)) return quote(`{${value.join(',')}}`);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value);
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`;
  return quote(String(value));
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

export type Rate = { readonly perSecond: number };

/** The path of pgbench. It comes with PostgreSQL's own packages, but not with the one from npm. */
export const pgbenchPath = (): string | undefined => findPostgresProgram('pgbench');

/** Runs a script on ten connections for some seconds or a number of times. The rate excludes the time to connect. */
export async function runPgbench(
  url: string,
  script: string,
  { seconds, times }: { seconds?: number; times?: number },
): Promise<Rate> {
  const program = pgbenchPath();
  if (!program) throw new Error('pgbench is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-pgbench-'));
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  // The first second is not counted: pgbench plans each statement on each connection, which the product has done before.
  const duration = times === undefined ? ['-P', '1', '-T', String((seconds ?? 1) + 1)] : ['-t', String(times)];
  try {
    const { stdout, stderr } = await execFileAsync(
      program,
      ['-n', '-M', 'prepared', '-c', '10', '-j', '1', '-D', 'n=0', '-f', file, ...duration, url],
      // The same settings as the product's connections.
      { env: { ...process.env, PGOPTIONS: PLAN_OPTIONS }, cwd: '/' },
    );
    const steady = [...stderr.matchAll(/progress: [\d.]+ s, ([\d.]+) tps/g)].slice(1).map(([, tps]) => Number(tps));
    const perSecond =
      steady.length > 0
        ? steady.reduce((sum, tps) => sum + tps, 0) / steady.length
        : Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (/number of failed transactions: [1-9]/.test(stdout) || !(perSecond > 0)) throw new Error(stdout);
    return { perSecond };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
