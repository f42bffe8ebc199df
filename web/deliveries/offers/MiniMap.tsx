import { useId } from 'react';
import type { Point } from '../../../domain/places.ts';
import styles from './MiniMap.module.css';
import { drawMiniMap, MAP_HEIGHT, MAP_WIDTH, type MapPoint } from './mapDrawing.ts';

const PIN_RADIUS = 11;
// The grid and its ground continue beside the drawing where its box is wider.
const OVERHANG = 600;

/** A way on the drawing, and what its pins say. */
export type DrawnWay = {
  readonly pickup: Point;
  readonly drop: Point;
  readonly pickupLabel: string;
  readonly dropLabel: string;
};

/**
 * A drawing of ways from pickups to drops, and of where their Duber is. It stands where a map is not loaded yet or cannot be
 * drawn. Hidden from screen readers: the words beside it say it all.
 */
export function MiniMap({ ways, from }: { ways: readonly DrawnWay[]; from: Point | undefined }) {
  const gridId = useId();
  const { points, grid } = drawMiniMap([
    ...ways.flatMap(({ pickup, drop }) => [pickup, drop]),
    ...(from ? [from] : []),
  ]);
  const start = from && points.at(-1);
  const drawn = ways.flatMap(({ pickupLabel, dropLabel }, index) => {
    const [a, b] = [points[2 * index], points[2 * index + 1]];
    return a && b ? [{ a, b, pickupLabel, dropLabel }] : [];
  });
  const [only] = drawn.length === 1 ? drawn : [];
  const ground = { x: -OVERHANG, y: -OVERHANG, width: MAP_WIDTH + 2 * OVERHANG, height: MAP_HEIGHT + 2 * OVERHANG };
  return (
    <svg className={styles.map} viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} aria-hidden="true">
      <defs>
        <pattern id={gridId} width={grid} height={grid} patternUnits="userSpaceOnUse" patternTransform="rotate(-14)">
          <path className={styles.street} d={`M0 0H${grid}M0 0V${grid}`} />
        </pattern>
      </defs>
      <rect {...ground} fill={`url(#${gridId})`} />
      {start && only && <path className={styles.approach} d={lineBetween(start, only.a)} />}
      {drawn.map(({ a, b, pickupLabel }) => (
        <path key={pickupLabel} className={styles.trip} d={lineBetween(a, b)} />
      ))}
      {start && <circle className={styles.you} cx={start.x} cy={start.y} r={7} />}
      {drawn.map(({ b, pickupLabel, dropLabel }) => (
        <Pin key={pickupLabel} at={b} label={dropLabel} className={styles.drop} />
      ))}
      {drawn.map(({ a, pickupLabel }) => (
        <Pin key={pickupLabel} at={a} label={pickupLabel} className={styles.pickup} />
      ))}
    </svg>
  );
}

const lineBetween = (from: MapPoint, to: MapPoint) =>
  `M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`;
const round = (value: number) => Math.round(value * 10) / 10;

function Pin({ at, label, className }: { at: MapPoint; label: string; className: string | undefined }) {
  return (
    <g className={className} transform={`translate(${round(at.x)} ${round(at.y)})`}>
      <circle r={label ? PIN_RADIUS : PIN_RADIUS / 2} />
      <text dy="0.36em">{label}</text>
    </g>
  );
}
