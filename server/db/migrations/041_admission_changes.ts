import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

// Nullable columns without a default change the catalog only. The release before goes on with its own columns of the sweep.
const STATEMENTS = [
  lockTablesSql(['admissions', 'admission_sweeps']),
  `alter table admissions
    -- When the town asked the worker last. Null in rows of before: when their status began.
    add column asked_at timestamptz,
    -- What it needed then. Null in rows of before: what it needs now, or what was accepted of those who are admitted.
    add column asked_for text[]`,
  `alter table admission_sweeps
    -- What the sweep makes true: since when the town asks, and for which documents.
    add column target text,
    add column begun_at timestamptz,
    -- The first pass is over everybody, and this is the last of them so far. Those after it look for who came meanwhile.
    add column is_first_pass boolean,
    add column last_of_pass uuid,
    -- The target that holds for everybody.
    add column done_target text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
