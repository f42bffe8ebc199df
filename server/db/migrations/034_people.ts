import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';

// What keeps people from something for a while. A hold counts until it is lifted, so that nobody has to look at a clock.
const HOLDS = [
  `create table suspensions (
    id uuid primary key,
    user_id uuid not null references users,
    reason text not null,
    status text not null check (status in ('suspended', 'lifted', 'ended')),
    from_at timestamptz not null,
    -- It ends by itself then.
    until_at timestamptz not null,
    set_by uuid not null references operators,
    ended_at timestamptz,
    ended_by uuid references operators,
    constraint suspensions_ended check ((status = 'suspended') = (ended_at is null))
  )`,
  `create unique index suspensions_one_now on suspensions (user_id) where status = 'suspended'`,
  'create index suspensions_of_person on suspensions (user_id, from_at)',
  `create table holds (
    id uuid primary key,
    user_id uuid not null references users,
    kind text not null check (kind in ('sign-in', 'new-work', 'payout')),
    reason text not null,
    -- Holds of a suspension are lifted together.
    suspension_id uuid references suspensions,
    from_at timestamptz not null,
    set_by uuid not null references operators,
    lifted_at timestamptz,
    -- Null when a suspension has ended by itself.
    lifted_by uuid references operators
  )`,
  'create index holds_now on holds (user_id, kind) where lifted_at is null',
  `create unique index holds_one_of_kind on holds (user_id, kind) where lifted_at is null and suspension_id is null`,
  'create index holds_of_person on holds (user_id, from_at)',
  // A statement that takes work sees the holds from before it started. So the last word is here: who sets a hold locks the person,
  // and this waits for them and looks again. A restored row is no new work.
  `create function work_keep_held() returns trigger language plpgsql as $$
  declare
    bud uuid;
    worker uuid;
  begin
    if coalesce(current_setting('rubadub.is_restoring', true), '') = 'on' then return null; end if;
    if tg_table_name = 'deliveries' then worker := new.duber_id;
    else
      worker := new.scrub_id;
      if tg_op = 'INSERT' then bud := new.bud_id; end if;
    end if;
    perform from users where id in (bud, worker) order by id for key share;
    if exists (select from holds where user_id = bud and kind = 'new-work' and lifted_at is null) then
      raise exception 'this Bud places no orders now' using errcode = '23514', constraint = 'holds_of_bud';
    end if;
    if exists (select from holds where user_id = worker and kind = 'new-work' and lifted_at is null) then
      raise exception 'this person takes no new work now' using errcode = '23514', constraint = 'holds_of_worker';
    end if;
    return null;
  end $$`,
  `create trigger work_placed after insert on orders for each row execute function work_keep_held()`,
  `create trigger work_accepted after update on orders for each row
    when (old.scrub_id <> new.scrub_id or old.status = 'Requested' and new.status = 'Accepted')
    execute function work_keep_held()`,
  `create trigger work_accepted after update on deliveries for each row
    when (old.status = 'Pending' and new.status = 'Accepted') execute function work_keep_held()`,
];

/** Made after the migrations: see largeIndexes.sql.ts. */
export const PEOPLE_INDEXES: readonly LargeIndex[] = [
  {
    name: 'users_by_name_start',
    create: 'create index concurrently users_by_name_start on users (lower(fullname) text_pattern_ops)',
  },
  {
    name: 'reviews_of_reviewed',
    create: 'create index concurrently reviews_of_reviewed on reviews (to_user_id, created_at)',
  },
  {
    name: 'delivery_steps_unplanned',
    create: `create index concurrently delivery_steps_unplanned on delivery_steps (actor_id, action)
      where action in ('drop-delivery', 'pickup-failed', 'drop-failed')`,
  },
  {
    name: 'order_steps_unplanned',
    create: `create index concurrently order_steps_unplanned on order_steps (actor_id, action)
      where action in ('give-back', 'reject-order')`,
  },
];

const ACCOUNTS = `create table payout_accounts (
    user_id uuid primary key references users,
    method text not null check (method in ('us-bank', 'iban')),
    -- The whole account, encrypted with the installation's key.
    sealed bytea not null,
    last4 text not null,
    -- Payouts wait for a while after it.
    changed_at timestamptz not null
  )`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...HOLDS, ACCOUNTS]) await sql.raw(statement).execute(db);
}
