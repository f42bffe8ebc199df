import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kysely, type RawBuilder } from 'kysely';
import pg from 'pg';
import { isLoopback } from '../config/config.ts';
import { readHosts, splitHosts } from '../config/databaseHosts.ts';
import { ServerClient, type ServerClientOptions, tryEachHost } from './client.ts';
import { type ConnectionQueue, createConnectionQueue, type Lane } from './connectionQueue.ts';
import { createDialect, type PooledClient, useConnection } from './driver.ts';
import { EMBEDDED_FOLDER } from './embeddedEngine.ts';
import { openEmbeddedSession } from './embeddedSession.ts';
import { openPipeline, type QueryExecutor } from './pipeline.ts';
import type { Schema } from './schema.ts';

/** The pool or a transaction. Functions that run SQL take it as their first parameter. */
export type Tx = Kysely<Schema>;

export type Database = {
  /** For reads and jobs. */
  readonly db: Tx;
  /** For steps: what people change does not wait behind reads. */
  readonly stepDb: Tx;
  /** For quick reads. */
  readonly pipeline: QueryExecutor;
  readonly kind: 'embedded' | 'server';
  /** Why the embedded database is broken, in words for the operator. Of a server always undefined: the health check asks it. */
  problem(): string | undefined;
  /** How many wait for a connection. */
  waiting(): Record<Lane, number>;
  close(): Promise<void>;
};

const STATEMENT_TIMEOUT_MS = 4_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Plans each statement once per connection: planning a large one costs more than running it, and one plan suits all
 * parameters. JIT is off because estimates for branches that never run would trigger it. Memoize is off because a row is rarely
 * looked up twice, and remembering it costs a sixth to a half of such a statement's time.
 */
