import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

const DRAWINGS = {
  basket: 'M14 34h52l-6 28H20zM24 34l8-16M56 34l-8-16M30 42v12M40 42v12M50 42v12',
  road: 'M10 62h60M18 54h16v-18h14v18h14M48 42h8l6 7v5M26 60a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM54 60a5 5 0 1 0 0-10 5 5 0 0 0 0 10z',
  washer:
    'M22 12h36v52H22zM22 23h36M28 17.5h.01M34 17.5h.01M40 56a12 12 0 1 0 0-24 12 12 0 0 0 0 24zM29 46c4-4 8 3 11 0s7-4 11-1M26 64v4M54 64v4',
  pin: 'M40 50s13-12 13-22a13 13 0 0 0-26 0c0 10 13 22 13 22zM40 33a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM28 46l-12 4v17l16-5 16 5 16-5V45l-12 2M32 62v-9M48 67V54',
  door: 'M20 12h26v54H20zM41 40h.01M12 66h56M52 66c-5-9 0-15 7-15s12 6 7 15M55 47h8M59 51v-4',
  wallet: 'M16 28h48v34H16zM16 28l36-12v12M64 39H51a6 6 0 0 0 0 12h13M52 45h.01',
  calendar: 'M16 20h48v46H16zM16 32h48M28 14v10M52 14v10M31 49l6 6 12-13',
  search: 'M35 53a19 19 0 1 0 0-38 19 19 0 0 0 0 38zM49 48l17 17M27 34h16',
  house: 'M14 40l26-22 26 22M21 35v30h38V35M40 58s7-6 7-11a7 7 0 0 0-14 0c0 5 7 11 7 11z',
  phone: 'M26 10h28v60H26zM36 16h8M40 63h.01M34 38l5 5 9-10',
  line: 'M8 22c20 8 44 8 64 0M26 27v6l-8 4v18h16V37l-8-4M54 27v4M46 31h16l-3 24h-4l-1-12-1 12h-4z',
  clipboard: 'M20 16h40v52H20zM32 16v-5h16v5M30 32h20M30 42h20M30 52h12',
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
  isCard = false,
  children,
}: {
  text: string;
  drawing?: DrawingName;
  /** Where it stands alone on a page. */
  isCard?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={isCard ? `card ${styles.empty}` : styles.empty}>
      <LineDrawing name={drawing} />
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}
