import type { PlantedBug } from './plantedBug.ts';

const VALUES = 'server/db/backup/backupValues.test.ts';
const PROOF = 'server/commands/backupProof.test.ts';

/** Bugs of backups that say they are good. */
export const BACKUP_BUGS: readonly PlantedBug[] = [
  {
    bug: "a backup does not tell JSON's null from no value",
    file: 'server/db/backup/tables.sql.ts',
    find: '}::text as ',
    replace: '} as ',
    suite: VALUES,
  },
  {
    bug: "a file of an earlier release loses JSON's null",
    file: 'server/db/backup/tables.sql.ts',
    find: 'isRequired && /^jsonb?$/',
    replace: '!isRequired && /^jsonb?$/',
    suite: VALUES,
  },
  {
    bug: 'a letter of a text ends the line of a backup',
    file: 'server/db/backup/file.ts',
    find: "chunk.split('\\n')",
    replace: 'chunk.split(/[\\n\\u2028]/)',
    suite: VALUES,
  },
  {
    bug: 'rows that refer to later rows of their table are not restored',
    file: 'server/db/backup/tables.sql.ts',
    find: "await alterAll('deferrable initially deferred');",
    replace: '',
    suite: VALUES,
  },
  {
    bug: 'a backup is proven although a row comes back as another one',
    file: 'server/db/backup/prove.ts',
    find: 'if (line !== other) throw',
    replace: 'if (other === undefined) throw',
    suite: VALUES,
  },
  {
    bug: 'a backup that cannot be restored gets its name',
    file: 'server/commands/backup.ts',
    find: 'if (!isQuick) await prove',
    replace: 'if (isQuick) await prove',
    suite: PROOF,
  },
];
