import { sql } from 'kysely';
import { queryRows, type Tx } from '../../server/db/database.ts';
import type { NewPromo } from '../../server/promos/promos.sql.ts';
import { createPromo } from '../promos.ts';

/** Codes with every kind of terms. Some are soon used up. */
export async function createPromos(db: Tx, now: () => Date, orders: number): Promise<string[]> {
  const few = Math.max(2, Math.floor(orders / 12));
  const terms: Partial<NewPromo>[] = [
    { value: 500, maxUses: few },
    { kind: 'percent', value: 3333, maxDiscount: 700 },
    { kind: 'percent', value: 10_000, maxUses: few },
    { value: 2500, maxUsesPerBud: 1 },
    { kind: 'percent', value: 2000, firstOrderOnly: true },
  ];
  const codes: string[] = [];
  for (const some of terms) codes.push((await createPromo({ db, now }, some)).code);
  return codes;
}

/** Codes that are used more often than they may be. The other checks of codes are those of the ledger. */
export async function findOverused(db: Tx): Promise<string[]> {
  const overused = await queryRows<{ what: string }>(
    db,
    sql`select format('code %s is used %s times by all, instead of %s', m.code, m.uses, m.max_uses) as what from promos m
      where m.uses > m.max_uses
      union all select format('code %s is used %s times by one Bud, instead of %s', m.code, count(*), m.max_uses_per_bud)
      from promos m join promo_uses u on u.promo_id = m.id and u.returned_at is null
      group by m.id, u.bud_id having count(*) > m.max_uses_per_bud or count(*) > 1 and m.first_order_only`,
  );
  return overused.map(({ what }) => what);
}
