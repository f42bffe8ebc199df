import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { listMigrations } from './backup/tables.sql.ts';
import { queryRow, type Tx } from './database.ts';
import { areLargeIndexesMade, isLockTimeout, makeLargeIndexes } from './largeIndexes.sql.ts';
import * as m001 from './migrations/001_start.ts';
import * as m002 from './migrations/002_ledger.ts';
import * as m003 from './migrations/003_events.ts';
import * as m004 from './migrations/004_notifications.ts';
import * as m005 from './migrations/005_positions.ts';
import * as m006 from './migrations/006_limits.ts';
import * as m007 from './migrations/007_tallies.ts';
import * as m008 from './migrations/008_around.ts';
import * as m009 from './migrations/009_sorted.ts';
import * as m010 from './migrations/010_outbox.ts';
import * as m011 from './migrations/011_sign_in.ts';
import * as m012 from './migrations/012_account_changes.ts';
import * as m013 from './migrations/013_email_keys.ts';
import * as m014 from './migrations/014_abuse_limits.ts';
import * as m015 from './migrations/015_policies.ts';
import * as m016 from './migrations/016_repair.ts';
import * as m017 from './migrations/017_step_keys.ts';
import * as m018 from './migrations/018_live_events.ts';
import * as m019 from './migrations/019_history.ts';
import * as m020 from './migrations/020_timers.ts';
import * as m021 from './migrations/021_adjustments.ts';
import * as m022 from './migrations/022_order_numbers.ts';
import * as m023 from './migrations/023_files.ts';
import * as m024 from './migrations/024_exceptions.ts';
import * as m025 from './migrations/025_pays.ts';
import * as m026 from './migrations/026_handovers.ts';
import * as m027 from './migrations/027_cases.ts';
import * as m028 from './migrations/028_order_changes.ts';
import * as m029 from './migrations/029_legs.ts';
import * as m030 from './migrations/030_weighing.ts';
import * as m031 from './migrations/031_weighed_payments.ts';
import * as m032 from './migrations/032_photos_and_shares.ts';
import * as m033 from './migrations/033_operators.ts';
import * as m034 from './migrations/034_people.ts';
import * as m035 from './migrations/035_disputes.ts';
import * as m036 from './migrations/036_admissions.ts';
import * as m037 from './migrations/037_hours.ts';
import * as m038 from './migrations/038_zones.ts';
import * as m039 from './migrations/039_returned_payouts.ts';
import * as m040 from './migrations/040_payout_files.ts';
import * as m041 from './migrations/041_admission_changes.ts';
import * as m042 from './migrations/042_promos.ts';
import * as m043 from './migrations/043_passkeys.ts';
import * as m044 from './migrations/044_reconciled_days.ts';
import * as m045 from './migrations/045_tax_ids.ts';
import * as m046 from './migrations/046_listed_payments.ts';
import * as m047 from './migrations/047_event_order.ts';
import * as m048 from './migrations/048_payers.ts';
import * as m050 from './migrations/050_position_accuracy.ts';
import * as m051 from './migrations/051_ways_home.ts';
import * as m053 from './migrations/053_rates_and_restores.ts';

/** All migrations in order. A released migration is never edited; a new one corrects it. */
export const MIGRATIONS: Record<string, Migration> = {
  '001_start': m001,
  '002_ledger': m002,
  '003_events': m003,
  '004_notifications': m004,
  '005_positions': m005,
  '006_limits': m006,
  '007_tallies': m007,
  '008_around': m008,
  '009_sorted': m009,
  '010_outbox': m010,
  '011_sign_in': m011,
  '012_account_changes': m012,
  '013_email_keys': m013,
  '014_abuse_limits': m014,
  '015_policies': m015,
  '016_repair': m016,
  '017_step_keys': m017,
  '018_live_events': m018,
  '019_history': m019,
  '020_timers': m020,
  '021_adjustments': m021,
  '022_order_numbers': m022,
  '023_files': m023,
  '024_exceptions': m024,
  '025_pays': m025,
  '026_handovers': m026,
  '027_cases': m027,
  '028_order_changes': m028,
  '029_legs': m029,
  '030_weighing': m030,
  '031_weighed_payments': m031,
  '032_photos_and_shares': m032,
  '033_operators': m033,
  '034_people': m034,
  '035_disputes': m035,
  '036_admissions': m036,
  '037_hours': m037,
  '038_zones': m038,
  '039_returned_payouts': m039,
  '040_payout_files': m040,
  '041_admission_changes': m041,
  '042_promos': m042,
  '043_passkeys': m043,
  '044_reconciled_days': m044,
  '045_tax_ids': m045,
  '046_listed_payments': m046,
  '047_event_order': m047,
  '048_payers': m048,
  '050_position_accuracy': m050,
  '051_ways_home': m051,
  '053_rates_and_restores': m053,
};

