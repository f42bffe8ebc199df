import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
import type { Position } from '../../../contract/positions.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import type { DeliverySituation } from '../../../domain/process/situation.ts';
import { isRelayed } from '../../handovers/situation.ts';
import { type DeliveryForPosition, usePosition } from './usePosition.ts';
import { useRoute } from './useRoute.ts';

/** What a map shows of a delivery's Duber: the last position, if the viewer may see it, and the way. */
type Driver = { readonly position: Position | null; readonly route: DeliveryRoute | undefined };

type DeliveryForDriver = DeliveryForPosition & { readonly situation?: DeliverySituation | undefined };

export function useDriver(delivery: DeliveryForDriver | undefined, isTold: boolean): Driver {
  const position = usePosition(isTold ? delivery : undefined);
  const route = useRoute(delivery, position);
  // Only Dubers know where relayed laundry waits: for the others the way ahead would lead to the wrong door.
  return { position, route: route && delivery && isRelayed(delivery) ? { ...route, ahead: null } : route };
}

/** The same, with the position only on the way. */
export const useDriverOnTheWay = (delivery: DeliveryForDriver | undefined): Driver =>
  useDriver(delivery, delivery !== undefined && isOnTheWay(delivery.status));
