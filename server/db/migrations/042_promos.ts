import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

// Promo codes: see decision 115. New columns are null or constant, so no row is written, and `not valid` skips the scan of a large
// table, whose rows satisfy the wider checks anyway.
const PROMOS = [
  `create table promos (
    id uuid primary key,
    code text not null unique check (code = upper(code)),
    kind text not null check (kind in ('percent', 'amount')),
    -- Hundredths of a percent, or cents.
    value integer not null check (value > 0),
    -- Cents. Null: nothing limits it.
    max_discount integer check (max_discount > 0),
    min_total integer not null check (min_total >= 0),
    first_order_only boolean not null,
    starts_at timestamptz not null,
    ends_at timestamptz check (ends_at > starts_at),
    max_uses integer,
    max_uses_per_bud integer check (max_uses_per_bud > 0),
    -- How often it is used, without what was given back. Kept by promo_uses_follow.
    uses integer not null default 0,
    created_by text not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    constraint promos_uses check (uses >= 0)
  )`,
  'create index promos_newest on promos (created_at desc, id desc)',
  // One for each order that is placed with a code, also while its card is being asked.
  `create table promo_uses (
    order_id uuid primary key references payments,
    promo_id uuid not null references promos,
    bud_id uuid not null references users,
    -- Cents, when the order was placed.
    discount integer not null check (discount > 0),
    used_at timestamptz not null,
    -- When the order ended and its card had not paid. Null while it counts.
    returned_at timestamptz,
    -- A digest of the card, where a code is for first orders only.
    card bytea
  )`,
  'create index promo_uses_newest on promo_uses (promo_id, used_at desc, order_id desc)',
  'create index promo_uses_of_bud on promo_uses (promo_id, bud_id) where returned_at is null',
  'create unique index promo_uses_once_a_card on promo_uses (promo_id, card) where card is not null and returned_at is null',
];

const MONEY = [
  lockTablesSql(['orders', 'payments', 'refunds', 'ledger_lines']),
  `alter table orders
    -- What a code takes off what the card pays, in cents. The total is without it.
    add column discount integer,
    add column promo_code text,
    add constraint orders_discount check ((discount is null) = (promo_code is null) and (discount is null or discount >= 0)) not valid`,
  `alter table payments
    -- What the platform pays beside \`amount\`, for a promo code; and how much less the order costs of it.
    add column discount integer not null default 0,
    add column discount_reduced integer not null default 0,
    add constraint payments_discount check (discount >= 0 and discount_reduced between 0 and discount) not valid`,
  `alter table refunds
    -- What goes back to the platform beside \`amount\`, of what it has paid for a promo code.
    add column discount integer not null default 0,
    drop constraint refunds_amount_check,
    add constraint refunds_amount_check check (amount >= 0 and discount >= 0 and amount + discount > 0) not valid,
    drop constraint refunds_taxes,
    add constraint refunds_taxes check (taxes between 0 and amount + discount) not valid,
    drop constraint refunds_forgiven,
    add constraint refunds_forgiven check (forgiven between 0 and amount + discount - taxes) not valid`,
  `alter table ledger_lines
    drop constraint ledger_lines_account_check,
    add constraint ledger_lines_account_check check (account in ('card-clearing', 'unearned', 'scrub', 'duber',
      'platform-revenue', 'taxes-payable', 'refund-costs', 'payouts', 'card-fees', 'disputes', 'promotions')) not valid`,
];

// A use counts while its card may still pay, or has paid. A trigger, so that no way in which an order ends can forget it.
const USES = [
  `create function promo_uses_follow() returns trigger language plpgsql as $$
  declare
    ends boolean;
    promo uuid;
  begin
    case
      when new.state in ('voiding', 'voided', 'declined') then ends := true;
      -- Of a hold that was to be released, a part is charged after all. Its use counts even beyond the limit.
      when new.state in ('capturing', 'captured') then ends := false;
      else return null;
    end case;
    update promo_uses u set returned_at = case when ends then new.updated_at end, card = case when not ends then u.card end
      where u.order_id = new.order_id and (u.returned_at is null) = ends
      returning u.promo_id into promo;
    if promo is not null then
      update promos p set uses = p.uses + case when ends then -1 else 1 end where p.id = promo;
    end if;
    return null;
  end $$`,
  `create trigger promo_uses_follow after update of state on payments for each row
    when (old.discount > 0 and old.state <> new.state) execute function promo_uses_follow()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...MONEY, ...PROMOS, ...USES]) await sql.raw(statement).execute(db);
}
