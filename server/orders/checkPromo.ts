import type { PromoQuote } from '../../contract/promos.ts';
import { toDollars } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import { findDiscount } from '../promos/promos.ts';
import { quoteCents } from './sizes.ts';

/** What a promo code takes off an order that is placed now. */
export async function checkPromo(
  context: Context,
  { caller, body, from }: Parameters<Handlers['checkPromo']>[0],
): Promise<PromoQuote> {
  const { db, now } = context;
  const { price, atMost } = await quoteCents(db, caller.id, body, now());
  const total = price.totalPrice;
  const { code, discount } = await findDiscount(context, { bud: caller.id, from }, { code: body.code, total });
  const cents = { discount: toDollars(discount), total: toDollars(total - discount) };
  return { code, ...cents, ...(atMost === undefined ? {} : { atMost: toDollars(atMost - discount) }) };
}
