import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kysely, PostgresDialect, type RawBuilder } from 'kysely';
import pg from 'pg';
import { isLoopback } from '../config/config.ts';
import { openPipeline, type QueryExecutor } from './pipeline.ts';
import type { Schema } from './schema.ts';

/** A database handle: the pool, or the transaction one is in. Functions that touch SQL take it first. */
export type Tx = Kysely<Schema>;

export type Database = {
  readonly db: Tx;
  /** For readings that are over at once. */
  readonly pipeline: QueryExecutor;
  readonly kind: 'embedded' | 'server';
  close(): Promise<void>;
};

const MAX_NAMED_STATEMENTS = 500;
const statementNames = new Map<string, string>();

function statementNameOf(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= MAX_NAMED_STATEMENTS) return known;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/** Names every statement with parameters, so that PostgreSQL parses and plans it once a connection. */
class NamedStatementClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query are not expressible in one override
  override query(...given: any[]): any {
    const [text, values, ...rest] = given;
    if (typeof text === 'string' && Array.isArray(values)) {
      const name = statementNameOf(text);
      const config = name === undefined ? { text, values } : { name, text, values };
      return (super.query as (...all: unknown[]) => unknown).call(this, config, ...rest);
    }
    return (super.query as (...all: unknown[]) => unknown).apply(this, given);
  }
}

const STATEMENT_TIMEOUT_MS = 4_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Hangs up when a statement stays unanswered: a database that is stopped in its tracks cannot even say that the statement
 * took too long, and a connection whose statement was given up in the middle must never be lent to anybody again.
 */
class TimeoutClient extends NamedStatementClient {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...given: any[]): any {
    const answer = super.query(...given);
    if (!(answer instanceof Promise)) return answer;
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    const timer = setTimeout(() => stream.destroy(new Error('Connection terminated: no answer')), ANSWER_TIMEOUT_MS);
    return answer.finally(() => clearTimeout(timer));
  }
}

/**
 * Statements are planned once a connection: planning the larger ones costs more than running them, and they are written so
 * that no value asks for another plan. Estimates of what will not be run must not start the compiler either.
 */
const SESSION_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off' };

/** Whether a statement is given up after some seconds: a request's is, a migration over millions of rows must not be. */
export type StatementTimeout = 'short' | 'endless';

const MAX_CONNECTIONS = 10;

/** A database on this machine shares its cores with us: more connections than they can serve only wait for one another. */
export function poolSizeFor(url: string, cores = availableParallelism()): number {
  const { hostname, searchParams } = new URL(url);
  // pg takes a host from the query, too; a path is a socket's.
  const host = searchParams.get('host') ?? hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  return isHere ? Math.min(MAX_CONNECTIONS, Math.max(4, 2 * cores)) : MAX_CONNECTIONS;
}

/** Opens PostgreSQL at `url`. Connections are made when needed; a database that is away is noticed by the first query. */
export function openServerDatabase(
  url: string,
  size = poolSizeFor(url),
  patience: StatementTimeout = 'short',
): Database {
  const Client = (patience === 'short' ? TimeoutClient : NamedStatementClient) as unknown as typeof pg.Client;
  const options = {
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    ...(patience === 'short' ? { statement_timeout: STATEMENT_TIMEOUT_MS } : {}),
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'rubadub',
    options: Object.entries(SESSION_SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
  const pool = new pg.Pool({ ...options, max: size, idleTimeoutMillis: 30_000, Client });
  // An idle connection that breaks is the pool's business: it is dropped, and the next query opens another.
  pool.on('error', () => {});
  // And one that breaks while it is lent out fails its next query: without a listener it would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const quick = openPipeline(
    () => new Client({ ...options, pipeline: true, keepAlive: true, keepAliveInitialDelayMillis: 30_000 }),
  );
  return {
    db,
    pipeline: quick,
    kind: 'server',
    close: async () => {
      await Promise.all([db.destroy(), quick.close()]);
    },
  };
}

/**
 * Opens the embedded database in `dataDir`, or in memory without one. The caller holds the directory's lock. Where there
 * is none yet, it begins as a copy of `template`, if there is one.
 */
export async function openEmbeddedDatabase(dataDir: string | undefined, template?: string): Promise<Database> {
  const [{ PGlite }, { createPgConfig }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/node-postgres'),
  ]);
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true });
  if (dataDir !== undefined && template !== undefined) await copyTemplate(template, join(dataDir, 'pglite'));
  const pglite = await PGlite.create(dataDir === undefined ? 'memory://' : join(dataDir, 'pglite'));
  const client = new NamedStatementClient(createPgConfig(pglite) as unknown as pg.ClientConfig);
  await client.connect();
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) await client.query(`set ${name} = ${value}`);
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: createSingleConnectionPool(client) as unknown as pg.Pool }),
  });
  return {
    db,
    pipeline: db,
    kind: 'embedded',
    close: async () => {
      await db.destroy();
      await pglite.close();
    },
  };
}

// Half a copy must never be taken for a database.
async function copyTemplate(template: string, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  // Hundreds of small files: Node's own copying takes three times as long.
  await promisify(execFile)('cp', ['-R', template, fresh]);
  await rename(fresh, folder);
}

/**
 * A pool of the one session that the embedded database has: transactions queue for it.
 * pg's own pool would end the client after a failed query, and the embedded connection does not come back from that.
 */
function createSingleConnectionPool(client: pg.Client) {
  let last: Promise<void> = Promise.resolve();
  const lent = { query: client.query.bind(client), release: () => {} };
  return {
    async connect() {
      const before = last;
      let free = () => {};
      last = new Promise((resolve) => {
        free = resolve;
      });
      await before;
      return Object.assign(Object.create(lent), { release: free });
    },
    async end() {
      await last;
      await client.end();
    },
  };
}

/** The rows that a statement gives. */
export async function queryRows<T>(tx: Tx, statement: RawBuilder<unknown>): Promise<T[]> {
  return (await statement.execute(tx)).rows as T[];
}

/** The first row that a statement gives, or undefined. */
export async function queryRow<T>(tx: Tx, statement: RawBuilder<unknown>): Promise<T | undefined> {
  return (await queryRows<T>(tx, statement))[0];
}

/** Runs `work` in one transaction: all of it, or nothing. */
export function transact<T>(db: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
}

/** The constraint or index that a failed statement broke, or undefined when it failed otherwise. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code === '23505' || code === '23503' || code === '23514' ? constraint : undefined;
}

const NETWORK_ERROR_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/;
// In turn: lost connections, read-only since a failover, too slow or idle for too long, no room, interrupted, broken files;
// and on a line, not prepared or prepared twice because the one before it was given up while it prepared the statement.
const UNAVAILABLE_SQL_STATES = /^(08|25006|25P03|53|57|58|40001|40P01|55P03|26000|42P05)/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|terminating connection|not queryable/;

/** Whether an error says that the database cannot be reached or will not answer, rather than that we asked wrongly. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message = '', cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown };
  if (code !== undefined && (NETWORK_ERROR_CODES.test(code) || UNAVAILABLE_SQL_STATES.test(code))) return true;
  return UNAVAILABLE_MESSAGES.test(message) || (cause !== undefined && isDatabaseUnavailable(cause));
}
