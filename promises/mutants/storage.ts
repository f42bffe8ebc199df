import type { Edit } from './edits.ts';
import type { Mutant } from './mutant.ts';

const answersBeforeCommit = {
  replace: [
    'return db.transaction().execute(work)',
    `return new Promise<T>((resolve, reject) => {
      db.transaction().execute(async (tx) => {
        const done = await work(tx);
        resolve(done);
        await new Promise((go) => setTimeout(go, 60));
        return done;
      }).catch(reject);
    })`,
  ],
} as const satisfies Edit;

const doesNotWaitForTheDisk = {
  replace: [
    "plan_cache_mode: 'force_generic_plan'",
    "synchronous_commit: 'off', plan_cache_mode: 'force_generic_plan'",
  ],
} as const satisfies Edit;

/** Acknowledged writes, the data directory and backups. */
export const STORAGE_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'answers before the commit, on the embedded database',
    at: 'server/db/database.ts#transact',
    ...answersBeforeCommit,
    suite: 'promises/killEmbedded.test.ts',
    cases: 30,
  },
  {
    mutant: 'the embedded database does not write before it acknowledges',
    at: 'server/db/database.ts#PLAN_SETTINGS',
    ...doesNotWaitForTheDisk,
    suite: 'promises/killEmbedded.test.ts',
  },
  {
    mutant: 'answers before the commit, on PostgreSQL',
    at: 'server/db/database.ts#transact',
    ...answersBeforeCommit,
    suite: 'promises/killPostgres.test.ts',
  },
  {
    mutant: 'a transaction that PostgreSQL has rolled back passes for committed',
    at: 'server/db/driver.ts#createConnection.commit',
    replace: ["=== 'ROLLBACK'", "=== 'FAILED'"],
    suite: 'server/db/driver.test.ts',
  },
  {
    mutant: 'a change is sent with a BEGIN that fails',
    at: 'server/db/driver.ts#changesNothing',
    becomes: 'true',
    suite: 'server/db/driver.test.ts',
  },
  {
    mutant: 'PostgreSQL does not write before it acknowledges',
    at: 'server/db/database.ts#PLAN_SETTINGS',
    ...doesNotWaitForTheDisk,
    suite: 'promises/killPostgres.test.ts',
  },
  {
    mutant: 'a directory that another process holds is opened anyway',
    at: 'server/db/dataDirLock.ts#takeLock',
    remove: 'if (holder && isAlive(holder)) throw new DataDirLockedError(folder, holder.pid);',
    suite: 'promises/dataDirLock.test.ts',
    cases: 2,
  },
  {
    mutant: 'the data directory is not locked',
    at: 'scripts/openProduct.ts#openProduct',
    replace: ['onClose(lockDataDir(config.dataDir).release)', 'onClose(() => lockDataDir)'],
    suite: 'promises/dataDirLock.test.ts',
    cases: 2,
  },
  {
    mutant: 'a backup is proven although a row comes back as another one',
    at: 'server/db/backup/prove.ts#compareLines',
    replace: ['line !== other', 'other === undefined'],
    suite: 'server/db/backup/backupValues.test.ts',
  },
  {
    mutant: 'a backup that cannot be restored gets its name',
    at: 'server/commands/backup.ts#run',
    replace: ['if (!isQuick) await prove', 'if (isQuick) await prove'],
    suite: 'server/commands/backupProof.test.ts',
  },
  {
    mutant: 'a damaged backup is restored',
    at: 'server/db/backup/read.ts#createLineReader.expectEnd',
    replace: ["checksum !== hash.digest('hex')", 'checksum === undefined'],
    suite: 'server/commands/backup.test.ts',
  },
  {
    mutant: 'a restore revives sessions, links and unsent mails',
    at: 'server/db/backup/tables.sql.ts#writeRows',
    remove: 'where not ${isLeftOut(table)}',
    suite: 'server/commands/backup.test.ts',
  },
];
