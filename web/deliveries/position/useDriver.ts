import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
import type { Position } from '../../../contract/positions.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import { type DeliveryForPosition, usePosition } from './usePosition.ts';
import { useRoute } from './useRoute.ts';

/** What a map shows of a delivery's Duber: the last position, if the viewer may see it, and the way. */
type Driver = { readonly position: Position | null; readonly route: DeliveryRoute | undefined };

export function useDriver(delivery: DeliveryForPosition | undefined, isTold: boolean): Driver {
  const position = usePosition(isTold ? delivery : undefined);
  return { position, route: useRoute(delivery, position) };
}

/** The same, with the position only on the way. */
export const useDriverOnTheWay = (delivery: DeliveryForPosition | undefined): Driver =>
  useDriver(delivery, delivery !== undefined && isOnTheWay(delivery.status));
