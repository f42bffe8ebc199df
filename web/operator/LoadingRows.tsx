import { Skeleton } from '../ui/Skeleton.tsx';
import cards from './listCards.module.css';

type LoadingRowsProps = {
  /** What is loading: "orders". */
  readonly label: string;
  readonly rows?: number;
  /** Inside a card the rows have lines between them. */
  readonly isInCard?: boolean;
};

/** Rows in place of those that are loading. */
export function LoadingRows({ label, rows = 4, isInCard = false }: LoadingRowsProps) {
  return (
    <div role="status" aria-label={`Loading ${label}`} className={isInCard ? cards.lines : cards.list}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className={isInCard ? cards.line : cards.card}>
          <Skeleton width="35%" />
          <Skeleton width="70%" />
        </div>
      ))}
    </div>
  );
}
