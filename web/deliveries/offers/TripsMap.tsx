import { useMemo } from 'react';
import { Layer, Marker, Source } from 'react-map-gl/maplibre';
import type { Point } from '../../../domain/places.ts';
import { BaseMap } from '../../places/BaseMap.tsx';
import { boundsOf } from '../../places/mapBounds.ts';
import { Icon } from '../../ui/icons.tsx';
import { offerElementId } from './OfferCard.tsx';
import styles from './OffersMap.module.css';
import type { Trip } from './trips.ts';

const FIT = { padding: { top: 36, bottom: 28, left: 32, right: 72 }, maxZoom: 15 };

const coordinatesOf = ({ longitude, latitude }: Point) => [longitude, latitude];

const showCard = (id: string) => document.getElementById(offerElementId(id))?.scrollIntoView({ block: 'center' });

/** The offers around a Duber: a number where each begins, and a line to where it ends. A press on a number shows its card. */
export function TripsMap({ trips, from }: { trips: readonly Trip[]; from: Point | undefined }) {
  const places = [...trips.flatMap(({ pickup, drop }) => [pickup, drop]), ...(from ? [from] : [])];
  const lines = useMemo(
    () => ({
      type: 'MultiLineString' as const,
      coordinates: trips.map(({ pickup, drop }) => [coordinatesOf(pickup), coordinatesOf(drop)]),
    }),
    [trips],
  );
  if (places.length === 0) return null;
  return (
    // Its key fits the map to the offers again when there are others.
    <BaseMap
      key={trips.map(({ id }) => id).join()}
      initialViewState={{ bounds: boundsOf(places), fitBoundsOptions: FIT }}
      cooperativeGestures
    >
      <Source id="trips" type="geojson" data={lines}>
        <Layer
          id="trips-line"
          type="line"
          layout={{ 'line-cap': 'round' }}
          paint={{ 'line-color': '#239dbf', 'line-width': 3, 'line-dasharray': [1, 1.5] }}
        />
      </Source>
      {from && (
        <Marker longitude={from.longitude} latitude={from.latitude}>
          <div className="pin pin-flat pin-driver" role="img" aria-label="Where you search">
            <Icon name="truck" size={18} />
          </div>
        </Marker>
      )}
      {trips.map(({ id, drop }) => (
        <Marker key={`${id} drop`} longitude={drop.longitude} latitude={drop.latitude}>
          <div className={styles.drop} />
        </Marker>
      ))}
      {trips.map(({ id, number, pickup }) => (
        <Marker
          key={id}
          longitude={pickup.longitude}
          latitude={pickup.latitude}
          anchor="bottom"
          onClick={() => showCard(id)}
        >
          <div className={`pin ${styles.pin}`} role="img" aria-label={`Delivery ${number}`}>
            <span>{number}</span>
          </div>
        </Marker>
      ))}
    </BaseMap>
  );
}
