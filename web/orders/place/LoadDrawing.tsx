import type { LoadSize } from '../../../domain/orders.ts';
import styles from './LoadDrawing.module.css';

/** What holds a load of each size: a tote, a basket, a hamper. */
export function LoadDrawing({ size }: { size: LoadSize }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 64 64" aria-hidden="true" data-drawing={size}>
      {DRAWINGS[size]}
    </svg>
  );
}

const DRAWINGS = {
  Small: (
    <>
      <path className={styles.cloth} d="M22 34c0-10 7-14 12-9 5-4 10 0 9 9z" />
      <path className={styles.holder} d="M14 33h36l-4 23a4 4 0 0 1-4 3H22a4 4 0 0 1-4-3z" />
      <path className={styles.line} d="M24 41V26c0-12 16-12 16 0v15" />
    </>
  ),
  Medium: (
    <>
      <path className={styles.otherCloth} d="M33 30c-1-12 6-18 12-14 7-2 11 6 8 14z" />
      <path className={styles.cloth} d="M11 30c-2-9 4-15 11-11 4-7 15-4 15 11z" />
      <path className={styles.holder} d="M9 30h46l-4 26a4 4 0 0 1-4 3H17a4 4 0 0 1-4-3z" />
      <path className={styles.line} d="M6 30h52M22 38v5M32 38v5M42 38v5M23 49v4M32 49v4M41 49v4" />
    </>
  ),
  Large: (
    <>
      <path className={styles.otherCloth} d="M34 21c-2-11 5-17 11-13 7-1 9 7 7 13z" />
      <path className={styles.cloth} d="M12 21C8 12 16 5 22 10c4-9 17-5 15 11z" />
      <path className={styles.sock} d="M38 20h9v11l7 5c3 3-1 7-5 5l-11-6z" />
      <path className={styles.holder} d="M10 21h28v14l9 6h6l-1 16a4 4 0 0 1-4 3H16a4 4 0 0 1-4-3z" />
      <path className={styles.line} d="M8 21h30M12 31h26M13 41h34M13 51h39M22 21v39M32 21v39M42 41v19" />
    </>
  ),
} as const satisfies Record<LoadSize, unknown>;
