import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LoadSize } from '../../../domain/orders.ts';
import { api } from '../../api.ts';
import type { OrderDraft } from './orderDraft.ts';

type Transport = Pick<OrderDraft, 'selfDelivery' | 'selfPickup'>;

/** What the server asks for a load of this size. While it reloads, the last answer is the placeholder. */
export const priceQuery = (loadSize: LoadSize, { selfDelivery, selfPickup }: Transport) =>
  queryOptions({
    queryKey: ['price', loadSize, selfDelivery, selfPickup],
    queryFn: ({ signal }) => api.calculatePrice({ body: { loadSize, selfDelivery, selfPickup } }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
  });
