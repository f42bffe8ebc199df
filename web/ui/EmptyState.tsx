import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

const DRAWINGS = {
  basket: 'M14 34h52l-6 28H20zM24 34l8-16M56 34l-8-16M30 42v12M40 42v12M50 42v12',
  road: 'M10 62h60M18 54h16v-18h14v18h14M48 42h8l6 7v5M26 60a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM54 60a5 5 0 1 0 0-10 5 5 0 0 0 0 10z',
  line: 'M8 22c20 8 44 8 64 0M26 27v6l-8 4v18h16V37l-8-4M54 27v4M46 31h16l-3 24h-4l-1-12-1 12h-4z',
  cloud: 'M24 52h34a10 10 0 0 0 1-20 17 17 0 0 0-33-3 12 12 0 0 0-2 23zM40 36v8M40 50h.01',
} as const;

export type DrawingName = keyof typeof DRAWINGS;

export function LineDrawing({ name }: { name: DrawingName }) {
  return (
    <svg
      className={styles.drawing}
      width="80"
      height="80"
      viewBox="0 0 80 80"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="40" cy="42" r="36" fill="var(--brand-0)" stroke="none" />
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

/** The state of an empty list: one sentence, and optionally a button as `children`. */
export function EmptyState({
  text,
  drawing = 'basket',
  children,
}: {
  text: string;
  drawing?: DrawingName;
  children?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <LineDrawing name={drawing} />
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}
