import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { openEmbeddedDatabase, queryRows, type Tx } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrate.ts';

// Makes the folder that is named: an embedded database after every migration. Another one may be making it, too.
const [, , folder = ''] = process.argv;
const fresh = `${folder}.${process.pid}`;
mkdirSync(dirname(folder), { recursive: true });
try {
  const { db, close } = await openEmbeddedDatabase(fresh);
  await migrate(db);
  await dropTemplateDatabases(db);
  await close();
  makeTailsSparse(join(fresh, 'pglite', 'pg_wal'));
  renameSync(join(fresh, 'pglite'), folder);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Drops what further databases would be copied from: there are none, and it is two thirds of the files. */
async function dropTemplateDatabases(db: Tx): Promise<void> {
  await queryRows(db, sql`update pg_database set datistemplate = false`);
  await queryRows(db, sql`drop database template1`);
  await queryRows(db, sql`drop database template0`);
}

/** Makes holes of the zeros that the log's files end in, so that a copy need not write them. */
function makeTailsSparse(folder: string): void {
  for (const file of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile())) {
    const path = join(folder, file.name);
    const bytes = readFileSync(path);
    truncateSync(path, bytes.findLastIndex((byte) => byte !== 0) + 1);
    truncateSync(path, bytes.length);
  }
}
