import type { ReactNode } from 'react';
import type { OrderSize } from '../../../domain/orders.ts';
import styles from './LoadDrawing.module.css';

const TOTE = (
  <>
    <path className={styles.cloth} d="M22 34c0-10 7-14 12-9 5-4 10 0 9 9z" />
    <path className={styles.holder} d="M14 33h36l-4 23a4 4 0 0 1-4 3H22a4 4 0 0 1-4-3z" />
    <path className={styles.line} d="M24 41V26c0-12 16-12 16 0v15" />
  </>
);

const BASKET = (
  <>
    <path className={styles.otherCloth} d="M33 30c-1-12 6-18 12-14 7-2 11 6 8 14z" />
    <path className={styles.cloth} d="M11 30c-2-9 4-15 11-11 4-7 15-4 15 11z" />
    <path className={styles.holder} d="M9 30h46l-4 26a4 4 0 0 1-4 3H17a4 4 0 0 1-4-3z" />
    <path className={styles.line} d="M6 30h52M22 38v5M32 38v5M42 38v5M23 49v4M32 49v4M41 49v4" />
  </>
);

const HAMPER = (
  <>
    <path className={styles.otherCloth} d="M32 21c-1-12 6-18 12-14 7-1 9 8 7 14z" />
    <path className={styles.cloth} d="M11 21C8 12 15 4 22 9c4-8 16-4 14 12z" />
    <path className={styles.holder} d="M8 21h46l-5 35a4 4 0 0 1-4 4H17a4 4 0 0 1-4-4z" />
    <path className={styles.line} d="M5 21h52M25 28h12M11 36h40M12 44h38M13 52h36" />
  </>
);

type Place = readonly [x: number, y: number, scale: number];

const hampers = (...places: Place[]) =>
  places.map(([x, y, scale]) => (
    <g key={`${x} ${y}`} className={styles.hamper} transform={`translate(${x} ${y}) scale(${scale})`}>
      {HAMPER}
    </g>
  ));

/** What holds a load of each size, in words and as a drawing. */
export const HOLDERS: Readonly<Record<OrderSize, { readonly words: string; readonly drawing: ReactNode }>> = {
  Small: { words: 'A tote', drawing: TOTE },
  Medium: { words: 'A basket', drawing: BASKET },
  Large: { words: 'A hamper', drawing: HAMPER },
  XL: { words: 'Two hampers', drawing: hampers([0, 16, 0.5], [32, 16, 0.5]) },
  XXL: { words: 'Three hampers', drawing: hampers([16, 1, 0.5], [0, 32, 0.5], [32, 32, 0.5]) },
  Family: {
    words: 'Five hampers',
    drawing: hampers([11, 9, 0.34], [32, 9, 0.34], [0, 32, 0.34], [21, 32, 0.34], [42, 32, 0.34]),
  },
};

export function LoadDrawing({ size }: { size: OrderSize }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 64 64" aria-hidden="true" data-drawing={size}>
      {HOLDERS[size].drawing}
    </svg>
  );
}
