import { type Kysely, sql } from 'kysely';

// Statements one by one: the functions' bodies hold semicolons.
const LEDGER = [
  `create table ledger_entries (
    id bigint generated always as identity primary key,
    kind text not null,
    order_id uuid references orders,
    delivery_id uuid references deliveries,
    refund_id uuid references refunds,
    payout_id uuid references payouts,
    at timestamptz not null,
    written_in xid8 not null,
    -- What an entry tells of: an order, a delivery or a refund of one, or a payout.
    constraint ledger_entries_tell check (case kind
      when 'captured' then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when 'completed' then order_id is not null and num_nonnulls(delivery_id, refund_id, payout_id) = 0
      when 'delivered' then order_id is not null and delivery_id is not null and num_nonnulls(refund_id, payout_id) = 0
      when 'refunded' then order_id is not null and refund_id is not null and num_nonnulls(delivery_id, payout_id) = 0
      when 'paid-out' then payout_id is not null and num_nonnulls(order_id, delivery_id, refund_id) = 0
      else false end)
  )`,
  `create unique index ledger_entries_once_an_order on ledger_entries (order_id, kind)
    where kind in ('captured', 'completed')`,
  'create unique index ledger_entries_once_a_delivery on ledger_entries (delivery_id) where delivery_id is not null',
  'create unique index ledger_entries_once_a_refund on ledger_entries (refund_id) where refund_id is not null',
  'create unique index ledger_entries_once_a_payout on ledger_entries (payout_id) where payout_id is not null',
  `create table ledger_lines (
    entry_id bigint not null references ledger_entries,
    position integer not null check (position >= 0),
    account text not null check (account in ('card-clearing', 'unearned', 'scrub', 'duber', 'platform-revenue',
      'taxes-payable', 'refund-costs', 'payouts')),
    party uuid references users,
    -- Cents; debits above zero, credits below.
    amount integer not null check (amount <> 0),
    -- The entry's, kept here by a trigger, so that a person's lines are read from one index.
    kind text not null,
    at timestamptz not null,
    primary key (entry_id, position),
    constraint ledger_lines_party
      check ((party is not null) = (account in ('card-clearing', 'scrub', 'duber', 'payouts')))
  )`,
  `create index ledger_lines_of_party on ledger_lines (party, account, kind, at) include (amount)
    where party is not null`,
  `create function ledger_keep() returns trigger language plpgsql as $$
  begin
    raise exception 'what stands in % is never changed: write another entry', tg_table_name using errcode = '23514';
  end $$`,
  `create function ledger_open() returns trigger language plpgsql as $$
  begin
    new.written_in := pg_current_xact_id();
    return new;
  end $$`,
  `create function ledger_join() returns trigger language plpgsql as $$
  declare entry record;
  begin
    select e.kind, e.at, e.written_in into entry from ledger_entries e where e.id = new.entry_id;
    if entry.written_in is distinct from pg_current_xact_id() then
      raise exception 'an entry of the ledger is written in one transaction' using errcode = '23514';
    end if;
    new.kind := entry.kind;
    new.at := entry.at;
    return new;
  end $$`,
  `create function ledger_balance() returns trigger language plpgsql as $$
  declare
    entry bigint := case tg_table_name when 'ledger_lines' then (to_jsonb(new) ->> 'entry_id')::bigint
      else (to_jsonb(new) ->> 'id')::bigint end;
    total bigint;
    many integer;
  begin
    select coalesce(sum(l.amount), 0), count(*) into total, many from ledger_lines l where l.entry_id = entry;
    if total <> 0 or many < 2 then
      raise exception 'entry % of the ledger has % lines that add up to % cents', entry, many, total
        using errcode = '23514', constraint = 'ledger_balance';
    end if;
    return null;
  end $$`,
  `create trigger ledger_open before insert on ledger_entries for each row execute function ledger_open()`,
  `create trigger ledger_join before insert on ledger_lines for each row execute function ledger_join()`,
  ...['ledger_entries', 'ledger_lines'].map(
    (table) => `create constraint trigger ledger_balance after insert on ${table}
      deferrable initially deferred for each row execute function ledger_balance()`,
  ),
  ...['ledger_entries', 'ledger_lines', 'payout_lines'].map(
    (table) => `create trigger ledger_keep before update or delete or truncate on ${table}
      for each statement execute function ledger_keep()`,
  ),
];

