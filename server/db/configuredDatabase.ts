import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { type DatabaseClock, openDatabaseClock, systemClock } from './clock.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase } from './database.ts';
import { ensureSchema } from './ensureSchema.ts';
import { inspectPooler } from './pooler.ts';

/** Opens the configured database, with its tables. A new embedded one starts as a copy of `template`. */
export async function openConfiguredDatabase(
  config: Config,
  template: string | undefined,
  warn: (message: string) => void,
): Promise<Database> {
  const database = config.databaseUrl
    ? await openPooledDatabase(config.databaseUrl, config)
    : await openEmbeddedDatabase(config.dataDir, template, warn);
  try {
    await ensureSchemaOf(config, database, warn);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

type ClockOptions = {
  readonly template: string | undefined;
  /** Replaces the clock, for tests. */
  readonly now: (() => Date) | undefined;
  readonly log: Log;
};

/** Opens the configured database, with its clock: all servers of a database go by that of the database. */
export async function openDatabaseAndClock(
  config: Config,
  { template, now, log }: ClockOptions,
): Promise<{ database: Database; clock: DatabaseClock }> {
  const database = await openConfiguredDatabase(config, template, (line) => log.warn({}, line));
  try {
    const isOwnClock = now !== undefined || database.kind === 'embedded';
    return {
      database,
      clock: isOwnClock ? systemClock(now ?? (() => new Date())) : await openDatabaseClock(database.db, log),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openPooledDatabase(databaseUrl: string, { databaseDirectUrl }: Config): Promise<Database> {
  const { keepsStatements } = await inspectPooler(databaseUrl, databaseDirectUrl);
  return openServerDatabase(databaseUrl, undefined, 'short', keepsStatements);
}

async function ensureSchemaOf(
  { databaseUrl, databaseDirectUrl }: Config,
  { db }: Database,
  log: (message: string) => void,
): Promise<void> {
  if (databaseUrl === undefined) return ensureSchema(db);
  // Making the tables may take longer than the statement timeout of the pool.
  const withoutTimeout = openServerDatabase(databaseDirectUrl ?? databaseUrl, 1, 'endless');
  await ensureSchema(withoutTimeout.db, { log }).finally(withoutTimeout.close);
}
