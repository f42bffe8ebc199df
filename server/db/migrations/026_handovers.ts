import { type Kysely, sql } from 'kysely';

// Who has the laundry of an order. Every statement changes the catalog only, or creates an empty table.
const HANDOVERS = [
  `create table handovers (
    order_id uuid not null references orders,
    position integer not null check (position > 0),
    -- The hand-over before: whoever took then is the one who gives now.
    follows integer,
    -- Files are about it.
    id uuid not null default gen_random_uuid() unique,
    round integer not null,
    -- Null when the Bud and the Scrub meet without a Duber.
    delivery_id uuid references deliveries,
    attempt integer,
    kind text not null generated always as (lower(giver_role || '>' || taker_role)) stored,
    giver_role text not null check (giver_role in ('Bud', 'Scrub', 'Duber')),
    giver_id uuid not null,
    taker_role text not null check (taker_role in ('Bud', 'Scrub', 'Duber')),
    taker_id uuid not null,
    -- As far as anybody has counted them.
    bags integer check (bags between 1 and 20),
    proof text not null check (proof in ('none', 'count', 'bag-codes', 'photo', 'pin', 'taker-pressed', 'door')),
    latitude double precision,
    longitude double precision,
    -- The hand-over that this one takes back.
    takes_back integer,
    taken_at timestamptz,
    at timestamptz not null,
    primary key (order_id, position),
    constraint handovers_takers unique (order_id, position, taker_id),
    constraint handovers_chain foreign key (order_id, follows, giver_id)
      references handovers (order_id, position, taker_id),
    constraint handovers_begin check (case position when 1 then follows is null and giver_role = 'Bud'
      else follows = position - 1 end),
    constraint handovers_move check (giver_id <> taker_id)
  )`,
  `create trigger handovers_keep before update or delete or truncate on handovers
    for each statement execute function ledger_keep()`,
  // What the taker says afterwards: "I have 2 bags".
  `create table handover_confirmations (
    order_id uuid not null,
    position integer not null,
    by_id uuid not null references users,
    bags integer not null check (bags between 1 and 20),
    at timestamptz not null,
    primary key (order_id, position),
    foreign key (order_id, position) references handovers
  )`,
  `create trigger handovers_keep before update or delete or truncate on handover_confirmations
    for each statement execute function ledger_keep()`,
  `create table bags (
    code text primary key check (code ~ '^[2-9A-HJ-NP-Z]{6}$'),
    order_id uuid not null references orders,
    n integer not null check (n between 1 and 20),
    made_by uuid not null references users,
    made_at timestamptz not null,
    unique (order_id, n)
  )`,
  // The four digits that a Bud or a Scrub tells the Duber who brings their laundry.
  `create table pins (
    order_id uuid not null references orders,
    round integer not null,
    side text not null check (side in ('Bud', 'Scrub')),
    pin text not null check (pin ~ '^[0-9]{4}$'),
    -- Those since the last right one.
    tries integer not null default 0,
    made_at timestamptz not null,
    primary key (order_id, round, side)
  )`,
  // Whether the Bud lets the laundry stand at the door.
  'alter table orders add column leave_at_door boolean not null default false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of HANDOVERS) await sql.raw(statement).execute(db);
}
