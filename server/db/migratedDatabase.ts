import type { Config } from '../config/config.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { inspectPooler } from './pooler.ts';

/** Opens the configured database and brings its tables up to date. A new embedded one starts as a copy of `template`. */
export async function openMigratedDatabase(
  config: Config,
  template: string | undefined,
  warn: (message: string) => void,
): Promise<Database> {
  const database = config.databaseUrl
    ? await openPooledDatabase(config.databaseUrl, config)
    : await openEmbeddedDatabase(config.dataDir, template, warn);
  try {
    await migrateDatabase(config, database, warn);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openPooledDatabase(databaseUrl: string, { databaseDirectUrl }: Config): Promise<Database> {
  const { keepsStatements } = await inspectPooler(databaseUrl, databaseDirectUrl);
  return openServerDatabase(databaseUrl, undefined, 'short', keepsStatements);
}

async function migrateDatabase(
  { databaseUrl, databaseDirectUrl }: Config,
  { db }: Database,
  log: (message: string) => void,
): Promise<void> {
  if (databaseUrl === undefined) return migrate(db);
  // A migration may take longer than the statement timeout of the pool.
  const withoutTimeout = openServerDatabase(databaseDirectUrl ?? databaseUrl, 1, 'endless');
  await migrate(withoutTimeout.db, { log }).finally(withoutTimeout.close);
}
