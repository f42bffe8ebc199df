import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PromoQuote } from '../../../contract/promos.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { api } from '../../api/client.ts';
import { lessDiscount } from '../../payments/PriceBreakdown.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { type OrderDraft, type PricedDraft, pricedOf } from './orderDraft.ts';

type Asked = PricedDraft & Pick<OrderDraft, 'addressId' | 'loadSize'>;

/** What a code takes off this order. */
export const promoQuery = (code: string, asked: Asked, ceilingSize?: OrderSize) => {
  const { loadSize = 'Small', addressId } = asked;
  return queryOptions({
    queryKey: ['price', 'promo', code, loadSize, pricedOf(asked), ceilingSize, addressId],
    queryFn: ({ signal }) => {
      const place = addressId === undefined ? {} : { budAddressId: addressId };
      const limit = ceilingSize ? { ceilingSize } : {};
      return api.checkPromo({ body: { code, loadSize, ...pricedOf(asked), ...limit, ...place } }, { signal });
    },
    refetchOnReconnect: true,
  });
};

/** The code of the draft: what it takes off, or why it takes nothing off. */
export type AppliedPromo = {
  readonly code: string;
  /** Undefined while it is asked, and when it takes nothing off. */
  readonly quote: PromoQuote | undefined;
  /** Why it takes nothing off. */
  readonly refused: string | undefined;
};

/** What the card pays of an amount. Undefined while it is not known. */
export function onCard(amount: number | undefined, promo: AppliedPromo | undefined): number | undefined {
  if (amount === undefined || promo === undefined || promo.refused !== undefined) return amount;
  return promo.quote && lessDiscount(amount, promo.quote);
}

export const PROMO_UNCHECKED = 'We could not check this code. Please try again';

export function useAppliedPromo(draft: OrderDraft, limit: OrderSize | undefined): AppliedPromo | undefined {
  const { promoCode, loadSize } = draft;
  const isAsked = promoCode !== undefined && loadSize !== undefined;
  const { data, error } = useQuery({ ...promoQuery(promoCode ?? '', draft, limit), enabled: isAsked });
  if (!isAsked) return undefined;
  const refused = error ? errorMessageOf(error, PROMO_UNCHECKED) : undefined;
  return { code: promoCode, quote: error ? undefined : data, refused };
}
