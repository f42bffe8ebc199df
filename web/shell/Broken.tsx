import { useRouteError } from 'react-router';
import { RequestId } from '../parts/RequestId.tsx';
import styles from './Broken.module.css';

/** A screen that could not be drawn, or whose code could not be fetched: so it leans on as little code as it can. */
export function Broken() {
  const error = useRouteError();
  return (
    <main className={styles.page} role="alert">
      <h1>This page did not open</h1>
      <p className="quiet">Nothing you sent is lost. Loading it again usually helps.</p>
      <button type="button" className={styles.again} onClick={() => window.location.reload()}>
        Try Again
      </button>
      <RequestId error={error} />
    </main>
  );
}
