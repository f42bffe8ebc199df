import type { ReactNode } from 'react';
import type { DeliveryRoute } from '../../contract/deliveryRoute.ts';
import type { Position } from '../../contract/positions.ts';
import type { Point } from '../../domain/places.ts';
import styles from './MapCard.module.css';
import './maps.css';
import { LazyRouteMap, useCanDrawMaps } from './LazyRouteMap.tsx';
import { useDistance } from './useDistance.ts';

/** One end of a route. Without a `point` it has only text, no pin. */
export type MapStop = {
  readonly label: string;
  readonly address: string | undefined;
  readonly point?: Point | undefined;
};

type MapCardProps = {
  readonly title: string;
  readonly pickup: MapStop;
  readonly drop: MapStop;
  readonly distanceInMeters?: number;
  /** Whether the viewer takes part, and sees both places as they are. */
  readonly isAgreed: boolean;
  /** The driver's last position, when known. */
  readonly position?: Position | undefined;
  /** The way along streets, when known. */
  readonly route?: DeliveryRoute | undefined;
  /** What happens right now, while somebody is under way. The map is larger then. */
  readonly headline?: ReactNode;
  /** More content below the ends. */
  readonly children?: ReactNode;
};

/** Pickup and drop with their letters, the line between them, and their texts; the map only where it can be drawn. */
export function MapCard(props: MapCardProps) {
  const { title, pickup, drop, distanceInMeters, isAgreed, position, route, headline, children } = props;
  const format = useDistance(isAgreed);
  const canDraw = useCanDrawMaps();
  return (
    <section className={styles.card} aria-label={title}>
      {canDraw && pickup.point && drop.point && (
        <div className={`${styles.map} ${headline ? styles.hero : ''}`}>
          <LazyRouteMap pickup={pickup.point} drop={drop.point} position={position} route={route} />
        </div>
      )}
      {headline}
      <h2 className={styles.title}>{title}</h2>
      <ol className={styles.ends}>
        <Stop end={pickup} letter="A" looks="pin pin-flat" />
        <Stop end={drop} letter="B" looks="pin pin-drop pin-flat" />
      </ol>
      <div className={styles.way}>
        {distanceInMeters !== undefined && <p>Distance {format(distanceInMeters)}</p>}
        {children}
      </div>
    </section>
  );
}

function Stop({ end, letter, looks }: { end: MapStop; letter: string; looks: string }) {
  return (
    <li className={styles.end}>
      <span className={looks} aria-hidden="true">
        <span>{letter}</span>
      </span>
      <div>
        <p className={styles.what}>{end.label}</p>
        <p className={styles.where}>{end.address ?? 'No address provided'}</p>
      </div>
    </li>
  );
}
