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

/** The pool or a transaction. Functions that run SQL take it as their first parameter. */
export type Tx = Kysely<Schema>;

export type Database = {
  readonly db: Tx;
  /** For quick queries. */
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

/** Names every statement with parameters, so that PostgreSQL parses and plans it once per connection. */
class NamedStatementClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query are not expressible in one override
  override query(...parameters: any[]): any {
    const [text, values, ...rest] = parameters;
    if (typeof text === 'string' && Array.isArray(values)) {
      const name = statementNameOf(text);
      const config = name === undefined ? { text, values } : { name, text, values };
      return (super.query as (...all: unknown[]) => unknown).call(this, config, ...rest);
    }
    return (super.query as (...all: unknown[]) => unknown).apply(this, parameters);
  }
}

const STATEMENT_TIMEOUT_MS = 4_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Closes the connection when a statement gets no answer in time. A database that hangs cannot report its own timeout, and
 * a connection with an abandoned statement must not go back to the pool.
 */
class TimeoutClient extends NamedStatementClient {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...parameters: any[]): any {
    const answer = super.query(...parameters);
    if (!(answer instanceof Promise)) return answer;
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    const timer = setTimeout(() => stream.destroy(new Error('Connection terminated: no answer')), ANSWER_TIMEOUT_MS);
    return answer.finally(() => clearTimeout(timer));
  }
}

/**
 * Plans each statement once per connection: planning a large one costs more than running it, and one plan suits all
 * parameters. JIT is off because estimates for branches that never run would trigger it.
 */
const SESSION_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off' };

/** Statements of requests time out after some seconds; a migration over millions of rows must not. */
export type StatementTimeout = 'short' | 'endless';

const MAX_CONNECTIONS = 10;

/** A database on this machine shares our CPU cores, so more connections than the cores can serve only wait. */
export function poolSizeFor(url: string, cores = availableParallelism()): number {
  const { hostname, searchParams } = new URL(url);
  // pg also reads `host` from the query; a path is a Unix socket.
  const host = searchParams.get('host') ?? hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  return isHere ? Math.min(MAX_CONNECTIONS, Math.max(4, 2 * cores)) : MAX_CONNECTIONS;
}

/** Opens PostgreSQL at `url`. It connects when needed, so the first query fails if the database is unavailable. */
export function openServerDatabase(
  url: string,
  size = poolSizeFor(url),
  timeout: StatementTimeout = 'short',
): Database {
  const Client = (timeout === 'short' ? TimeoutClient : NamedStatementClient) as unknown as typeof pg.Client;
  const options = {
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    ...(timeout === 'short' ? { statement_timeout: STATEMENT_TIMEOUT_MS } : {}),
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'rubadub',
    options: Object.entries(SESSION_SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
  const pool = new pg.Pool({ ...options, max: size, idleTimeoutMillis: 30_000, Client });
  // The pool drops an idle connection that breaks. The next query opens another.
  pool.on('error', () => {});
  // A connection that breaks while in use fails its next query. Without a listener it would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const pipeline = openPipeline(
    () => new Client({ ...options, pipeline: true, keepAlive: true, keepAliveInitialDelayMillis: 30_000 }),
  );
  return {
    db,
    pipeline,
    kind: 'server',
    close: async () => {
      await Promise.all([db.destroy(), pipeline.close()]);
    },
  };
}

/**
 * Opens the embedded database in `dataDir`, or in memory without a directory. The caller holds the directory's lock. A new
 * database starts as a copy of `template`, if that is given.
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

// Copies to another name first, so that an interrupted copy is not opened as a database.
async function copyTemplate(template: string, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const partial = `${folder}.new`;
  await rm(partial, { recursive: true, force: true });
  // For hundreds of small files, Node's own copy takes three times as long.
  await promisify(execFile)('cp', ['-R', template, partial]);
  await rename(partial, folder);
}

/**
 * A pool for the single session of the embedded database; transactions wait for their turn. pg's own pool ends the client
 * after a failed query, and the embedded database cannot reconnect.
 */
function createSingleConnectionPool(client: pg.Client) {
  let last: Promise<void> = Promise.resolve();
  const session = { query: client.query.bind(client), release: () => {} };
  return {
    async connect() {
      const previous = last;
      let release = () => {};
      last = new Promise((resolve) => {
        release = resolve;
      });
      await previous;
      return Object.assign(Object.create(session), { release });
    },
    async end() {
      await last;
      await client.end();
    },
  };
}

/** The rows of a statement. */
export async function queryRows<T>(tx: Tx, statement: RawBuilder<unknown>): Promise<T[]> {
  return (await statement.execute(tx)).rows as T[];
}

/** The first row of a statement, or undefined. */
export async function queryRow<T>(tx: Tx, statement: RawBuilder<unknown>): Promise<T | undefined> {
  return (await queryRows<T>(tx, statement))[0];
}

/** Runs `work` in one transaction. */
export function transact<T>(db: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
}

/** The constraint or index that a failed statement violated, or undefined for another error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code === '23505' || code === '23503' || code === '23514' ? constraint : undefined;
}

const NETWORK_ERROR_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/;
// Lost connections; read-only after a failover; timeouts; out of resources; interrupted; I/O errors; serialization failures
// and lock timeouts. On a pipelined connection also statements that are not prepared, or prepared twice, because the
// statement before timed out while it was being prepared.
const UNAVAILABLE_SQL_STATES = /^(08|25006|25P03|53|57|58|40001|40P01|55P03|26000|42P05)/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|terminating connection|not queryable/;

/** Whether an error means that the database is unavailable, not that the query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message = '', cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown };
  if (code !== undefined && (NETWORK_ERROR_CODES.test(code) || UNAVAILABLE_SQL_STATES.test(code))) return true;
  return UNAVAILABLE_MESSAGES.test(message) || (cause !== undefined && isDatabaseUnavailable(cause));
}
