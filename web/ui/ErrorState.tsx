import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './EmptyState.module.css';
import { LineDrawing } from './EmptyState.tsx';
import { RequestId } from './RequestId.tsx';

/** What went wrong, what is safe, and Try Again. `title` is a heading of the given level. */
export function ErrorState({
  title,
  text,
  error,
  onRetry,
  isRetrying = false,
  level = 2,
  children,
}: {
  title: string;
  text?: ReactNode;
  /** What was thrown; of what is our fault it shows the request's id. */
  error?: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
  level?: 1 | 2 | 3;
  children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty} role="alert">
      <LineDrawing name="cloud" />
      <Heading>{title}</Heading>
      {text && <p className={styles.text}>{text}</p>}
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

/** The thing is not there, or not this person's: the title, and the one way back. */
export function NotFound({ title, text, to, label }: { title: string; text?: string; to: string; label: string }) {
  return (
    <div className={styles.empty}>
      <LineDrawing name="basket" />
      <h1>{title}</h1>
      <p className={styles.text}>{text ?? 'It may have been removed, or the link is not quite right.'}</p>
      <Button component={Link} to={to}>
        {label}
      </Button>
    </div>
  );
}
