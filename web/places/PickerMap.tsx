import { useEffect, useRef } from 'react';
import { type MapRef, Marker } from 'react-map-gl/maplibre';
import { BaseMap } from './BaseMap.tsx';
import type { LngLat } from './searchClient.ts';

const INITIAL_ZOOM = 14; // spec 9
const FLY_ZOOM = 15; // spec 9
const FLY_MS = 600; // spec 9

/** A map with one pin that can be dragged, or placed with a click. `flyTo` changes when a search moves the pin. */
export function PickerMap({
  point,
  flyTo,
  onMove,
}: {
  point: LngLat;
  flyTo: LngLat | undefined;
  onMove: (point: LngLat) => void;
}) {
  const map = useRef<MapRef>(null);
  useEffect(() => {
    if (flyTo) map.current?.flyTo({ center: [flyTo.lng, flyTo.lat], zoom: FLY_ZOOM, duration: FLY_MS });
  }, [flyTo]);
  return (
    <BaseMap
      ref={map}
      initialViewState={{ longitude: point.lng, latitude: point.lat, zoom: INITIAL_ZOOM }}
      onClick={(event) => onMove(event.lngLat)}
    >
      <Marker
        longitude={point.lng}
        latitude={point.lat}
        anchor="bottom"
        draggable
        onDragEnd={(event) => onMove(event.lngLat)}
      >
        <div className="pin pin-spot" data-pin="spot" />
      </Marker>
    </BaseMap>
  );
}