const NAMES = Object.keys(MIGRATIONS);
const NEWEST = NAMES.at(-1) ?? '';

/** Whether this release has a migration of that name. */
export const isMigration = (name: string): boolean => NAMES.includes(name);

const LARGE_INDEXES = [
  ...m019.HISTORY_KEYS,
  m022.ORDER_NUMBER_KEY,
  ...m024.EXCEPTION_KEYS,
  m031.REPLACEMENTS_INDEX,
  ...m033.MONEY_INDEXES,
  ...m033.INBOX_INDEXES,
  ...m033.CONSOLE_INDEXES,
  ...m034.PEOPLE_INDEXES,
  ...m048.PAYER_INDEXES,
];

/** The last migrations of releases whose tables are let go of before the next release takes its own. */
const TRANSACTION_ENDS = ['021_adjustments', '046_listed_payments'];

/** Why a database cannot be migrated now, in one line for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

// The lock that Kysely takes as well: servers of releases that do not wait here are kept out, too.
const LOCK_ID = '3853314791062309107';
const LOCK_RETRY_MS = 250;
const LOCK_WAIT_S = 60;

export type MigrateOptions = {
  readonly log?: (message: string) => void;
  /** How long to wait for another server that migrates, and then for tables that are in use. */
  readonly lockWaitS?: number;
  /** The last migration to run, to restore a backup of an earlier release. By default the newest. */
  readonly upTo?: string;
};

/**
 * Runs the missing migrations, on one session of `db`, which must not go through a connection pooler. When several servers
 * start at once, one migrates and the others wait. Throws a MigrationError when that takes too long, or when the database is
 * ahead of this release.
 */
export async function migrate(db: Tx, options: MigrateOptions = {}): Promise<void> {
  const { upTo = NEWEST } = options;
  if (await isUpToDate(db, upTo)) return;
  await db.connection().execute(async (session) => {
    await takeLock(session, options);
    try {
      await migrateSession(session, { lockWaitS: options.lockWaitS ?? LOCK_WAIT_S, upTo });
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(LOCK_ID)}::bigint)`.execute(session);
    }
  });
}

async function migrateSession(
  session: Tx,
  { lockWaitS, upTo }: { readonly lockWaitS: number; readonly upTo: string },
): Promise<void> {
  try {
    await sql`select set_config('rubadub.lock_wait', ${`${lockWaitS}s`}, false)`.execute(session);
    const migrator = new Migrator({ db: session, provider: { getMigrations: async () => MIGRATIONS } });
    const done = new Set(await listMigrations(session));
    for (const last of TRANSACTION_ENDS.filter((name) => !done.has(name) && name < upTo)) {
      const { error } = await migrator.migrateTo(last);
      if (error) throw error;
    }
    const { error } = await migrator.migrateTo(upTo);
    if (error) throw error;
    if (upTo === NEWEST) await makeLargeIndexes(session, LARGE_INDEXES, lockWaitS);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new MigrationError(
      `tables were in use for ${lockWaitS} seconds without a pause: end what uses them for so long, then start this server again`,
    );
  }
}

async function isUpToDate(db: Tx, upTo: string): Promise<boolean> {
  const done = new Set(await listMigrations(db));
  const unknown = [...done].filter((name) => !isMigration(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `the database was migrated by a newer release (${unknown.join(', ')}): start that release or a newer one`,
    );
  }
  if (!NAMES.every((name) => done.has(name) || name > upTo)) return false;
  return upTo !== NEWEST || areLargeIndexesMade(db, LARGE_INDEXES);
}

async function takeLock(session: Tx, { log = () => {}, lockWaitS = LOCK_WAIT_S }: MigrateOptions): Promise<void> {
  const tryLock = () =>
    queryRow<{ taken: boolean }>(session, sql`select pg_try_advisory_lock(${sql.lit(LOCK_ID)}::bigint) as taken`);
  const tries = Math.ceil((lockWaitS * 1000) / LOCK_RETRY_MS);
  for (let count = 0; count <= tries; count += 1) {
    if ((await tryLock())?.taken) return;
    if (count === 0) log(`waiting for another server that migrates the database, up to ${lockWaitS} seconds`);
    await setTimeout(LOCK_RETRY_MS);
  }
  throw new MigrationError(
    `another server has been migrating the database for ${lockWaitS} seconds: start this one again when that is done`,
  );
}
