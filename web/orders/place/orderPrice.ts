import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CallFailed } from '../../../contract/callClient.ts';
import type { PriceQuote } from '../../../contract/orders.ts';
import type { Price } from '../../../contract/payments.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { api } from '../../api/client.ts';
import { refreshConfig } from '../../api/config.ts';
import { queryClient } from '../../api/queryClient.ts';
import { type OrderDraft, type PricedDraft, pricedOf } from './orderDraft.ts';

type Asked = PricedDraft & Pick<OrderDraft, 'addressId'>;

/** When a size or the limit is refused, the town has changed what it sells or whether it weighs: read that again. */
export function refreshRefusedSizes(error: unknown): void {
  const refused = error instanceof CallFailed ? error.validationErrors : [];
  if (refused.some(({ property }) => property === 'loadSize' || property === 'ceilingSize')) refreshConfig();
}

const priceKey = (loadSize: OrderSize, asked: Asked, ceilingSize?: OrderSize) =>
  ['price', loadSize, pricedOf(asked), ceilingSize, asked.addressId] as const;

/** Stores the price of each other size, so that it shows at once when it is chosen. */
function storeOtherSizes({ choices }: PriceQuote, loadSize: OrderSize, asked: Asked): void {
  for (const [size, price] of Object.entries(choices?.prices ?? {}) as [OrderSize, Price][])
    if (size !== loadSize) queryClient.setQueryData<PriceQuote>(priceKey(size, asked), { ...price, choices });
}

/**
 * What the server asks for a load of this size at the Bud's address, and at most with a limit; with what the other choices cost,
 * so that they need no request of their own. While it reloads, the last answer is the placeholder.
 */
export const priceQuery = (loadSize: OrderSize, asked: Asked, ceilingSize?: OrderSize) =>
  queryOptions({
    queryKey: priceKey(loadSize, asked, ceilingSize),
    queryFn: async ({ signal }) => {
      const place = asked.addressId === undefined ? {} : { budAddressId: asked.addressId };
      const limit = ceilingSize ? { ceilingSize } : {};
      const body = { loadSize, ...pricedOf(asked), ...limit, ...place, withChoices: true };
      try {
        const quote = await api.calculatePrice({ body }, { signal });
        if (!ceilingSize) storeOtherSizes(quote, loadSize, asked);
        return quote;
      } catch (error) {
        refreshRefusedSizes(error);
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
  });
