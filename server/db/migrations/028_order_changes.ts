import { type Kysely, sql } from 'kysely';

// Orders change their mind: see decision 087. Every statement changes the catalog only: new columns are null, and `not
// valid` skips the scan of a large table, whose rows satisfy the wider checks anyway.
const CHANGES = [
  `alter table orders
    -- Since when it waits for another Scrub, because its Scrub gave it back. Null again once the Bud has chosen one.
    add column given_back_at timestamptz,
    -- When the Bud handed the laundry to the Scrub, without a Duber.
    add column handed_over_at timestamptz,
    -- When it was closed: reviews, tips and claims have ended.
    add column closed_at timestamptz,
    -- Who pays the ways of an order that is cleaned again. Null when the Bud has paid for them.
    add column ways_paid_by text,
    add constraint orders_ways_paid_by check (ways_paid_by in ('platform', 'scrub')) not valid`,
  `alter table deliveries
    -- Who pays the Duber, if the order does not.
    add column paid_by text,
    add constraint deliveries_paid_by check (paid_by in ('platform', 'scrub')) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of CHANGES) await sql.raw(statement).execute(db);
}
