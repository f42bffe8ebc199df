import { useQuery } from '@tanstack/react-query';
import type { WithFields } from '../../../contract/answerFields.ts';
import type { NearbyScrub } from '../../../contract/places.ts';
import { NEARBY_SCRUB_FIELDS } from '../../../contract/screenFields.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { NEARBY_RADIUS_M } from '../../../domain/places.ts';
import { api } from '../../api/client.ts';
import type { OrderDraft } from './orderDraft.ts';
import { chosenOf } from './times.ts';

export type FoundScrub = WithFields<NearbyScrub, (typeof NEARBY_SCRUB_FIELDS)[number]>;

function windowsOf(times: OrderDraft['times']) {
  const chosen = chosenOf(times);
  return chosen
    ? {
        ...{ pickupFrom: chosen.pickup.from, pickupUntil: chosen.pickup.until },
        ...{ returnFrom: chosen.return.from, returnUntil: chosen.return.until },
      }
    : {};
}

/** The Scrubs around an address who can do the order, for the list and for the map beside it. */
export function useNearbyScrubs(addressId: string, times: OrderDraft['times'], loadSize?: OrderSize) {
  const query = {
    ...windowsOf(times),
    ...(loadSize && { loadSize }),
    addressId,
    maxDistanceMeters: String(NEARBY_RADIUS_M),
    fields: NEARBY_SCRUB_FIELDS,
  };
  return useQuery({
    queryKey: ['scrubs-nearby', query],
    queryFn: ({ signal }) => api.findScrubsNearby({ query }, { signal }),
    // Coming back to the step searches again: a Scrub may have become invisible.
    refetchOnMount: 'always',
    refetchOnReconnect: true,
  });
}

export const chooseScrub =
  ({ scrub, distanceMeters }: FoundScrub) =>
  (before: OrderDraft): OrderDraft => ({ ...before, scrub: { ...scrub, distanceMeters } });
