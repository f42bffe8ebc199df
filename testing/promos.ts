import { v7 as newId } from 'uuid';
import type { Tx } from '../server/db/database.ts';
import { insertPromo, type NewPromo } from '../server/promos/promos.sql.ts';

type Town = { readonly server: { readonly db: Tx }; now(): Date } | { readonly db: Tx; now(): Date };

/** Makes a promo code that holds from now on. Without terms it takes 5 dollars off every order. */
export async function createPromo(town: Town, terms: Partial<NewPromo> = {}): Promise<NewPromo> {
  const id = newId();
  const promo: NewPromo = {
    ...{ id, code: `TEST-${id.slice(-12).toUpperCase()}`, kind: 'amount', value: 500, maxDiscount: null, minTotal: 0 },
    ...{ firstOrderOnly: false, startsAt: town.now(), endsAt: null, maxUses: null, maxUsesPerBud: null },
    ...{ createdBy: 'a test', createdAt: town.now(), ...terms },
  };
  await insertPromo('db' in town ? town.db : town.server.db, promo);
  return promo;
}
