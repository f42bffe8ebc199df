import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readConfig } from '../config/config.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, row } from '../db/database.ts';
import { Locked, takeLock } from '../db/dataDirLock.ts';
import { migrate } from '../db/migrate.ts';
import { messageOf, StartFault } from './commandError.ts';

type Env = Record<string, string | undefined>;

/** Opens the database of this environment for a restore: made when it is not there yet, and brought to our migrations. */
export async function openToRestore(env: Env): Promise<Database> {
  const { databaseUrl, dataDir } = readConfig(env);
  const database = databaseUrl ? openServerDatabase(databaseUrl, 2, 'endless') : await openLocked(dataDir);
  try {
    await migrate(database.db);
    return database;
  } catch (error) {
    await database.close();
    if (!databaseUrl) throw error;
    throw new StartFault(`DATABASE_URL leads to no PostgreSQL that can be used: ${messageOf(error)}`);
  }
}

/** Opens the database that the server of this environment works on; an embedded one only while no server has it. */
export async function openDatabase(env: Env): Promise<Database> {
  const { databaseUrl, dataDir } = readConfig(env);
  const database = databaseUrl ? openServerDatabase(databaseUrl, 2, 'endless') : await openEmbedded(dataDir);
  try {
    const ledger = await row(database.db, sql`select 1 as there where to_regclass('ledger_lines') is not null`);
    if (!ledger)
      throw new StartFault('the database has no ledger yet: start the server once, it brings the database up');
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof StartFault || !databaseUrl) throw error;
    throw new StartFault(`DATABASE_URL leads to no PostgreSQL that can be used: ${messageOf(error)}`);
  }
}

async function openEmbedded(folder: string): Promise<Database> {
  if (!existsSync(join(folder, 'pglite'))) {
    throw new StartFault(`DATA_DIR ${folder} has no embedded database, and DATABASE_URL is not set`);
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
    throw new StartFault(`DATA_DIR ${folder} has no embedded database that opens: ${messageOf(error)}`);
  }
}

function lockFolder(folder: string) {
  try {
    return takeLock(folder);
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    throw new StartFault(
      `DATA_DIR ${error.message}: end that server first, its embedded database serves one at a time`,
    );
  }
}
