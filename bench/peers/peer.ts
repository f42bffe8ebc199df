import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installInto } from '../../scripts/install.ts';
import { probePort } from '../../scripts/ports.ts';
import { CACHE_DIR, hashOf } from '../api/benchDatabase.ts';
import type { Sample } from '../api/call.ts';
import type { BenchRequest, ConnectionOptions } from '../api/load.ts';
import { METRICS } from '../api/product.ts';

/** What is compared, by the name of the row. A peer that has no such call leaves it out. */
export const LINES = [
  'me',
  'order detail',
  'list of orders',
  'list, other fields',
  'list, whole',
  'nearby scrubs',
  'update of a profile',
] as const;
export type LineName = (typeof LINES)[number];

/** Who asks, by their number in the test data, and for what. */
export type Question = {
  readonly person: number;
  readonly order: number;
  readonly latitude: number;
  readonly longitude: number;
};

export type Line = {
  readonly toRequest: (question: Question) => Omit<BenchRequest, 'token' | 'status'>;
  /** Where an answer has what was asked for: the properties with dots between them, or nothing for the whole answer. */
  readonly answerPath: string;
};

/** Another program that keeps customers and orders in PostgreSQL. */
export type Peer = {
  readonly name: string;
  /** The versions of its npm packages. The first is the program itself. */
  readonly packages: Readonly<Record<string, string>>;
  /** The module that prepares an empty database, starts the program and sends `ready`. */
  readonly server: string;
  readonly connection: Required<Pick<ConnectionOptions, 'base' | 'headersOf'>>;
  /** Statements that fill its tables from the schema `bench` of its database. */
  readonly fill: readonly string[];
  readonly lines: Partial<Record<LineName, Line>>;
};

/** Installs a peer and returns its folder, which is kept for the next run. */
export function installPeer({ name, packages }: Peer): string {
  const folder = join(CACHE_DIR, 'peers', `${name.toLowerCase()}-${hashOf(JSON.stringify(packages))}`);
  const stamp = join(folder, 'installed');
  if (existsSync(stamp)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Medusa reads it to find out whether the folder is one of its projects.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  installInto(folder, packages, '--ignore-scripts', '--omit=dev');
  writeFileSync(stamp, '');
  return folder;
}

/** Starts a peer as in production, with our version of Node. */
export async function startPeer({ name, server }: Peer, folder: string, url: string) {
  const port = await probePort(0);
  const child = fork(join(import.meta.dirname, server), {
    cwd: folder,
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', METRICS],
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: url, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  await waitUntilReady(child, name);
  return { child, host: '127.0.0.1', port };
}

async function waitUntilReady(child: ChildProcess, name: string): Promise<void> {
  const output: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output.push(chunk);
    if (output.length > 100) output.shift();
  });
  const exited = once(child, 'exit').then(() => false);
  const ready = once(child, 'message').then(() => true);
  if (!(await Promise.race([ready, exited]))) throw new Error(`${name} did not start:\n${output.join('')}`);
}

/** What a sample asks for. The ids in it end with the number of the order. */
export function questionOf({ n, a }: Sample, places: ReadonlyMap<string, readonly [number, number]>): Question {
  const [latitude, longitude] = places.get(n) ?? [0, 0];
  return { person: Number(n), order: Number.parseInt(a.slice(-12), 16), latitude, longitude };
}

/** How many rows an answer has at a path: those of a list, one of anything else, none if nothing is there. */
export function countRows(answer: unknown, path: string): number {
  const keys = path === '' ? [] : path.split('.');
  const found = keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], answer);
  if (Array.isArray(found)) return found.length;
  return found === null || found === undefined ? 0 : 1;
}

/** A statement that adds copies of the first row of a table: one for each row of `from`, with these columns changed. */
export function copyRows(table: string, from: string, columns: Readonly<Record<string, string>>): string {
  const changes = Object.entries(columns).map(([column, value]) => `'${column}', ${value}`);
  return `insert into ${table} select copy.* from (select * from ${table} limit 1) original cross join ${from}
    cross join lateral jsonb_populate_record(null::${table}, to_jsonb(original) || jsonb_build_object(${changes.join(', ')})) copy`;
}

let updates = 0;
/** A phone number that nobody had in the request before. */
export const newPhone = (): string => {
  updates += 1;
  return `+1202555${String(updates % 10_000).padStart(4, '0')}`;
};
