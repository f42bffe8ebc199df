import { openEmbeddedDatabase } from '../database.ts';
import { readBackupFile } from './file.ts';
import { RestoreError, restoreBackup } from './read.ts';
import { writeBackup } from './write.ts';

/**
 * Restores the backup in a file into an embedded database in a new folder, and compares each row of it with the file. Throws a
 * RestoreError when the file cannot be restored, or when a row comes back as another one. The caller removes the folder.
 */
export async function proveBackup(file: string, folder: string): Promise<void> {
  const { db, close } = await openEmbeddedDatabase(folder);
  try {
    await restoreBackup(db, readBackupFile(file));
    await compareLines(readBackupFile(file), writeBackup(db, new Date()));
  } finally {
    await close();
  }
}

/** When a backup was made, and what follows from that, differs. */
const isOfItsTime = (line: string) => /^#(?:manifest|sha256) /.test(line);

async function compareLines(written: AsyncGenerator<string>, restored: AsyncGenerator<string>): Promise<void> {
  let table = '';
  let row = 0;
  try {
    for await (const line of written) {
      const { value } = await restored.next();
      const other = (value ?? '').replace(/\n$/, '');
      if (isOfItsTime(line) && isOfItsTime(other)) continue;
      [table, row] = line.startsWith('#table ') ? [line.slice('#table '.length), 0] : [table, row + 1];
      if (line !== other) throw new RestoreError(`row ${row} of the table ${table} is another one when it is restored`);
    }
  } finally {
    // Ends its transaction, for which closing the database would wait.
    await restored.return(undefined);
  }
}
