import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';

// Orders whose laundry is weighed: see decision 092. New columns are null or constant, so no row is written, and `not valid`
// skips the scan of a large table, whose rows satisfy the checks anyway.
const WEIGHED = [
  `alter table payments
    -- What the card holds for an order that is weighed: its price at most. Null when it holds exactly \`amount\`.
    add column held integer,
    -- How much less than \`amount\` the order costs. What was charged of it goes back.
    add column reduced integer not null default 0,
    -- The order whose hold this one takes the place of. Then the row has the earlier hold, until that is released.
    add column replaces uuid references payments,
    add constraint payments_held check (held >= amount) not valid,
    add constraint payments_reduced check (reduced between 0 and amount) not valid`,
];

/** Made after the migrations: see largeIndexes.sql.ts. */
export const REPLACEMENTS_INDEX: LargeIndex = {
  name: 'payments_of_replacements',
  create: `create index concurrently payments_of_replacements on payments (replaces) where replaces is not null`,
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of WEIGHED) await sql.raw(statement).execute(db);
}
