// What operators read and change of promo codes.
export { endPromo, findPromo, findPromoById, insertPromo, type PromoRow } from './promos.sql.ts';
export { listPromos, listUses, type PromoWithCost, readCost } from './uses.sql.ts';
