import type { Point } from '../../../domain/places.ts';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useIsPageUsed } from '../../hooks/useIsPageUsed.ts';
import { NearAtRest, useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { Offer } from '../dashboardQuery.ts';
import { MiniMap } from './MiniMap.tsx';
import styles from './OffersMap.module.css';
import { tripsOf } from './trips.ts';

const TripsMap = lazyPart('The map', async () => (await import('./TripsMap.tsx')).TripsMap);

/**
 * All offers on one map, by their numbers. While they load, it is an empty box of its size; then it starts as a drawing. On phones the map loads once the page is used, so that the
 * offers are not slowed down.
 */
export function OffersMap({ offers, from }: { offers: readonly Offer[] | undefined; from: Point | undefined }) {
  const isCompact = useIsCompact();
  const isUsed = useIsPageUsed();
  const canDraw = useCanDrawMaps();
  if (!offers) return <div className={styles.map} />;
  const trips = tripsOf(offers);
  if (trips.length === 0) return null;
  const ways = trips.map(({ number, ...ends }) => ({ ...ends, pickupLabel: `${number}`, dropLabel: '' }));
  return (
    <div className={styles.map}>
      <div className={styles.drawing}>
        <MiniMap ways={ways} from={from} />
      </div>
      {canDraw && (isUsed || !isCompact) && (
        <NearAtRest>
          <TripsMap trips={trips} from={from} />
        </NearAtRest>
      )}
    </div>
  );
}
