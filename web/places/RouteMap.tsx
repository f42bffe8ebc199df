import { type RefObject, useEffect, useRef, useState } from 'react';
import { Map as BaseMap, Layer, type MapRef, Marker, NavigationControl, Source } from 'react-map-gl/maplibre';
import type { Position } from '../../contract/positions.ts';
import type { Point } from '../../domain/places.ts';
import { isPositionStale } from '../../domain/positions.ts';
import { useNow } from '../hooks/useNow.ts';
import { formatAgo } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import './maps.css';
import { boundsOf } from './mapBounds.ts';
import { maplibre } from './mapLibrary.ts';
import { useMapStyle } from './useMapStyle.ts';

const PADDING = { top: 56, bottom: 32, left: 48, right: 76 };
const CLOSEST_ZOOM = 15;
const FIT = { padding: PADDING, maxZoom: CLOSEST_ZOOM };
const FIT_MS = 600;

const toCoordinates = (point: Point): [number, number] => [point.longitude, point.latitude];

type RouteMapProps = { pickup: Point; drop: Point; position: Position | undefined };

/** Moves the map when the driver is outside of it: the first time, and later unless the user has moved it. */
function useDriverInView(map: RefObject<MapRef | null>, { pickup, drop, position }: RouteMapProps, isDrawn: boolean) {
  const isMovedByUser = useRef(false);
  const wasSeen = useRef(false);
  useEffect(() => {
    if (!position || !isDrawn || !map.current) return;
    const mayMove = !wasSeen.current || !isMovedByUser.current;
    wasSeen.current = true;
    if (mayMove && !map.current.getBounds().contains(toCoordinates(position)))
      map.current.fitBounds(boundsOf([pickup, drop, position]), { ...FIT, duration: FIT_MS });
  }, [map, pickup, drop, position, isDrawn]);
  return (event: { originalEvent?: unknown }) => {
    if (event.originalEvent !== undefined) isMovedByUser.current = true;
  };
}

/** Pickup A, drop B and the line between them. The page scrolls over the map until the map is used. */
export function RouteMap(props: RouteMapProps) {
  const { pickup, drop, position } = props;
  const map = useRef<MapRef>(null);
  const style = useMapStyle();
  const [isDrawn, setDrawn] = useState(false);
  const watchUser = useDriverInView(map, props, isDrawn);
  if (!style) return null;
  return (
    <div style={{ height: '100%' }} aria-busy={!isDrawn}>
      <BaseMap
        ref={map}
        mapLib={maplibre}
        mapStyle={style}
        initialViewState={{
          bounds: boundsOf(position ? [pickup, drop, position] : [pickup, drop]),
          fitBoundsOptions: FIT,
        }}
        cooperativeGestures
        onIdle={() => setDrawn(true)}
        onMoveStart={watchUser}
        attributionControl={{ compact: true }}
      >
        <NavigationControl showCompass={false} />
        <Leg from={pickup} to={drop} />
        <Marker longitude={pickup.longitude} latitude={pickup.latitude} anchor="bottom">
          <div className="pin">
            <span>A</span>
          </div>
        </Marker>
        <Marker longitude={drop.longitude} latitude={drop.latitude} anchor="bottom">
          <div className="pin pin-drop">
            <span>B</span>
          </div>
        </Marker>
        {position && <Driver position={position} />}
      </BaseMap>
    </div>
  );
}

/** The driver's pin. An old position is grey and says how old it is. */
function Driver({ position }: { position: Position }) {
  const now = useNow(true);
  const isStale = isPositionStale(new Date(position.at), now);
  const age = formatAgo(position.at, now);
  return (
    <Marker longitude={position.longitude} latitude={position.latitude}>
      <div
        className={`pin pin-flat pin-driver ${isStale ? 'pin-stale' : ''}`}
        role="img"
        aria-label={`The driver, ${age}`}
      >
        <Icon name="truck" size={18} />
        {isStale && <span className="pin-age">{age}</span>}
      </div>
    </Marker>
  );
}

function Leg({ from, to }: { from: Point; to: Point }) {
  const line = {
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'LineString' as const, coordinates: [toCoordinates(from), toCoordinates(to)] },
  };
  return (
    <Source id="leg" type="geojson" data={line}>
      <Layer
        id="leg"
        type="line"
        paint={{ 'line-color': '#0f86a8', 'line-width': 4, 'line-dasharray': [1, 1.5] }}
        layout={{ 'line-cap': 'round' }}
      />
    </Source>
  );
}
