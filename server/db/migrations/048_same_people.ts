import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // A keyed digest of the number, so that two people with the same one are found without decrypting anybody's. Null until the server
  // has seen it with its key.
  'alter table payout_accounts add column mark bytea',
  'alter table tax_ids add column mark bytea',
  // Two people of one order who may be the same person, and the case in which the town looks at it.
  `create table same_people (
    one uuid not null references users,
    other uuid not null references users,
    case_id uuid not null references cases,
    marks text[] not null,
    found_at timestamptz not null,
    primary key (one, other, case_id),
    check (one < other)
  )`,
  'create index same_people_of_case on same_people (case_id)',
  // One more reason than before, whichever those are.
  `do $$
  declare
    definition text;
  begin
    select pg_get_constraintdef(oid) into definition from pg_constraint
      where conname = 'payout_holds_reason_check' and conrelid = 'payout_holds'::regclass;
    alter table payout_holds drop constraint payout_holds_reason_check;
    execute 'alter table payout_holds add constraint payout_holds_reason_check '
      || replace(replace(definition, ' NOT VALID', ''), 'ARRAY[', 'ARRAY[''same-people''::text, ') || ' not valid';
  end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
