import { CallFailed } from '../../contract/callClient.ts';
import styles from './RequestId.module.css';

/**
 * The request id of a server error, which finds the error in our log. Renders nothing for other errors. It is plain text
 * that one click selects, so that it also works on a broken page.
 */
export function RequestId({ error }: { error: unknown }) {
  if (!(error instanceof CallFailed) || error.statusCode < 500 || error.requestId === undefined) return null;
  return (
    <p className={styles.line}>
      If you contact us about this, please mention request <code className={styles.id}>{error.requestId}</code>
    </p>
  );
}
