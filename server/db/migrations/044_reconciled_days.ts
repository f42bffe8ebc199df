import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // What the card network and the ledger say of a day.
  `create table reconciled_days (
    -- A day of UTC, like 2026-11-23.
    day text primary key check (day ~ '^\\d{4}-\\d\\d-\\d\\d$'),
    -- Null until it was compared for the first time.
    state text check (state in ('equal', 'differs', 'failed')),
    checked_at timestamptz,
    -- Cents by kind: charged, refunded, fees, disputed.
    ours jsonb,
    theirs jsonb,
    -- How many payments, refunds and chargebacks the card network has.
    counts jsonb,
    -- How many amounts differ, and the first of them.
    differing integer not null default 0 check (differing >= 0),
    differences jsonb not null default '[]',
    -- Whether an operator has had the same result compared again: Today does not mention it any more.
    is_known boolean not null default false,
    -- When it is compared, or its next page. Null when it is done.
    due_at timestamptz,
    tries integer not null default 0,
    -- Why the last try failed.
    failure text,
    -- What is compared so far, page by page.
    progress jsonb
  )`,
  'create index reconciled_days_due on reconciled_days (day) where due_at is not null',
  `create index reconciled_days_for_a_person on reconciled_days (day) where state in ('differs', 'failed') and not is_known`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
