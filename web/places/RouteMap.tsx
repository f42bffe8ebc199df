import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Layer, type MapRef, Marker, Source, useMap } from 'react-map-gl/maplibre';
import type { DeliveryRoute } from '../../contract/deliveryRoute.ts';
import type { Position } from '../../contract/positions.ts';
import type { Line } from '../../domain/mapLines.ts';
import type { Point } from '../../domain/places.ts';
import { isPositionStale, isVague } from '../../domain/positions.ts';
import { useIsInView } from '../hooks/useIsInView.ts';
import { useNow } from '../hooks/useNow.ts';
import { formatAgo } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { BaseMap } from './BaseMap.tsx';
import { circleAround } from './circle.ts';
import { boundsOf, fitPoints } from './mapBounds.ts';
import { useGlide } from './useGlide.ts';

const PADDING = { top: 56, bottom: 32, left: 48, right: 76 };
const CLOSEST_ZOOM = 15;
const FIT = { padding: PADDING, maxZoom: CLOSEST_ZOOM };
const FIT_MS = 600;

const toCoordinates = (point: Point): [number, number] => [point.longitude, point.latitude];

type RouteMapProps = {
  pickup: Point;
  drop: Point;
  position: Position | undefined;
  /** The way along streets, once it is known. */
  route?: DeliveryRoute | undefined;
};

/** What a map of the route has to show. */
const pointsOf = ({ pickup, drop, position, route }: RouteMapProps): Point[] => [
  ...(route?.ahead?.line ?? [pickup, drop, ...(route?.leg.line ?? [])]),
  ...(position ? [position] : []),
];

const fitWay = (map: MapRef | null, points: readonly Point[], duration: number) =>
  fitPoints(map, points, { ...FIT, duration });

/**
 * Moves the map to the way once it is known, to the driver's way when there is one, when its next stop changes, when the driver is outside of the map,
 * and when the map changes its size; but not after the user has moved it.
 */
function useWayInView(map: RefObject<MapRef | null>, props: RouteMapProps, isDrawn: boolean) {
  const isMovedByUser = useRef(false);
  const wasSeen = useRef<string>(undefined);
  const { position, route } = props;
  const isWaySeen = useRef(route !== undefined);
  useEffect(() => {
    if (isWaySeen.current || !route || !isDrawn) return;
    isWaySeen.current = true;
    if (!isMovedByUser.current) fitWay(map.current, pointsOf(props), FIT_MS);
  });
  useEffect(() => {
    if (!position || !isDrawn || !map.current) return;
    const goal = route?.ahead ? toCoordinates(route.ahead.line.at(-1) as Point).join() : 'unknown';
    const isNew = wasSeen.current !== goal;
    const isFirst = wasSeen.current === undefined;
    wasSeen.current = goal;
    const isOutside = !map.current.getBounds().contains(toCoordinates(position));
    if ((isFirst && isOutside) || (!isMovedByUser.current && (isNew || isOutside)))
      fitWay(map.current, pointsOf(props), FIT_MS);
  });
  return {
    onMoveStart: (event: { originalEvent?: unknown }) => {
      if (event.originalEvent !== undefined) isMovedByUser.current = true;
    },
    onResize: () => {
      if (!isMovedByUser.current) fitWay(map.current, pointsOf(props), 0);
    },
  };
}

/** Pickup A, drop B, the way between them, and the driver on it. The page scrolls over the map until the map is used. */
export function RouteMap(props: RouteMapProps) {
  const { pickup, drop, position, route } = props;
  const map = useRef<MapRef>(null);
  const [isDrawn, setDrawn] = useState(false);
  const viewHandlers = useWayInView(map, props, isDrawn);
  return (
    <BaseMap
      ref={map}
      initialViewState={{ bounds: boundsOf(pointsOf(props)), fitBoundsOptions: FIT }}
      cooperativeGestures
      onDrawn={() => setDrawn(true)}
      {...viewHandlers}
    >
      <RouteLine
        id="leg"
        line={route?.leg.line ?? [pickup, drop]}
        isStraight={!route?.leg.followsStreets}
        isQuiet={route?.ahead != null}
      />
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
      {position && isVague(position) && <VagueDriver position={position} />}
      {position && !isVague(position) && <Driver position={position} ahead={route?.ahead ?? undefined} />}
    </BaseMap>
  );
}

