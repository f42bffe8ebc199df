import type { Point } from '../../../domain/places.ts';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useIsPageUsed } from '../../hooks/useIsPageUsed.ts';
import { NearAtRest, useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { Offer } from '../dashboardQuery.ts';
import styles from './OffersMap.module.css';
import { tripsOf } from './trips.ts';

const TripsMap = lazyPart('The map', async () => (await import('./TripsMap.tsx')).TripsMap);

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
