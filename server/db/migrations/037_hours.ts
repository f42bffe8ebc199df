import { type Kysely, sql } from 'kysely';

const CLOSURES = [
  // When the town takes no orders, whatever its hours are. The hours are a setting.
  `create table closures (
    id uuid primary key,
    from_at timestamptz not null,
    until_at timestamptz not null,
    -- What people read who try to order.
    words text not null,
    added_by uuid not null references operators,
    added_at timestamptz not null,
    -- From then on it does not hold. The row stays as its history.
    taken_back_at timestamptz,
    taken_back_by uuid references operators,
    constraint closures_span check (from_at < until_at),
    constraint closures_taken_back check ((taken_back_at is null) = (taken_back_by is null))
  )`,
  'create index closures_by_end on closures (until_at, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of CLOSURES) await sql.raw(statement).execute(db);
}
