import { useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { ZoneMapProps } from './ZoneMap.tsx';
import styles from './Zones.module.css';

const ZoneMap = lazyPart('The map', async () => (await import('./ZoneMap.tsx')).ZoneMap);

/** A map where one can be drawn; nothing elsewhere: the corners are in words beside it. */
export function LazyZoneMap(props: ZoneMapProps) {
  const canDraw = useCanDrawMaps();
  if (!canDraw) return null;
  return (
    <>
      <div className={styles.map}>
        <ZoneMap {...props} />
      </div>
      {props.onChange && (
        <p className="quiet">
          Tap the map to add corners along the edge, one after the other. Drag a corner to move it.
        </p>
      )}
    </>
  );
}
