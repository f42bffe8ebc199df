import styles from './Skeleton.module.css';

/** A grey bar in place of text that is loading. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string | number; height?: string | number }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}

/** A title and two lines of text that are loading. */
export const SkeletonText = () => (
  <>
    <Skeleton width="40%" height={20} />
    <Skeleton width="85%" />
    <Skeleton width="60%" />
  </>
);

type SkeletonColumn = { readonly className: string | undefined; readonly heights: readonly number[] };

/** Columns of cards that are loading, each as high as what will be in its place. */
export function SkeletonColumns({
  label,
  ...page
}: {
  label: string;
  className: string | undefined;
  columns: readonly SkeletonColumn[];
}) {
  return (
    <div className={page.className} role="status" aria-label={label}>
      {page.columns.map(({ className, heights }, column) => (
        <div key={column} className={className}>
          {heights.map((height) => (
            <div key={height} className="card" style={{ height, display: 'grid', alignContent: 'start', gap: 16 }}>
              <SkeletonText />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
