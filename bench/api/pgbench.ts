import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CompiledQuery } from 'kysely';
import { findPostgresProgram } from '../../scripts/postgres.ts';
import type { Tx } from '../../server/db/database.ts';

const execFileAsync = promisify(execFile);

/** What stands for an input of a statement while it is written down: the column of `bench.inputs` that it comes from. */
export const PLACEHOLDERS = { caller: '«caller»', a: '«a»', b: '«b»' } as const;
const COLUMN_OF: Record<string, string> = { '«caller»': 'caller', '«a»': 'a', '«b»': 'b' };
/** An id that no transaction had before. */
export const FRESH_ID = '«fresh»';

/** The product's own statements as a script of pgbench: what was a parameter comes from the input with a random number. */
export async function writeScript(
  work: (tx: Tx) => Promise<unknown>,
  { call, count, once }: { call: number; count: number; once: boolean },
): Promise<string> {
  const recorded: CompiledQuery[] = [];
  const executeQuery = async (query: CompiledQuery) => {
    recorded.push(query);
    return { rows: [{}] };
  };
  await work({ executeQuery } as unknown as Tx);
  // Each client walks through inputs of its own where one may be used only once.
  const draw = once
    ? '\\set n :n + 1\n\\set i :n * 10 + :client_id'
    : `\\set n :n + 1\n\\set i random(0, ${count - 1})`;
  return [draw, ...recorded.map((query) => `${inlineParameters(query, call)};`)].join('\n');
}

function inlineParameters({ sql, parameters }: CompiledQuery, call: number): string {
  let drawn = false;
  const text = sql.replaceAll(/\$(\d+)/g, (_whole, place: string) => {
    const value = parameters[Number(place) - 1];
    const drawFrom = (mark: string) => {
      if (mark === FRESH_ID) return 'bench.thing(9, :client_id * 10000000 + :n)';
      drawn = true;
      return `(select ${COLUMN_OF[mark]} from input)`;
    };
    if (typeof value !== 'string') return literal(value);
    // A mark may also stand inside of a text, as an id in JSON does.
    const parts = value.split(/(«\w+»)/).filter((part) => part !== '');
    const drawnParts = parts.map((part) => (part.startsWith('«') ? drawFrom(part) : quote(part)));
    return drawnParts.length > 1
      ? `(${drawnParts.map((part) => `${part}::text`).join(' || ')})`
      : (drawnParts[0] ?? "''");
  });
  // pgbench takes a colon and a word for one of its variables, inside of quotes as well.
  const quoted = text.replaceAll(/'(?:[^']|'')*'/g, (part) =>
    part.includes(':') ? `E${part.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}` : part,
  );
  const one = quoted.replaceAll(/\s*\n\s*/g, ' ').trim();
  if (!drawn) return one;
  const input = `with input as materialized (select caller, a, b from bench.inputs where call = ${call} and i = :i)`;
  return one.startsWith('with ') ? `${input}, ${one.slice(5)}` : `${input} ${one}`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value);
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`;
  return quote(String(value));
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

export type Rate = { readonly perSecond: number };

/** Whether pgbench is there: it comes with PostgreSQL's own packages, but not with the one from npm. */
export const pgbenchPath = (): string | undefined => findPostgresProgram('pgbench');

/** Runs a script over ten connections for so many seconds, or so many times; its rate without the time to connect. */
export async function runPgbench(
  url: string,
  script: string,
  { seconds, times }: { seconds?: number; times?: number },
): Promise<Rate> {
  const program = pgbenchPath();
  if (!program) throw new Error('there is no pgbench');
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-pgbench-'));
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  // The first second goes to planning each statement on each connection, which the product has done long ago.
  const length = times === undefined ? ['-P', '1', '-T', String((seconds ?? 1) + 1)] : ['-t', String(times)];
  try {
    const { stdout, stderr } = await execFileAsync(
      program,
      ['-n', '-M', 'prepared', '-c', '10', '-j', '1', '-D', 'n=0', '-f', file, ...length, url],
      // The settings that the product opens its own connections with.
      { env: { ...process.env, PGOPTIONS: '-c plan_cache_mode=force_generic_plan -c jit=off' }, cwd: '/' },
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
