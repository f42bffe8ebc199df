import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

// What this and the next migrations of its release change.
const TABLES = [
  'orders',
  'deliveries',
  'delivery_steps',
  'payments',
  'refunds',
  'case_refunds',
  'prices',
  'files',
  'users',
];

// Laundry is weighed: see decision 091. New columns are null, and `not valid` skips the scan of a large table, whose rows
// satisfy the wider checks anyway. Everything else is a new, empty table.
const WEIGHING = [
  lockTablesSql(TABLES),
  `alter table orders
    -- The highest size that is charged without asking. Null for an order that is not weighed.
    add column ceiling_size text,
    -- The time whose prices the order has, for the sizes that it may get.
    add column priced_at timestamptz,
    drop constraint orders_load_size_check,
    add constraint orders_load_size_check
      check (load_size in ('Small', 'Medium', 'Large', 'XL', 'XXL', 'Family')) not valid,
    add constraint orders_ceiling_size_check
      check (ceiling_size in ('Small', 'Medium', 'Large', 'XL', 'XXL', 'Family')) not valid,
    add constraint orders_weighed check ((ceiling_size is null) = (priced_at is null)) not valid`,
  `create table weighings (
    id uuid primary key,
    order_id uuid not null references orders,
    round integer not null,
    scale text not null check (scale in ('scrub', 'duber')),
    by_id uuid not null references users,
    -- The delivery of a Duber who has weighed.
    delivery_id uuid references deliveries,
    grams integer not null check (grams > 0),
    -- Whether the Scrub would wash what fits the ceiling.
    splits boolean not null default false,
    at timestamptz not null,
    -- The digest of the request's Idempotency-Key.
    request_key bytea,
    constraint weighings_delivery check ((scale = 'duber') = (delivery_id is not null)),
    constraint weighings_once unique (order_id, scale)
  )`,
  // What became of an order whose laundry weighs something else than its size says.
  `create table corrections (
    order_id uuid primary key references orders,
    from_size text not null,
    -- Null when it is heavier than every size that was sold.
    to_size text,
    -- What the order was to cost, and what the other size costs, in cents.
    from_cents integer not null check (from_cents >= 0),
    to_cents integer check (to_cents >= 0),
    splits boolean not null,
    state text not null check (state in ('lighter', 'auto', 'asked', 'paid', 'kept', 'sent-back')),
    at timestamptz not null,
    answered_at timestamptz,
    answered_by text check (answered_by in ('Bud', 'System')),
    contested_at timestamptz,
    constraint corrections_to check ((to_size is null) = (to_cents is null)),
    constraint corrections_answered check ((answered_at is null) = (answered_by is null)
      and (answered_at is null) = (state in ('lighter', 'auto', 'asked')))
  )`,
  // The pounds of each larger size that are charged.
  `alter table prices
    drop constraint prices_item_check,
    add constraint prices_item_check check (item in ('wash-and-fold', 'dry-cleaning', 'delicate', 'pickup', 'delivery',
      'platform-fee', 'taxes', 'claim-garment', 'claim-order', 'size-XL', 'size-XXL', 'size-Family'))`,
  `alter table files
    drop constraint files_about_kind_check,
    add constraint files_about_kind_check
      check (about_kind in ('order', 'delivery', 'handover', 'case', 'weighing')) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of WEIGHING) await sql.raw(statement).execute(db);
}
