import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { tabStore } from '../storage/stores.ts';
import { RequestId } from '../ui/RequestId.tsx';
import styles from './ErrorPage.module.css';

const RELOADED_AT_KEY = 'rubadub-reloaded';
const RELOAD_COOLDOWN_MS = 60_000;
// The messages of Chrome, Firefox, Safari and Vite for a chunk that did not load.
const CHUNK_LOAD_ERROR = /dynamically imported module|module script failed|preload CSS/i;

/** Whether a reload may help: a deployment may have removed the files of the build that this page runs. */
function mayReload(error: unknown): boolean {
  const isRecent = Date.now() - Number(tabStore.read(RELOADED_AT_KEY) ?? 0) < RELOAD_COOLDOWN_MS;
  return CHUNK_LOAD_ERROR.test(String(error)) && navigator.onLine && !isRecent;
}

/** Shown when a screen fails to render or its code fails to load. Uses as little other code as possible. */
export function ErrorPage() {
  const error = useRouteError();
  const [isReloading] = useState(() => mayReload(error));
  useEffect(() => {
    if (!isReloading) return;
    // Reload only once, or a missing file would cause an endless loop.
    tabStore.write(RELOADED_AT_KEY, String(Date.now()));
    window.location.reload();
  }, [isReloading]);
  if (isReloading) return null;
  return (
    <main className={styles.page} role="alert">
      <h1>This page could not be opened</h1>
      <p className="quiet">
        {navigator.onLine
          ? 'Your data is safe. Reloading usually helps.'
          : 'You are offline, and this page is not saved on this device yet. Your data is safe.'}
      </p>
      <button type="button" className={styles.retry} onClick={() => window.location.reload()}>
        Try Again
      </button>
      <RequestId error={error} />
    </main>
  );
}
