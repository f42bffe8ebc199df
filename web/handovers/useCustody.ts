import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Delivery } from '../../contract/deliveries.ts';
import type { Custody } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import { api } from '../api/client.ts';
import { custodyKey, orderKey } from '../api/queryKeys.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';

/**
 * What changes with each step of an order and its deliveries: an answer that was on its way during a step is never shown after
 * the next one, which may lead back to an earlier status.
 */
export const stepsOf = ({
  status,
  round,
  isHandedOver,
  deliveries,
}: {
  readonly deliveries: readonly Pick<Delivery, 'id' | 'status' | 'attempt' | 'statusHistory' | 'exceptions'>[];
} & Pick<Order, 'status' | 'round' | 'isHandedOver'>): readonly string[] => [
  [status, round, isHandedOver].join(' '),
  ...deliveries.map((delivery) =>
    [delivery.id, delivery.status, delivery.attempt, delivery.statusHistory.length, delivery.exceptions.length].join(
      ' ',
    ),
  ),
];

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
