import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CallFailed } from '../../../contract/callClient.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { api } from '../../api/client.ts';
import { refreshConfig } from '../../api/config.ts';
import { type OrderDraft, type PricedDraft, pricedOf } from './orderDraft.ts';

type Asked = PricedDraft & Pick<OrderDraft, 'addressId'>;

/** When a size or the limit is refused, the town has changed what it sells or whether it weighs: read that again. */
export function refreshRefusedSizes(error: unknown): void {
  const refused = error instanceof CallFailed ? error.validationErrors : [];
  if (refused.some(({ property }) => property === 'loadSize' || property === 'ceilingSize')) refreshConfig();
}

/**
 * What the server asks for a load of this size at the Bud's address, and at most with a limit; with what the other choices cost,
 * so that they need no request of their own. While it reloads, the last answer is the placeholder.
 */
export const priceQuery = (loadSize: OrderSize, asked: Asked, ceilingSize?: OrderSize) =>
  queryOptions({
    queryKey: ['price', loadSize, pricedOf(asked), ceilingSize, asked.addressId],
    queryFn: async ({ signal }) => {
      const place = asked.addressId === undefined ? {} : { budAddressId: asked.addressId };
      const limit = ceilingSize ? { ceilingSize } : {};
      const body = { loadSize, ...pricedOf(asked), ...limit, ...place, withChoices: true };
      try {
        return await api.calculatePrice({ body }, { signal });
      } catch (error) {
        refreshRefusedSizes(error);
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
  });
