import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Position } from '../../../contract/positions.ts';
import { isPositionVisible } from '../../../domain/positions.ts';
import { api } from '../../api.ts';
import { useNow } from '../../hooks/useNow.ts';
import { queryClient } from '../../queryClient.ts';

const POSITION = 'position';
const positionKey = (id: string) => ['deliveries', 'one', id, POSITION] as const;

/** Whether a cached answer is where somebody is: what is kept on a device for later leaves it out. */
export const isPositionKey = (key: readonly unknown[]) => key[0] === 'deliveries' && key[3] === POSITION;

type DeliveryForPosition = Pick<Delivery, 'id' | 'status' | 'statusHistory'>;

/** Where the Duber of a delivery was last seen, moved by the live events; null when nobody may know any more. */
export function usePosition(delivery: DeliveryForPosition | undefined): Position | null {
  const { id = '', status = 'Pending', statusHistory = [] } = delivery ?? {};
  const delivered = statusHistory.find((step) => step.status === 'Delivered');
  const deliveredAt = delivered ? new Date(delivered.createdAt) : null;
  const hasBegun = status !== 'Pending' && status !== 'Accepted';
  const isTold = hasBegun && isPositionVisible({ at: new Date(), deliveredAt }, new Date());
  const now = useNow(isTold);
  const { data } = useQuery({
    queryKey: positionKey(id),
    queryFn: async ({ signal }) => (await api.readPosition({ params: { id } }, { signal })).position,
    enabled: isTold,
  });
  // It is gone here as well when its time is over, whether anybody asks anew or not.
  return data && isPositionVisible({ at: new Date(data.at), deliveredAt }, now) ? data : null;
}

/** Puts a place that an event told where the screens look for it. */
export function cachePosition(id: string, { latitude, longitude, at }: Position): void {
  queryClient.setQueryData<Position | null>(positionKey(id), (shown) =>
    shown && shown.at > at ? shown : { latitude, longitude, at },
  );
}

/** Asks anew for every place that is shown: while nothing was heard, they may have moved on. */
export function refetchPositions(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isPositionKey(queryKey) });
}
