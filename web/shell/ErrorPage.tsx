import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { RequestId } from '../ui/RequestId.tsx';
import styles from './ErrorPage.module.css';

const RELOADED_AT_KEY = 'rubadub-reloaded';
const RELOAD_COOLDOWN_MS = 60_000;
// As Chrome, Firefox, Safari and Vite say that a file of the app did not come.
const CHUNK_LOAD_ERROR = /dynamically imported module|module script failed|preload CSS/i;

/** Whether loading the page anew is worth a try: a new build may have taken the files of the old one away. */
function mayReload(error: unknown): boolean {
  const isRecent = Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0) < RELOAD_COOLDOWN_MS;
  return CHUNK_LOAD_ERROR.test(String(error)) && navigator.onLine && !isRecent;
}

/** A screen that could not be drawn, or whose code could not be fetched: so it leans on as little code as it can. */
export function ErrorPage() {
  const error = useRouteError();
  const [isReloading] = useState(() => mayReload(error));
  useEffect(() => {
    if (!isReloading) return;
    // Once only: what is gone for good must not reload for ever.
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
    window.location.reload();
  }, [isReloading]);
  if (isReloading) return null;
  return (
    <main className={styles.page} role="alert">
      <h1>This page did not open</h1>
      <p className="quiet">
        {navigator.onLine
          ? 'Nothing you sent is lost. Loading it again usually helps.'
          : 'You are offline, and this page is not on this device yet. Nothing you sent is lost.'}
      </p>
      <button type="button" className={styles.again} onClick={() => window.location.reload()}>
        Try Again
      </button>
      <RequestId error={error} />
    </main>
  );
}
