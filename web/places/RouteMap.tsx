import { useState } from 'react';
import { Map as BaseMap, Layer, Marker, NavigationControl, Source } from 'react-map-gl/maplibre';
import type { Point } from '../../domain/places.ts';
import { Icon } from '../ui/icons.tsx';
import './maps.css';
import { maplibre } from './mapLibrary.ts';
import { useMapStyle } from './useMapStyle.ts';

const PADDING = { top: 56, bottom: 32, left: 48, right: 76 };
const CLOSEST_ZOOM = 15;

const toCoordinates = (point: Point): [number, number] => [point.longitude, point.latitude];

function boundsOf(points: readonly Point[]): [number, number, number, number] {
  const lngs = points.map((point) => point.longitude);
  const lats = points.map((point) => point.latitude);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

/** Pickup A, drop B and the line between them. The page scrolls over the map until the map is used. */
export function RouteMap({ pickup, drop, position }: { pickup: Point; drop: Point; position: Point | undefined }) {
  const style = useMapStyle();
  const [isDrawn, setDrawn] = useState(false);
  if (!style) return null;
  return (
    <div style={{ height: '100%' }} aria-busy={!isDrawn}>
      <BaseMap
        mapLib={maplibre}
        mapStyle={style}
        initialViewState={{
          bounds: boundsOf(position ? [pickup, drop, position] : [pickup, drop]),
          fitBoundsOptions: { padding: PADDING, maxZoom: CLOSEST_ZOOM },
        }}
        cooperativeGestures
        onIdle={() => setDrawn(true)}
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
        {position && (
          <Marker longitude={position.longitude} latitude={position.latitude}>
            <div className="pin pin-flat pin-driver" role="img" aria-label="The driver">
              <Icon name="truck" size={18} />
            </div>
          </Marker>
        )}
      </BaseMap>
    </div>
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
