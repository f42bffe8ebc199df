import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEmbeddedDatabase } from '../../server/database.ts';
import { migrate } from '../../server/migrate.ts';

// Makes the folder that is named: an embedded database after every migration. Another one may be making it, too.
const [, , folder = ''] = process.argv;
const fresh = `${folder}.${process.pid}`;
mkdirSync(dirname(folder), { recursive: true });
try {
  const { db, close } = await openEmbeddedDatabase(fresh);
  await migrate(db);
  await close();
  renameSync(join(fresh, 'pglite'), folder);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
