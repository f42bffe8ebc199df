import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OrderSize } from '../../../domain/orders.ts';
import { api } from '../../api.ts';
import type { OrderDraft } from './orderDraft.ts';

type Transport = Pick<OrderDraft, 'selfDelivery' | 'selfPickup'>;

/**
 * What the server asks for a load of this size, and at most with a ceiling. While it reloads, the last answer is the
 * placeholder.
 */
export const priceQuery = (loadSize: OrderSize, { selfDelivery, selfPickup }: Transport, ceilingSize?: OrderSize) =>
  queryOptions({
    queryKey: ['price', loadSize, selfDelivery, selfPickup, ceilingSize],
    queryFn: ({ signal }) =>
      api.calculatePrice(
        { body: { loadSize, selfDelivery, selfPickup, ...(ceilingSize ? { ceilingSize } : {}) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
  });