const REFUNDS = [
  `create table refunds (
    id uuid primary key,
    order_id uuid not null references payments,
    amount integer not null check (amount > 0),
    -- The part of the amount that is taxes given back; the rest is borne by the liable side.
    taxes integer not null,
    liable text not null check (liable in ('platform', 'scrub', 'duber')),
    liable_user uuid references users,
    reason text not null,
    state text not null check (state in ('asking', 'pending', 'refunded', 'stuck', 'dropped')),
    square_refund_id text,
    failure text,
    tries integer not null default 0,
    due_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint refunds_taxes check (taxes between 0 and amount),
    constraint refunds_liable check ((liable_user is null) = (liable = 'platform'))
  )`,
  'create index refunds_of_order on refunds (order_id)',
  'create index refunds_due on refunds (due_at) where due_at is not null',
  'alter table payments add constraint payments_refunded check (refunded between 0 and amount)',
  // When the card network is to be asked how a payment stands, and what was found that a person should know.
  'alter table payments add column look_at timestamptz',
  'alter table payments add column concern text',
  'create index payments_to_look_at on payments (look_at) where look_at is not null',
  "create index payments_for_a_person on payments (order_id) where state = 'stuck' or concern is not null",
  'create index payments_by_square_id on payments (square_id) where square_id is not null',
  `create table webhook_events (
    id text primary key,
    type text not null,
    received_at timestamptz not null
  )`,
];

const PAYOUTS = [
  `create table payouts (
    id uuid primary key,
    user_id uuid not null references users,
    -- What was earned before this Monday, 00:00 UTC.
    period_end timestamptz not null check (extract(isodow from period_end at time zone 'UTC') = 1
      and (period_end at time zone 'UTC')::time = time '00:00'),
    amount integer not null check (amount > 0),
    state text not null check (state in ('due', 'sent')),
    method text,
    batch text,
    created_at timestamptz not null,
    sent_at timestamptz,
    constraint payouts_once unique (user_id, period_end)
  )`,
  "create index payouts_due on payouts (created_at) where state = 'due'",
  'create index payouts_of_batch on payouts (batch) where batch is not null',
];

const PAYOUT_LINES = [
  // Each line of a person's account is in one payout at most.
  `create table payout_lines (
    entry_id bigint not null,
    position integer not null,
    payout_id uuid not null references payouts,
    primary key (entry_id, position)
  )`,
  'create index payout_lines_of_payout on payout_lines (payout_id)',
  `create table payout_runs (
    period_end timestamptz primary key,
    finished_at timestamptz not null
  )`,
];

const PRICES = [
  `create table prices (
    item text not null check (item in ('wash-and-fold', 'dry-cleaning', 'delicate', 'pickup', 'delivery',
      'platform-fee', 'taxes')),
    valid_from timestamptz not null,
    -- Cents (a pound, a leg), or hundredths of a percent (platform-fee, taxes).
    value integer not null check (value >= 0),
    primary key (item, valid_from)
  )`,
  // spec 1, spec 9 and the defaults of the installation
  `insert into prices (item, valid_from, value) select item, '2000-01-01T00:00:00Z', value from (values
    ('wash-and-fold', 250), ('dry-cleaning', 800), ('delicate', 400), ('pickup', 599), ('delivery', 599),
    ('platform-fee', 1000), ('taxes', 800)) as start (item, value)`,
];

// The entries of what happened before there was a ledger.
const BEFORE = [
  `insert into ledger_entries (kind, order_id, at) select 'captured', order_id, updated_at from payments
    where state = 'captured' order by updated_at`,
  `insert into ledger_entries (kind, order_id, at) select 'completed', id, completed_at from orders
    where status = 'Completed' and load_price + platform_fee + taxes > 0 order by completed_at`,
  `insert into ledger_entries (kind, order_id, delivery_id, at) select 'delivered', order_id, id, delivered_at
    from deliveries where status = 'Delivered' and price > 0 order by delivered_at`,
  `insert into ledger_lines (entry_id, position, account, party, amount)
    select e.id, l.position, l.account, l.party, l.amount from ledger_entries e
      left join payments p on p.order_id = e.order_id and e.kind = 'captured'
      left join orders o on o.id = e.order_id and e.kind = 'completed'
      left join deliveries d on d.id = e.delivery_id
      cross join lateral (values
        (0, 'card-clearing', p.bud_id, p.amount),
        (1, 'unearned', null, -p.amount),
        (0, 'unearned', null, o.load_price + o.platform_fee + o.taxes),
        (1, 'scrub', o.scrub_id, -o.load_price),
        (2, 'platform-revenue', null, -o.platform_fee),
        (3, 'taxes-payable', null, -o.taxes),
        (0, 'unearned', null, d.price),
        (1, 'duber', d.duber_id, -d.price)
      ) as l (position, account, party, amount)
    where l.amount <> 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...REFUNDS, ...PAYOUTS, ...PAYOUT_LINES, ...LEDGER, ...PRICES, ...BEFORE]) {
    await sql.raw(statement).execute(db);
  }
  await sql
    .raw(
      `alter table payout_lines add constraint payout_lines_of_ledger
        foreign key (entry_id, position) references ledger_lines`,
    )
    .execute(db);
}
