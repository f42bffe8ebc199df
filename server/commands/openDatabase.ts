import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readConfig } from '../config/config.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRow } from '../db/database.ts';
import { DataDirError, openDataDir } from '../db/dataDir.ts';
import { DataDirLockedError, takeLock } from '../db/dataDirLock.ts';
import { CommandError, errorMessageOf } from './commandError.ts';

type Env = Record<string, string | undefined>;

/** Opens the configured database for a restore, which makes its tables. Creates an embedded one when it does not exist. */
export async function openDatabaseToRestore(env: Env): Promise<Database> {
  const { databaseUrl, dataDir } = readConfig(env);
  const database = databaseUrl ? openServerDatabase(databaseUrl, 2, 'endless') : await openLocked(dataDir);
  try {
    await queryRow(database.db, sql`select 1 as one`);
    return database;
  } catch (error) {
    await database.close();
    if (!databaseUrl) throw error;
    throw new CommandError(`DATABASE_URL does not lead to a usable PostgreSQL: ${errorMessageOf(error)}`);
  }
}

/** Opens the server's database. An embedded one can only be opened while no server uses it. */
export async function openDatabase(env: Env): Promise<Database> {
  const { databaseUrl, dataDir } = readConfig(env);
  const database = databaseUrl ? openServerDatabase(databaseUrl, 2, 'endless') : await openExistingEmbedded(dataDir);
  try {
    const ledger = await queryRow(database.db, sql`select 1 as found where to_regclass('ledger_lines') is not null`);
    if (!ledger) throw new CommandError('the database has no ledger yet: start the server once to make its tables');
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof CommandError || !databaseUrl) throw error;
    throw new CommandError(`DATABASE_URL does not lead to a usable PostgreSQL: ${errorMessageOf(error)}`);
  }
}

async function openExistingEmbedded(folder: string): Promise<Database> {
  if (!existsSync(join(folder, 'pglite'))) {
    throw new CommandError(`DATA_DIR ${folder} has no embedded database, and DATABASE_URL is not set`);
  }
  return openLocked(folder);
}

async function openLocked(folder: string): Promise<Database> {
  const lock = lockFolder(folder);
  try {
    const database = await openEmbeddedDatabase(folder);
    return {
      ...database,
      close: async () => {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw new CommandError(`DATA_DIR ${folder} has no embedded database that can be opened: ${errorMessageOf(error)}`);
  }
}

function lockFolder(folder: string) {
  try {
    openDataDir(folder, (line) => console.error(`DATA_DIR ${line}`));
    return takeLock(folder);
  } catch (error) {
    if (error instanceof DataDirError) throw new CommandError(`DATA_DIR ${error.message}`);
    if (!(error instanceof DataDirLockedError)) throw error;
    throw new CommandError(
      `DATA_DIR ${error.message}: stop that server first, because only one process can use an embedded database`,
    );
  }
}
