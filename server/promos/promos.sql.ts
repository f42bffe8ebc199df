import { sql } from 'kysely';
import type { BudId } from '../../domain/accounts.ts';
import type { PromoKind, PromoTerms } from '../../domain/promos.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';

/** A promo code and how often it is used. */
export type PromoRow = PromoTerms & {
  readonly id: string;
  readonly code: string;
  readonly uses: number;
  readonly createdBy: string;
  readonly createdAt: Date;
};

const PROMO_COLUMNS = [
  'id',
  'code',
  'kind',
  'value',
  'max_discount as maxDiscount',
  'min_total as minTotal',
  'first_order_only as firstOrderOnly',
  'starts_at as startsAt',
  'ends_at as endsAt',
  'max_uses as maxUses',
  'max_uses_per_bud as maxUsesPerBud',
  'uses',
  'created_by as createdBy',
  'created_at as createdAt',
  'ended_at as endedAt',
] as const;

const selectPromos = (tx: Tx) => tx.selectFrom('promos').select(PROMO_COLUMNS).$narrowType<{ kind: PromoKind }>();

export const findPromo = (tx: Tx, code: string): Promise<PromoRow | undefined> =>
  selectPromos(tx).where('code', '=', code).executeTakeFirst();

export const findPromoById = (tx: Tx, id: string): Promise<PromoRow | undefined> =>
  selectPromos(tx).where('id', '=', id).executeTakeFirst();

/** The newest codes. */
export const findPromos = (tx: Tx, { limit, offset }: PageBounds): Promise<PromoRow[]> =>
  selectPromos(tx).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();

/** Ends a code. False when it had ended. */
export async function endPromo(tx: Tx, id: string, now: Date): Promise<boolean> {
  const ended = tx.updateTable('promos').set({ ended_at: now }).where('id', '=', id).where('ended_at', 'is', null);
  return (await ended.executeTakeFirst()).numUpdatedRows > 0n;
}

/**
 * Counts one use more and locks the code until the transaction ends, so that others who use it wait. `uses` are those
 * before.
 */
export async function countUse(tx: Tx, id: string): Promise<PromoRow | undefined> {
  const promo = await tx
    .updateTable('promos')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', id)
    .returning(PROMO_COLUMNS)
    .executeTakeFirst();
  return promo && ({ ...promo, uses: promo.uses - 1 } as PromoRow);
}

export type UseFacts = { readonly usesOfBud: number; readonly hasOrdered: boolean };

/** The accounts of a Bud's phone. The phones are compared as their index has them. */
const peopleOf = (bud: BudId) => sql`people as (
  select ${bud}::uuid as id
  union select u.id from users me join users u on reverse(u.phone) = reverse(me.phone) and u.phone is not null
    and u.role = 'Bud' where me.id = ${bud}::uuid and me.phone is not null)`;

/**
 * For a code for first orders, locks the accounts of the Bud's phone until the transaction ends: they may use another such code at
 * the same time. Call it before `countUse`.
 */
export async function lockFirstOrder(tx: Tx, promoId: string, bud: BudId): Promise<void> {
  await queryRows(
    tx,
    sql`with ${peopleOf(bud)} select u.id from users u
      where exists (select from promos p where p.id = ${promoId}::uuid and p.first_order_only) and u.id in (select id from people)
      order by u.id for no key update of u`,
  );
}

/** How often a Bud uses a code, and whether they have ordered before: from this account, or from another one with their phone. */
export async function readUseFacts(tx: Tx, promoId: string, bud: BudId): Promise<UseFacts> {
  // Raw SQL: both in one round trip.
  const facts = await queryRow<UseFacts>(
    tx,
    sql`with ${peopleOf(bud)}
      select (select count(*)::int from promo_uses x where x.promo_id = ${promoId}::uuid and x.bud_id = ${bud}::uuid
          and x.returned_at is null) as "usesOfBud",
        exists (select from people m join orders o on o.bud_id = m.id join payments p on p.order_id = o.id
            where p.state in ('held', 'capturing', 'captured', 'stuck'))
          -- Also an order whose card is being asked, with this or another code.
          or exists (select from people m join promo_uses x on x.bud_id = m.id where x.returned_at is null) as "hasOrdered"`,
  );
  if (!facts) throw new Error('a select without a from clause returned no row');
  return facts;
}

export type NewUse = {
  readonly orderId: string;
  readonly promoId: string;
  readonly bud: BudId;
  readonly discount: number;
};

export async function insertUse(tx: Tx, { orderId, promoId, bud, discount }: NewUse, now: Date): Promise<void> {
  await tx
    .insertInto('promo_uses')
    .values({ order_id: orderId, promo_id: promoId, bud_id: bud, discount, used_at: now })
    .execute();
}

/** Writes down the card of a code for first orders. Fails with `promo_uses_once_a_card` when another order has used it. */
export async function saveCardOfUse(tx: Tx, orderId: string, card: Buffer): Promise<void> {
  await tx
    .updateTable('promo_uses as u')
    .from('promos as p')
    .set({ card })
    .whereRef('p.id', '=', 'u.promo_id')
    .where('p.first_order_only', '=', true)
    .where('u.order_id', '=', orderId)
    .where('u.returned_at', 'is', null)
    .execute();
}

/** Whether the code that an order uses is for first orders only. */
export async function isForFirstOrder(tx: Tx, orderId: string): Promise<boolean> {
  const use = tx
    .selectFrom('promo_uses as u')
    .innerJoin('promos as p', 'p.id', 'u.promo_id')
    .select('p.first_order_only as isIt')
    .where('u.order_id', '=', orderId);
  return (await use.executeTakeFirst())?.isIt === true;
}

export type NewPromo = Omit<PromoRow, 'uses' | 'endedAt'>;

/** Fails with `promos_code_key` when there is or was such a code. */
export async function insertPromo(tx: Tx, promo: NewPromo): Promise<void> {
  const { id, code, kind, value, createdAt, createdBy } = promo;
  const { maxDiscount, minTotal, firstOrderOnly, startsAt, endsAt, maxUses, maxUsesPerBud } = promo;
  await tx
    .insertInto('promos')
    .values({
      ...{ id, code, kind, value, max_discount: maxDiscount, min_total: minTotal, first_order_only: firstOrderOnly },
      ...{ starts_at: startsAt, ends_at: endsAt, max_uses: maxUses, max_uses_per_bud: maxUsesPerBud },
      ...{ created_at: createdAt, created_by: createdBy },
    })
    .execute();
}
