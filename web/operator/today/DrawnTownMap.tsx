import { useEffect, useRef, useState } from 'react';
import { type MapRef, Marker } from 'react-map-gl/maplibre';
import { useNavigate } from 'react-router';
import type { TownMap } from '../../../contract/operator/today.ts';
import { BaseMap } from '../../places/BaseMap.tsx';
import { boundsOf, fitPoints } from '../../places/mapBounds.ts';
import { labelOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './TownMapCard.module.css';

const FIT_MS = 600;
const FIT = { padding: { top: 40, bottom: 40, left: 40, right: 72 }, maxZoom: 15 };

/**
 * A pin for each delivery, which leads to its order, and for each Scrub. The queue beside it is the way for everybody. The map
 * moves to deliveries outside of it, but not after the user has moved it.
 */
export function DrawnTownMap({ map: { deliveries, scrubs } }: { map: TownMap }) {
  const [isDrawn, setDrawn] = useState(false);
  const drawn = useRef<MapRef>(null);
  const isMovedByUser = useRef(false);
  const showAll = (duration: number) => {
    const view = drawn.current?.getBounds();
    if (!view || !isDrawn || isMovedByUser.current) return;
    if (deliveries.some(({ longitude, latitude }) => !view.contains([longitude, latitude])))
      fitPoints(drawn.current, [...deliveries, ...scrubs], { ...FIT, duration });
  };
  useEffect(() => showAll(FIT_MS));
  return (
    <BaseMap
      ref={drawn}
      initialViewState={{ bounds: boundsOf([...deliveries, ...scrubs]), fitBoundsOptions: FIT }}
      cooperativeGestures
      onDrawn={() => setDrawn(true)}
      onResize={() => showAll(0)}
      onMoveStart={({ originalEvent }) => {
        if (originalEvent !== undefined) isMovedByUser.current = true;
      }}
    >
      {scrubs.map((scrub) => (
        <ScrubPin key={scrub.id} scrub={scrub} />
      ))}
      {deliveries.map((delivery) => (
        <DeliveryPin key={delivery.deliveryId} delivery={delivery} />
      ))}
    </BaseMap>
  );
}

function ScrubPin({ scrub: { fullname, latitude, longitude } }: { scrub: TownMap['scrubs'][number] }) {
  return (
    <Marker longitude={longitude} latitude={latitude}>
      <div className={`${styles.pin} ${styles.scrub}`} role="img" aria-label={fullname} title={fullname}>
        <Icon name="shirt" size={12} />
      </div>
    </Marker>
  );
}

function DeliveryPin({ delivery }: { delivery: TownMap['deliveries'][number] }) {
  const navigate = useNavigate();
  const { orderId, orderNumber, status, latitude, longitude } = delivery;
  const label = `${orderNumber}, ${labelOf(status)}`;
  return (
    <Marker
      longitude={longitude}
      latitude={latitude}
      style={{ zIndex: 1, cursor: 'pointer' }}
      onClick={() => void navigate(`/operator/orders/${orderId}`)}
    >
      <div
        className={status === 'Pending' ? `${styles.pin} ${styles.waiting}` : styles.pin}
        role="img"
        aria-label={label}
        title={label}
      >
        <Icon name="truck" size={16} />
      </div>
    </Marker>
  );
}
