import styles from './ClothesLine.module.css';

const [WIDTH, SAG] = [640, 15];
const SHIRT = 'M-11-2-20 5l5 9 5-3v22h20V11l5 3 5-9-9-7c-2 5-20 5-22 0z';

/** How far below its ends the line hangs, at a share of its length. */
const dropAt = (share: number) => 4 * SAG * share * (1 - share);

/** A line with as many shirts as the load has. */
export function ClothesLine({ shirts, most }: { shirts: number; most: number }) {
  return (
    <svg className={styles.line} viewBox={`0 0 ${WIDTH} 70`} aria-hidden="true">
      <path className={styles.rope} d={`M0 8Q${WIDTH / 2} ${8 + 2 * SAG} ${WIDTH} 8`} />
      {Array.from({ length: most }, (_, index) => (index + 0.5) / most).map((share, index) => (
        <g key={share} transform={`translate(${WIDTH * share} ${12 + dropAt(share)})`}>
          <path className={index < shirts ? styles.shirt : `${styles.shirt} ${styles.away}`} d={SHIRT} />
        </g>
      ))}
    </svg>
  );
}
