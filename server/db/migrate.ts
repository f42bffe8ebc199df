import { type Migration, Migrator } from 'kysely/migration';
import type { Tx } from './database.ts';
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

/** All migrations in order. A released migration is never edited; a new one corrects it. */
const MIGRATIONS: Record<string, Migration> = {
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
};

/** Runs the missing migrations. When several servers start at once, one migrates and the others wait. */
export async function migrate(db: Tx): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