const PLAN_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off', enable_memoize: 'off' };
/** The same as an option of a connection. */
export const PLAN_OPTIONS = Object.entries(PLAN_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');
/** Milliseconds. They end statements whose Rubadub server has died, and transactions that nobody finishes. */
const TIMEOUT_SETTINGS = { statement_timeout: STATEMENT_TIMEOUT_MS, idle_in_transaction_session_timeout: 15_000 };
/** The settings that every connection for requests needs. Through a pooler they must be set in another way. */
export const SESSION_SETTINGS = { ...PLAN_SETTINGS, ...TIMEOUT_SETTINGS };

/** Statements of requests time out after some seconds; what a command does with millions of rows must not. */
export type StatementTimeout = 'short' | 'endless';

const MAX_CONNECTIONS = 10;
/** So many connections of the pool are only for steps, and as many others only for reads. */
const RESERVED = 2;
/** How long a request waits for a connection: `silentMs` while the database answers nobody, `longestMs` in any case. */
const PATIENCE = { silentMs: 3_000, longestMs: 30_000 };

/**
 * How many connections the pool has. A database on this machine shares our CPU cores: two for each core, and the reserved
 * ones. More would only wait for the CPU.
 */
export function poolSizeFor(databaseUrl: string, cores = availableParallelism()): number {
  const { hostname, searchParams } = new URL(splitHosts(databaseUrl)[0] ?? databaseUrl);
  // pg also reads `host` from the query; a path is a Unix socket.
  const host = searchParams.get('host') ?? hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  return isHere ? Math.min(MAX_CONNECTIONS, Math.max(4, 2 * cores) + RESERVED) : MAX_CONNECTIONS;
}

/** The options of a connection to a PostgreSQL server, for `new pg.Client`. */
export function connectionOptions(timeout: StatementTimeout): pg.ClientConfig {
  return {
    // A command waits for a busy database; a request asks the next host.
    connectionTimeoutMillis: timeout === 'short' ? 3_000 : 15_000,
    ...(timeout === 'short' ? { statement_timeout: TIMEOUT_SETTINGS.statement_timeout } : {}),
    idle_in_transaction_session_timeout: TIMEOUT_SETTINGS.idle_in_transaction_session_timeout,
    application_name: 'rubadub',
    options: PLAN_OPTIONS,
  };
}

/**
 * Opens PostgreSQL at `url`, which may name several hosts. It connects when needed, so the first query fails if the
 * database is unavailable.
 */
export function openServerDatabase(
  url: string,
  size = poolSizeFor(url),
  timeout: StatementTimeout = 'short',
  namesStatements = true,
): Database {
  const clients = new Set<ServerClient>();
  const hosts = readHosts(url);
  const options: ServerClientOptions = {
    ...connectionOptions(timeout),
    ...(timeout === 'short' ? { answerTimeoutMs: ANSWER_TIMEOUT_MS } : {}),
    hosts,
    namesStatements,
    // A connection that breaks while in use fails its next query. Without a listener for errors it would end the process.
    onCreated: (client) => clients.add(client.on('error', () => {}).once('end', () => clients.delete(client))),
    // After a failover, closes every connection to the server that is no longer the primary, also those that are being opened.
    // The next queries connect to another host.
    onDemoted: (lostUrl, why) => {
      hosts.skip(lostUrl);
      for (const client of clients) if (client.url === lostUrl) client.abandon(why);
    },
  };
  const pool = new pg.Pool({
    ...options,
    max: size,
    idleTimeoutMillis: 30_000,
    Client: ServerClient as unknown as typeof pg.Client,
    onConnect: (client) => (client as unknown as ServerClient).checkWritable(),
  });
  // The pool drops an idle connection that breaks. The next query opens another.
  pool.on('error', () => {});
  const queue = createConnectionQueue({
    connections: size,
    // A pool of one or two, for a command or a test, has no room for it.
    reserved: Math.min(RESERVED, Math.floor(size / 3)),
    patience: PATIENCE,
  });
  const connect = (lane: Lane) => connectInLane(() => tryEachHost(hosts, () => pool.connect()), queue, lane);
  const [db, stepDb] = [openLane(() => connect('reads')), openLane(() => connect('steps'))];
  const createPipelineClient = () =>
    new ServerClient({ ...options, keepAlive: true, keepAliveInitialDelayMillis: 30_000 });
  const pipeline = openPipeline(createPipelineClient, hosts, PATIENCE);
  return {
    db,
    stepDb,
    pipeline,
    kind: 'server',
    problem: () => undefined,
    waiting: queue.waiting,
    close: async () => {
      await Promise.all([db.destroy(), stepDb.destroy(), pool.end(), pipeline.close()]);
    },
  };
}

/** The connections of a pool that `connect` gives to one lane. The pool itself is closed with the database. */
const openLane = (connect: () => Promise<PooledClient>): Tx => new Kysely<Schema>({ dialect: createDialect(connect) });

async function connectInLane(
  connect: () => Promise<pg.PoolClient>,
  queue: ConnectionQueue,
  lane: Lane,
): Promise<PooledClient> {
  await queue.wait(lane);
  const client = await connect().catch((error: unknown) => {
    queue.free(lane, false);
    throw error;
  });
  const release = client.release.bind(client);
  // The pool sets `release` again each time that it gives the client away.
  client.release = (error) => {
    release(error);
    queue.free(lane, !(client as unknown as ServerClient).isAbandoned);
  };
  return client;
}

/**
 * Opens the embedded database in `dataDir`, or in memory without a directory. The caller holds the directory's lock. A new
 * database starts as a copy of `template`, if that is given.
 */
export async function openEmbeddedDatabase(
  dataDir: string | undefined,
  template?: string,
  log: (line: string) => void = () => {},
): Promise<Database> {
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = dataDir === undefined ? undefined : join(dataDir, EMBEDDED_FOLDER);
  const isNew = folder !== undefined && !existsSync(folder);
  if (isNew && template !== undefined) await copyTemplate(template, folder);
  const session = await openEmbeddedSession({ dataDir, settings: PLAN_SETTINGS, log }).catch(async (error: unknown) => {
    // Otherwise the next start would take the half-made folder for a complete database.
    if (isNew) await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const [db, stepDb] = [openLane(() => session.connect('reads')), openLane(() => session.connect('steps'))];
  return {
    db,
    stepDb,
    pipeline: db,
    kind: 'embedded',
    problem: session.problem,
    waiting: session.waiting,
    close: async () => {
      await Promise.all([db.destroy(), stepDb.destroy()]);
      await session.close();
    },
  };
}

// Copies to another name first, so that an interrupted copy is not opened as a database.
async function copyTemplate(template: string, folder: string): Promise<void> {
  const partial = `${folder}.new`;
  await rm(partial, { recursive: true, force: true });
  // For hundreds of small files, Node's own copy takes three times as long.
  const isCopied = await promisify(execFile)('cp', ['-R', template, partial]).then(
    () => true,
    () => false,
  );
  // A template that another user made is not readable: the database is created without it.
  if (isCopied) await rename(partial, folder);
  else await rm(partial, { recursive: true, force: true });
}

/** The rows of a statement. */
export async function queryRows<T>(tx: Tx, statement: RawBuilder<unknown>): Promise<T[]> {
  return (await statement.execute(tx)).rows as T[];
}

/** The first row of a statement, or undefined. */
export async function queryRow<T>(tx: Tx, statement: RawBuilder<unknown>): Promise<T | undefined> {
  return (await queryRows<T>(tx, statement))[0];
}

/** Runs `work` in one transaction: in the one that `db` is in, if it is in one. */
export function transact<T>(db: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return db.transaction().execute(work);
}

const MAX_TRIES = 5;

/**
 * Runs `work` in one transaction, and again after a deadlock, which PostgreSQL has rolled back. `work` must change nothing but the database.
 */
export async function transactStep<T>(db: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact(db, work);
    } catch (error) {
      if (tries === MAX_TRIES || db.isTransaction || !isDeadlock(error)) throw error;
    }
  }
}

const isDeadlock = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '40P01';

/**
 * Runs the statements of `work` on one connection, so that a step waits for a connection only once. This is not a transaction.
 * `work` must not wait for anything else than the database: nobody else can use the connection meanwhile. A transaction has its
 * connection already.
 */
export function withConnection<T>(db: Tx, work: (db: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return useConnection(db, work);
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
