import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Position } from '../../../contract/positions.ts';
import { FINISHED_STATUSES } from '../../../domain/deliveries.ts';
import { isPositionVisible } from '../../../domain/positions.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/queryClient.ts';
import { isPositionKey, positionKey } from '../../api/queryKeys.ts';
import { useNow } from '../../hooks/useNow.ts';

export type DeliveryForPosition = Pick<Delivery, 'id' | 'status'>;

/** The last position of a delivery's Duber, updated by live events; null once it has ended, and when the position is too old. */
export function usePosition(delivery: DeliveryForPosition | undefined): Position | null {
  const { id = '', status = 'Pending' } = delivery ?? {};
  const isTold = status !== 'Pending' && status !== 'Accepted' && !FINISHED_STATUSES.includes(status);
  const now = useNow(isTold);
  const { data } = useQuery({
    queryKey: positionKey(id),
    queryFn: ({ signal }) => fetchPosition(id, signal),
    enabled: isTold,
  });
  // It also expires here, even without another request.
  return isTold && data && isPositionVisible({ at: new Date(data.at), deliveredAt: null }, now) ? data : null;
}

/** Asks for the position. One that an event brings meanwhile is newer than a slow answer. */
async function fetchPosition(id: string, signal: AbortSignal): Promise<Position | null> {
  const countUpdates = () => queryClient.getQueryState(positionKey(id))?.dataUpdateCount ?? 0;
  const updates = countUpdates();
  const { position } = await api.readPosition({ params: { id } }, { signal });
  if (countUpdates() === updates) return position;
  const shown = queryClient.getQueryData<Position | null>(positionKey(id)) ?? null;
  return position && (!shown || position.at > shown.at) ? position : shown;
}

/** Writes a position from an event into the query cache. */
export function cachePosition(id: string, { latitude, longitude, accuracy, at }: Position): void {
  queryClient.setQueryData<Position | null>(positionKey(id), (shown) =>
    shown && shown.at > at ? shown : { latitude, longitude, accuracy, at },
  );
}

/** Refetches every shown position: they may have changed while the event stream was down. */
export function refetchPositions(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isPositionKey(queryKey) });
}
