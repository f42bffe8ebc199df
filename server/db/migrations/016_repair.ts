import { type Kysely, sql } from 'kysely';

// The migrations 001 and 004 were edited after their first release. A database that ran an earlier version lacks what
// they gained later. All statements do nothing on other databases.
const REPAIR = [
  `create table if not exists nearby_notices (
    delivery_id uuid primary key,
    latitude double precision not null,
    longitude double precision not null,
    created_at timestamptz not null
  )`,
  'alter table mails add column if not exists failure text',
  'create index if not exists mails_given_up on mails (given_up_at) where given_up_at is not null',
  // Reset links had one row per link, and now have one per user: the newest, which is the only valid one.
  `do $$ begin
    if to_regclass('reset_links_of_user') is not null then
      delete from reset_links old using reset_links new
        where new.user_id = old.user_id and (new.created_at, new.token_hash) > (old.created_at, old.token_hash);
      drop index reset_links_of_user;
      alter table reset_links drop constraint reset_links_pkey;
      alter table reset_links add primary key (user_id), add unique (token_hash);
    end if;
  end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of REPAIR) await sql.raw(statement).execute(db);
}
