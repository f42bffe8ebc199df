import styles from './Celebration.module.css';

const BUBBLES = [
  { x: 22, y: 70, r: 7, delay: 0 },
  { x: 40, y: 84, r: 4, delay: -1.1 },
  { x: 142, y: 78, r: 6, delay: -0.6 },
  { x: 160, y: 62, r: 4, delay: -1.7 },
  { x: 137, y: 92, r: 3.5, delay: -2.2 },
] as const;

/** A washing machine that turns a few times among bubbles. It stands still for people who prefer reduced motion. */
export function Celebration({ size = 180 }: { size?: number }) {
  return (
    <svg
      className={styles.scene}
      width={size}
      height={(size * 112) / 180}
      viewBox="0 0 180 112"
      aria-hidden="true"
      data-celebration
    >
      {BUBBLES.map(({ x, y, r, delay }) => (
        <circle key={x} className={styles.bubble} cx={x} cy={y} r={r} style={{ animationDelay: `${delay}s` }} />
      ))}
      <rect className={styles.machine} x="52" y="6" width="76" height="100" rx="10" />
      <path className={styles.line} d="M52 26h76M104 16h14" />
      <circle className={styles.knob} cx="64" cy="16" r="4" />
      <circle className={styles.glass} cx="90" cy="66" r="28" />
      <g className={styles.drum}>
        <path className={styles.water} d="M66 66c8-9 16 7 24 0s16-8 24 1c-2 13-11 21-24 21s-22-9-24-22z" />
        <path className={styles.shirt} d="m81 53-7 5 4 6 3-1v12h17V63l3 1 4-6-7-5c-2 4-15 4-17 0z" />
      </g>
      <path className={styles.line} d="M60 106v3M120 106v3" />
    </svg>
  );
}
