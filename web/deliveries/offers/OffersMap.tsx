import type { Point } from '../../../domain/places.ts';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useIsPageUsed } from '../../hooks/useIsPageUsed.ts';
import { NearAtRest, useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { Offer } from '../dashboardQuery.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import styles from './OffersMap.module.css';

const TripsMap = lazyPart('The map', async () => (await import('./TripsMap.tsx')).TripsMap);

/** The way of an offer on the map. */
export type Trip = {
  readonly id: string;
  readonly number: number;
  readonly pickup: Point;
  readonly drop: Point;
};

/** All offers on one map, by their numbers. On phones it loads once the page is used, so that the offers are not slowed down. */
export function OffersMap({ offers, from }: { offers: readonly Offer[]; from: Point | undefined }) {
  const isCompact = useIsCompact();
  const isUsed = useIsPageUsed();
  const canDraw = useCanDrawMaps();
  if (!canDraw) return null;
  return (
    <div className={styles.map}>
      {(isUsed || !isCompact) && (
        <NearAtRest>
          <TripsMap trips={tripsOf(offers)} from={from} />
        </NearAtRest>
      )}
    </div>
  );
}

const tripsOf = (offers: readonly Offer[]): Trip[] =>
  offers.flatMap(({ delivery }, index) => {
    const { pickup, drop } = pickupAndDropOf(delivery, 'Duber');
    if (!pickup.point || !drop.point) return [];
    return [{ id: delivery.id, number: index + 1, pickup: pickup.point, drop: drop.point }];
  });
