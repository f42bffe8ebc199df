import styles from './FiguresPage.module.css';

const [WIDTH, HEIGHT] = [120, 32];
/** A bar that can be seen, for a week whose figure is 0. */
const LEAST = 1.5;

/**
 * A bar for each week, the oldest on the left; that of an amount below zero has another color. A week without a figure has none. The table
 * says the same in numbers.
 */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const most = Math.max(...values.map((value) => Math.abs(value ?? 0)), 0);
  const step = WIDTH / values.length;
  const heightOf = (value: number) => Math.max(LEAST, most > 0 ? (HEIGHT * Math.abs(value)) / most : 0);
  return (
    <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map(
        (value, week) =>
          value !== null && (
            <rect
              key={week}
              className={value < 0 ? styles.below : undefined}
              x={step * (week + 0.1)}
              y={HEIGHT - heightOf(value)}
              width={step * 0.8}
              height={heightOf(value)}
            />
          ),
      )}
    </svg>
  );
}
