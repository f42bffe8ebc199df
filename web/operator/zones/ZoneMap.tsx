import { useState } from 'react';
import { Layer, type MapLayerMouseEvent, Marker, Source } from 'react-map-gl/maplibre';
import type { Point } from '../../../domain/places.ts';
import type { Corners } from '../../../domain/zones.ts';
import { BaseMap } from '../../places/BaseMap.tsx';
import { boundsOf } from '../../places/mapBounds.ts';
import styles from './Zones.module.css';

const FIT = { padding: 40, maxZoom: 15 };
const LINE = { 'line-color': '#0b6e8b', 'line-width': 3 };
const OWN_FILL = { 'fill-color': '#f7c948', 'fill-opacity': 0.35 };
const OTHER_FILL = { 'fill-color': '#0b6e8b', 'fill-opacity': 0.15 };
const DECIMALS = 6;

export type ZoneMapProps = {
  /** Other shapes on the map. */
  readonly others: readonly Corners[];
  readonly corners: Corners;
  /** Where to look while there are no corners. */
  readonly near: readonly Point[];
  /** Set when corners can be added with a tap and moved. */
  readonly onChange?: (corners: Corners) => void;
};

const round = (value: number) => Number(value.toFixed(DECIMALS));
const pointOf = ({ lng, lat }: { lng: number; lat: number }): Point => ({
  latitude: round(lat),
  longitude: round(lng),
});

function shapeOf(areas: readonly Corners[]) {
  const rings = areas.filter(({ length }) => length > 1).map((area) => [...area, area[0] as Point]);
  return {
    type: 'MultiPolygon' as const,
    coordinates: rings.map((ring) => [ring.map(({ longitude, latitude }) => [longitude, latitude])]),
  };
}

/** A zone among the others. With `onChange` a tap adds a corner, and corners can be dragged. */
export function ZoneMap({ others, corners, near, onChange }: ZoneMapProps) {
  const [seen] = useState(() => [...corners, ...others.flat(), ...near]);
  const move = (n: number, to: { lng: number; lat: number }) =>
    onChange?.(corners.map((corner, m) => (m === n ? pointOf(to) : corner)));
  const add = ({ lngLat }: MapLayerMouseEvent) => onChange?.([...corners, pointOf(lngLat)]);
  return (
    <BaseMap
      {...(seen.length > 0 ? { initialViewState: { bounds: boundsOf(seen), fitBoundsOptions: FIT } } : {})}
      cooperativeGestures={onChange === undefined}
      onClick={add}
    >
      <Source id="others" type="geojson" data={shapeOf(others)}>
        <Layer id="others-fill" type="fill" paint={OTHER_FILL} />
        <Layer id="others-line" type="line" paint={{ ...LINE, 'line-width': 1 }} />
      </Source>
      <Source id="own" type="geojson" data={shapeOf([corners])}>
        <Layer id="own-fill" type="fill" paint={OWN_FILL} />
        <Layer id="own-line" type="line" paint={LINE} />
      </Source>
      {onChange &&
        corners.map((corner, n) => (
          <Marker
            key={n}
            longitude={corner.longitude}
            latitude={corner.latitude}
            draggable
            onDragEnd={({ lngLat }) => move(n, lngLat)}
          >
            <div className={styles.corner} role="img" aria-label={`Corner ${n + 1}`} />
          </Marker>
        ))}
    </BaseMap>
  );
}
