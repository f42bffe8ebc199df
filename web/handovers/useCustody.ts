import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Custody } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import { api } from '../api.ts';
import { orderKey } from '../orders/queries.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import { custodyKey, stepsOf } from './custodyKey.ts';

/** Who has the laundry of an order, for a page that needs it. Asked again after each step of the order and its deliveries. */
export function useCustody(order: Order, isNeeded = true) {
  return useQuery({
    queryKey: [...custodyKey(order.id), ...stepsOf(order)],
    queryFn: ({ signal }) => api.readCustody({ params: { id: order.id } }, { signal }),
    placeholderData: keepPreviousData,
    enabled: isNeeded,
  });
}

/** What a Bud or a Scrub says about the laundry on their own phone. */
export function useCustodyChange(orderId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: () => Promise<Custody>) => change(),
    onSuccess: (custody) => {
      cache.setQueriesData({ queryKey: custodyKey(orderId) }, custody);
      // The start of a Scrub may have waited for it.
      void cache.invalidateQueries({ queryKey: orderKey(orderId), exact: true });
    },
    onError: (error) => {
      toast.error('Not Changed', { description: errorMessageOf(error, 'Something went wrong') });
      void cache.invalidateQueries({ queryKey: custodyKey(orderId) });
    },
  });
}
