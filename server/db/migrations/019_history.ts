import { type Kysely, sql } from 'kysely';
import type { LargeIndex } from '../largeIndexes.sql.ts';

// Waiting for these tables one after the other, while steps, payments and lists use several of them in any order, could end
// in a deadlock. So it takes all that this and the next migrations of its release change, lets go of them after a moment,
// and tries again, as long as `migrate` allows.
const LOCKS = [
  `do $$
  declare
    give_up_at timestamptz := clock_timestamp()
      + coalesce(nullif(current_setting('rubadub.lock_wait', true), ''), '60s')::interval;
  begin
    loop
      begin
        perform set_config('lock_timeout', '300ms', true);
        lock table orders, deliveries, order_steps, delivery_steps, ledger_entries in access exclusive mode;
        exit;
      exception when lock_not_available then
        if clock_timestamp() > give_up_at then raise; end if;
        perform pg_sleep(0.1);
      end;
    end loop;
    perform set_config('lock_timeout', '0', true);
  end $$`,
];

// The history says what was done and by whom, and a status may come again: an order starts over with its next round, a
// delivery with its next attempt. All new columns are null or constant, so no row is written.
const COLUMNS = [
  'alter table orders add column round integer not null default 1',
  'alter table deliveries add column attempt integer not null default 1',
  `alter table order_steps
    add column round integer not null default 1,
    -- The row of ORDER_FLOW. Null in steps of earlier releases: order_steps_name says how it follows from the rest.
    add column action text,
    -- Null for the System, and in steps of earlier releases.
    add column actor_id uuid,
    add column actor_role text,
    -- Why, where a row asks for it: one of its reasons, and what somebody wrote.
    add column reason text,
    add column words text`,
  `alter table delivery_steps
    add column attempt integer not null default 1,
    add column action text,
    add column actor_id uuid,
    add column actor_role text,
    add column reason text,
    add column words text`,
];

// Servers of the previous release write steps without an action while they serve. The new keys hold for these, too: a step
// gets its action from its status, which exactly one row led to. Only a cancelled order needs a second look. A later
// release drops both triggers.
const ACTIONS = [
  `create function order_steps_name() returns trigger language plpgsql as $$
  begin
    new.action := case new.status
      when 'Requested' then 'place-order'
      when 'Accepted' then 'accept-order'
      when 'Rejected' then 'reject-order'
      when 'In_Progress' then 'start-order'
      when 'Completed' then 'complete-order'
      when 'Cancelled' then case
        when new.request_key is null and new.created_at >= (select o.created_at from orders o where o.id = new.order_id)
          + interval '24 hours' then 'expire-request'
        else 'cancel-order' end
    end;
    return new;
  end $$`,
  `create trigger order_steps_name before insert on order_steps
    for each row when (new.action is null) execute function order_steps_name()`,
  `create function delivery_steps_name() returns trigger language plpgsql as $$
  begin
    new.action := case new.status
      when 'Pending' then 'open-delivery'
      when 'Accepted' then 'accept-delivery'
      when 'Way_To_Pick' then 'way-to-pickup'
      when 'Collected' then 'collected'
      when 'Way_To_Drop' then 'way-to-drop'
      when 'Delivered' then 'delivered'
    end;
    return new;
  end $$`,
  `create trigger delivery_steps_name before insert on delivery_steps
    for each row when (new.action is null) execute function delivery_steps_name()`,
];

/** Made after the migrations: see largeIndexes.sql.ts. Steps of earlier releases have no action, and are not in them. */
export const HISTORY_KEYS: readonly LargeIndex[] = [
  {
    name: 'order_steps_once_a_round',
    create: `create unique index concurrently order_steps_once_a_round on order_steps (order_id, round, action)
      where action is not null`,
    replaces: { table: 'order_steps', constraint: 'order_steps_once' },
  },
  {
    name: 'delivery_steps_once_an_attempt',
    create: `create unique index concurrently delivery_steps_once_an_attempt
      on delivery_steps (delivery_id, attempt, action) where action is not null`,
    replaces: { table: 'delivery_steps', constraint: 'delivery_steps_once' },
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...LOCKS, ...COLUMNS, ...ACTIONS]) await sql.raw(statement).execute(db);
}
