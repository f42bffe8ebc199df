import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
import type { Position } from '../../../contract/positions.ts';
import { exactPlace } from '../../../domain/positions.ts';
import { MiniMap } from '../../deliveries/offers/MiniMap.tsx';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useIsPageUsed } from '../../hooks/useIsPageUsed.ts';
import { LazyRouteMap, useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import styles from './LiveOrderCard.module.css';
import type { LiveOrder } from './liveOrder.ts';

type LiveMapProps = { order: LiveOrder; position: Position | undefined; route: DeliveryRoute | undefined };

/**
 * The route from A to B. On phones it starts as a drawing, and becomes a map when a driver is on the way, or when the page is
 * used. So opening the dashboard does not load the map library.
 */
export function LiveMap({ order, position, route }: LiveMapProps) {
  const isCompact = useIsCompact();
  const isUsed = useIsPageUsed();
  const home = { name: 'Your address', point: order.budAddress };
  const place = order.scrub.addresses[0];
  if (!place) return null;
  const ends = [home, { name: order.scrub.fullname, point: place }] as const;
  const isWayBack = order.status === 'Completed' || order.status === 'Cancelled';
  const [from, to] = isWayBack ? [ends[1], ends[0]] : ends;
  return (
    <div className={styles.side}>
      <div className={styles.map}>
        <div className={styles.drawing}>
          <MiniMap
            ways={[{ pickup: from.point, drop: to.point, pickupLabel: 'A', dropLabel: 'B' }]}
            from={exactPlace(position)}
          />
        </div>
        {/* The map draws its ends once, so the way back is another map. */}
        {(position || isUsed || !isCompact) && (
          <MapWhereDrawn key={from.name} pickup={from.point} drop={to.point} position={position} route={route} />
        )}
      </div>
      <p className={styles.legend}>
        <b>A</b> {from.name} <b>B</b> {to.name}
      </p>
    </div>
  );
}

/** Nothing in a browser that cannot draw maps, where the drawing stays. */
function MapWhereDrawn(props: Parameters<typeof LazyRouteMap>[0]) {
  return useCanDrawMaps() ? <LazyRouteMap {...props} /> : null;
}
