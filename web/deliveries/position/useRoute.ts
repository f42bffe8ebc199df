import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
import type { Position } from '../../../contract/positions.ts';
import { isOnTheWay, isPositionStale, isVague } from '../../../domain/positions.ts';
import { api } from '../../api/client.ts';
import { routeKey } from '../../api/queryKeys.ts';
import { useNow } from '../../hooks/useNow.ts';
import { isOnLine } from '../../places/glide.ts';

/** How old the way ahead may be while the driver stays on it. */
const REFRESH_MS = 20_000;

type DeliveryForRoute = Pick<Delivery, 'id' | 'status'>;

/**
 * The way of a delivery along streets. The way ahead begins at the driver's position: it is asked for again when the driver
 * leaves it or after a while, and there is none without a position of the last three minutes.
 */
export function useRoute(delivery: DeliveryForRoute | undefined, position: Position | null): DeliveryRoute | undefined {
  const { id = '', status = 'Pending' } = delivery ?? {};
  const now = useNow(position !== null);
  const { data, refetch } = useQuery({
    queryKey: routeKey(id),
    queryFn: ({ signal }) => api.readRoute({ params: { id } }, { signal }),
    enabled: delivery !== undefined,
  });
  const isLive =
    position !== null && !isVague(position) && isOnTheWay(status) && !isPositionStale(new Date(position.at), now);
  useEffect(() => {
    if (isLive && data && isOutdated(data, position)) void refetch({ cancelRefetch: false });
    // A request in flight goes on: on a slow network the next position would cancel each of them. Once for each position: an answer that does not fit is no reason to ask at once again.
  }, [isLive, data === undefined, position?.at]);
  return data && { leg: data.leg, ahead: isLive ? data.ahead : null };
}

function isOutdated({ ahead }: DeliveryRoute, position: Position): boolean {
  if (!ahead || !isOnLine(ahead.line, position)) return true;
  return Date.parse(position.at) - Date.parse(ahead.at) > REFRESH_MS;
}
