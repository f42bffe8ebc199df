import { useId } from 'react';
import type { Point } from '../../../domain/places.ts';
import styles from './MiniMap.module.css';
import { drawMiniMap, MAP_HEIGHT, MAP_WIDTH, type MapPoint } from './mapDrawing.ts';

const R = 11;
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

// Drawn instead of written: text in a drawing is read aloud and searched like the words of the page.
const LETTERS = {
  A: 'M-4 5 0-5 4 5M-2.600 2h5.200',
  B: 'M-3-5v10h3.500a2.700 2.700 0 0 0 0-5.500H-3M.5-.5a2.300 2.300 0 0 0 0-4.500H-3',
};

function Pin({ at, letter, className }: { at: MapPoint; letter: keyof typeof LETTERS; className: string | undefined }) {
  return (
    <g className={className} transform={`translate(${round(at.x)} ${round(at.y)})`}>
      <circle r={R} />
      <path d={LETTERS[letter]} />
    </g>
  );
}
