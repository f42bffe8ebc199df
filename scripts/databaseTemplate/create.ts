import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { openEmbeddedDatabase, queryRows, type Tx } from '../../server/db/database.ts';
import { ensureSchema } from '../../server/db/ensureSchema.ts';

// Creates the given folder: an embedded database with every migration applied. Renames at the end, because another
// process may create the same folder.
const [, , folder = ''] = process.argv;
const fresh = `${folder}.${process.pid}`;
mkdirSync(dirname(folder), { recursive: true });
try {
  const { db, close } = await openEmbeddedDatabase(fresh);
  await ensureSchema(db);
  await dropTemplateDatabases(db);
  await close();
  makeTailsSparse(join(fresh, 'pglite', 'pg_wal'));
  renameSync(join(fresh, 'pglite'), folder);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Drops the databases that `create database` copies. The product never creates one, and they are two thirds of the files. */
async function dropTemplateDatabases(db: Tx): Promise<void> {
  await queryRows(db, sql`update pg_database set datistemplate = false`);
  await queryRows(db, sql`drop database template1`);
  await queryRows(db, sql`drop database template0`);
}

/** Turns the trailing zeros of the write-ahead log into holes, so that a copy does not write them. */
function makeTailsSparse(folder: string): void {
  for (const file of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile())) {
    const path = join(folder, file.name);
    const bytes = readFileSync(path);
    truncateSync(path, bytes.findLastIndex((byte) => byte !== 0) + 1);
    truncateSync(path, bytes.length);
  }
}
