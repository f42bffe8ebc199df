import { randomUUID } from 'node:crypto';
import { adviseOnTls, readHosts } from '../config/databaseHosts.ts';
import { ConfigError } from '../config/environment.ts';
import { ServerClient } from './client.ts';
import { connectionOptions, SESSION_SETTINGS } from './database.ts';

/** How the way to PostgreSQL treats sessions. */
export type Pooler = {
  /** Whether transactions of one connection may run in different sessions, as in PgBouncer's transaction pooling. */
  readonly sharesSessions: boolean;
  /** Whether a statement that was prepared under a name can be run under that name later. */
  readonly keepsStatements: boolean;
};

const NO_POOLER: Pooler = { sharesSessions: false, keepsStatements: true };
const MAX_HELD_SESSIONS = 8;
const PROBE_TIMEOUT_MS = 2_000;
const STARTUP_REFUSED = /unsupported startup parameter/;

/**
 * Finds out how a connection pooler treats our connections, before they are used: one that gives each transaction another
 * session loses settings and prepared statements without an error. Throws a ConfigError that says what to set.
 */
export async function inspectPooler(databaseUrl: string, directUrl: string | undefined): Promise<Pooler> {
  const client = await connect(databaseUrl).catch((error: unknown) => {
    const advice = adviseOnTls(error);
    throw advice === undefined ? error : new ConfigError('DATABASE_URL', advice);
  });
  try {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    // A pooler makes up the process id that it sends when a connection opens.
    if (rows[0]?.pid === (client as unknown as { processID: number }).processID) return NO_POOLER;
    await requireSettings(client);
    const pooler = await probeSessions(client, databaseUrl);
    if (pooler.sharesSessions && directUrl === undefined) {
      throw new ConfigError(
        'DATABASE_DIRECT_URL',
        `is missing: DATABASE_URL goes through a connection pooler, and making the tables and notifications need a session.
          Set it to the same database without the pooler`,
      );
    }
    return pooler;
  } finally {
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<ServerClient> {
  const hosts = readHosts(databaseUrl);
  const open = async () => {
    const client = new ServerClient({
      ...connectionOptions('short'),
      hosts,
      namesStatements: false,
      answerTimeoutMs: PROBE_TIMEOUT_MS,
      onDemoted: () => {},
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  for (let left = hosts.count; ; left -= 1) {
    try {
      return await open();
    } catch (error) {
      refuseStartupParameters(error);
      if (left <= 1) throw error;
    }
  }
}

function refuseStartupParameters(error: unknown): void {
  if (!STARTUP_REFUSED.test((error as Error).message)) return;
  throw new ConfigError(
    'DATABASE_URL',
    `goes through a connection pooler that refuses our settings. In pgbouncer.ini, set ignore_startup_parameters =
      extra_float_digits, options, statement_timeout, idle_in_transaction_session_timeout, and ${CONNECT_QUERY}`,
  );
}

const CONNECT_QUERY = `add to the line of the database: connect_query='${Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `set ${name}=${value}`)
  .join('; ')}'`;

async function requireSettings(client: ServerClient): Promise<void> {
  const names = Object.keys(SESSION_SETTINGS);
  const { rows } = await client.query('select name, setting from pg_settings where name = any($1)', [names]);
  const settings = new Map((rows as { name: string; setting: string }[]).map(({ name, setting }) => [name, setting]));
  const lost = Object.entries(SESSION_SETTINGS).filter(([name, value]) => settings.get(name) !== String(value));
  if (lost.length === 0) return;
  throw new ConfigError(
    'DATABASE_URL',
    `goes through a connection pooler that drops our settings (${lost.map(([name]) => name).join(', ')}). In
      pgbouncer.ini, ${CONNECT_QUERY}`,
  );
}

/**
 * Runs a named statement again and again while other connections hold sessions in a transaction. A pooler that shares
 * sessions then has to give our connection another one.
 */
async function probeSessions(client: ServerClient, databaseUrl: string): Promise<Pooler> {
  const probe = { name: `probe_${randomUUID()}`, text: 'select pg_backend_pid() as pid' };
  const runProbe = async (): Promise<number | undefined> => {
    // The statement is unknown in the other session, or there is no other session while ours is held.
    const result = await client.query(probe).catch(() => undefined);
    return result?.rows[0].pid;
  };
  const holders: ServerClient[] = [];
  try {
    const first = await runProbe();
    for (let isFull = false; !isFull && holders.length < MAX_HELD_SESSIONS; ) {
      isFull = !(await holdSession(databaseUrl, holders));
      const next = await runProbe();
      if (next !== first) return { sharesSessions: true, keepsStatements: next !== undefined };
    }
    return NO_POOLER;
  } finally {
    await Promise.all(holders.map((holder) => holder.end().catch(() => undefined)));
  }
}

/** Opens a transaction on one more connection. False when the pooler has no room for it. */
async function holdSession(databaseUrl: string, holders: ServerClient[]): Promise<boolean> {
  try {
    const holder = await connect(databaseUrl);
    holders.push(holder);
    await holder.query('begin');
    await holder.query('select 1');
    return true;
  } catch {
    return false;
  }
}
