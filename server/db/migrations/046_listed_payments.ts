import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // What the card network has listed of a day so far. A large day has a million payments: too many for its row, which is
  // written after each page.
  `create table reconciled_ids (
    -- One comparison of a day: 'run' in its progress.
    run uuid,
    square_id text,
    primary key (run, square_id)
  )`,
  'create index promo_uses_counted_of_bud on promo_uses (bud_id) where returned_at is null',
  // As before, but a use that is given back and taken again keeps its card: of an order that is called off, the share of a trip may
  // be charged after all.
  `create or replace function promo_uses_follow() returns trigger language plpgsql as $$
  declare
    ends boolean;
    promo uuid;
  begin
    case
      when new.state in ('voiding', 'voided', 'declined') then ends := true;
      when new.state in ('capturing', 'captured') then ends := false;
      else return null;
    end case;
    update promo_uses u set returned_at = case when ends then new.updated_at end
      where u.order_id = new.order_id and (u.returned_at is null) = ends
      returning u.promo_id into promo;
    if promo is not null then
      update promos p set uses = p.uses + case when ends then -1 else 1 end where p.id = promo;
    end if;
    return null;
  end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