/** The driver's pin, and their way to the next stop. An old position is grey and says how old it is. */
function Driver({ position, ahead }: { position: Position; ahead: DeliveryRoute['ahead'] | undefined }) {
  const now = useNow(true);
  const isStale = isPositionStale(new Date(position.at), now);
  const age = formatAgo(position.at, now);
  const { at, rest } = useGlide(position, ahead?.line, useIsInView(useMap().current?.getContainer()));
  return (
    <>
      {rest.length > 0 && <RouteLine id="ahead" line={rest} isStraight={!ahead?.followsStreets} />}
      <Marker longitude={at.longitude} latitude={at.latitude} style={{ zIndex: 1 }}>
        <div
          className={`pin pin-flat pin-driver ${isStale ? 'pin-stale' : ''}`}
          role="img"
          aria-label={`The driver, ${age}`}
        >
          <Icon name="truck" size={18} />
          {isStale && <span className="pin-age">{age}</span>}
        </div>
      </Marker>
    </>
  );
}

/** Where the driver is somewhere: a circle without a pin, because a pin would say a house. */
function VagueDriver({ position }: { position: Position }) {
  const { line } = LINE_COLORS[useComputedColorScheme('light')];
  const { latitude, longitude, accuracy } = position;
  const data = useMemo(() => circleAround({ latitude, longitude }, accuracy ?? 0), [latitude, longitude, accuracy]);
  return (
    <Source id="vague" type="geojson" data={data}>
      <Layer id="vague-area" type="fill" paint={{ 'fill-color': line, 'fill-opacity': 0.15 }} />
      <Layer id="vague-edge" type="line" paint={{ 'line-color': line, 'line-width': 2, 'line-opacity': 0.6 }} />
    </Source>
  );
}

const LINE_COLORS = {
  light: { line: '#0b6e8b', edge: '#ffffff' },
  dark: { line: '#47b0cd', edge: '#0e1a20' },
};

type RouteLineProps = { id: string; line: Line; isStraight: boolean; isQuiet?: boolean };

/** A way with an edge around it, so that it stands out from streets; dashed when it is a straight line. */
function RouteLine({ id, line, isStraight, isQuiet = false }: RouteLineProps) {
  const colors = LINE_COLORS[useComputedColorScheme('light')];
  // The same object for the same line: the map draws a new one from scratch.
  const data = useMemo(
    () => ({
      type: 'Feature' as const,
      properties: {},
      geometry: { type: 'LineString' as const, coordinates: line.map(toCoordinates) },
    }),
    [line],
  );
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const shownIf = (isShown: boolean) => ({ ...layout, visibility: isShown ? 'visible' : 'none' }) as const;
  const paint = {
    'line-color': colors.line,
    'line-width': isStraight ? 4 : 5,
    'line-opacity': isQuiet ? 0.4 : 1,
  };
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-edge`}
        type="line"
        layout={layout}
        paint={{ 'line-color': colors.edge, 'line-width': isStraight ? 0 : 9, 'line-opacity': isQuiet ? 0.5 : 1 }}
      />
      {/* Two layers: dashes cannot be taken away again, and a new layer would lie above the way ahead. */}
      <Layer
        id={`${id}-straight`}
        type="line"
        layout={shownIf(isStraight)}
        paint={{ ...paint, 'line-dasharray': [1, 1.5] }}
      />
      <Layer id={`${id}-streets`} type="line" layout={shownIf(!isStraight)} paint={paint} />
    </Source>
  );
}
