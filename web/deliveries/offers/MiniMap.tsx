import { useId } from 'react';
import type { Point } from '../../../domain/places.ts';
import styles from './MiniMap.module.css';
import { drawMiniMap, MAP_HEIGHT, MAP_WIDTH, type MapPoint } from './mapDrawing.ts';

const PIN_RADIUS = 11;
// The grid and its ground continue beside the drawing where its box is wider.
const OVERHANG = 600;

/**
 * A drawing of the way from the Duber to the pickup and the drop. An SVG, because a real map in every card would need a
 * WebGL context each, of which browsers allow few. Hidden from screen readers: the words of the card say it all.
 */
export function MiniMap({ pickup, drop, from }: { pickup: Point; drop: Point; from: Point | undefined }) {
  const gridId = useId();
  const { points, grid } = drawMiniMap(from ? [pickup, drop, from] : [pickup, drop]);
  const [a, b, start] = points;
  if (!a || !b) return null;
  const ground = { x: -OVERHANG, y: -OVERHANG, width: MAP_WIDTH + 2 * OVERHANG, height: MAP_HEIGHT + 2 * OVERHANG };
  return (
    <svg className={styles.map} viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} aria-hidden="true">
      <defs>
        <pattern id={gridId} width={grid} height={grid} patternUnits="userSpaceOnUse" patternTransform="rotate(-14)">
          <path className={styles.street} d={`M0 0H${grid}M0 0V${grid}`} />
        </pattern>
      </defs>
      <rect {...ground} fill={`url(#${gridId})`} />
      {start && <path className={styles.approach} d={lineBetween(start, a)} />}
      <path className={styles.trip} d={lineBetween(a, b)} />
      {start && <circle className={styles.you} cx={start.x} cy={start.y} r={7} />}
      <Pin at={b} letter="B" className={styles.drop} />
      <Pin at={a} letter="A" className={styles.pickup} />
    </svg>
  );
}

const lineBetween = (from: MapPoint, to: MapPoint) =>
  `M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`;
const round = (value: number) => Math.round(value * 10) / 10;

function Pin({ at, letter, className }: { at: MapPoint; letter: 'A' | 'B'; className: string | undefined }) {
  return (
    <g className={className} transform={`translate(${round(at.x)} ${round(at.y)})`}>
      <circle r={PIN_RADIUS} />
      <text dy="0.36em">{letter}</text>
    </g>
  );
}
