import { CallFailed } from '../../contract/client.ts';
import styles from './RequestId.module.css';

/**
 * The id under which our log tells why a call broke, for writing to us; nothing where the words above say it all.
 * Plain text that one press selects, so that it works on a page where nothing else does.
 */
export function RequestId({ error }: { error: unknown }) {
  if (!(error instanceof CallFailed) || error.statusCode < 500 || error.requestId === undefined) return null;
  return (
    <p className={styles.line}>
      If you write to us about this, name request <code className={styles.id}>{error.requestId}</code>
    </p>
  );
}
