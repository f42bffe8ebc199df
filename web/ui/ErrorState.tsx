import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Unreachable } from '../../contract/callClient.ts';
import styles from './EmptyState.module.css';
import { LineDrawing } from './EmptyState.tsx';
import { isTemporary } from './errorMessage.ts';
import { RequestId } from './RequestId.tsx';

/** The state of a failed load, with a 'Try Again' button. `level` is the heading level of `title`. */
export function ErrorState({
  title,
  text,
  error,
  onRetry,
  isRetrying = false,
  level = 2,
  isCard = false,
  children,
}: {
  title: string;
  text?: ReactNode;
  /** Says what to do about it; for a server error, its request id is shown. */
  error?: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
  level?: 1 | 2 | 3;
  /** Where it stands alone on a page. */
  isCard?: boolean;
  children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={isCard ? `card ${styles.empty}` : styles.empty} role="alert">
      <LineDrawing name="cloud" />
      <Heading>{title}</Heading>
      {(text || error !== undefined) && (
        <p className={styles.text}>
          {text} {whatToDo(error)}
        </p>
      )}
      {onRetry && (
        <Button onClick={onRetry} loading={isRetrying}>
          Try Again
        </Button>
      )}
      {children}
      <RequestId error={error} />
    </div>
  );
}

/** A server that fails is not the network's fault. */
function whatToDo(error: unknown): string {
  if (error instanceof Unreachable) return 'Check your connection.';
  return isTemporary(error) ? 'Our server is busy or has a problem. Try again in a moment.' : '';
}

type FailedQuery = { readonly error: unknown; readonly isFetching: boolean; readonly refetch: () => unknown };
type QueryErrorProps = Omit<Parameters<typeof ErrorState>[0], 'error' | 'onRetry' | 'isRetrying'> & {
  query: FailedQuery;
};

/** The state of a query that failed. Its button sends the query again. */
export function QueryError({ query, ...texts }: QueryErrorProps) {
  return (
    <ErrorState {...texts} error={query.error} onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
  );
}

/** The page for something that does not exist or belongs to somebody else, with a link back. */
export function NotFound({ title, text, to, label }: { title: string; text?: ReactNode; to: string; label: string }) {
  return (
    <div className={styles.empty}>
      <LineDrawing name="search" />
      <h1>{title}</h1>
      <p className={styles.text}>{text ?? 'It may have been removed, or the link may be wrong.'}</p>
      <Button component={Link} to={to}>
        {label}
      </Button>
    </div>
  );
}
