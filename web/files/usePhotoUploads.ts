import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPhotoUploads, type PhotoList } from './photoUploads.ts';

const RETRY_INTERVAL_MS = 30_000;

/** The photos of a picker: those with an id are ready. `onChange` gets the ids whenever they change, until it is closed. */
export function usePhotoUploads(list: PhotoList) {
  // What comes after an await must not use the props of an earlier render.
  const latest = useRef(list);
  latest.current = list;
  const [photos] = useState(() => createPhotoUploads(latest));
  const uploads = useSyncExternalStore(photos.subscribe, photos.read);
  useEffect(photos.open, [photos]);
  const isWaiting = uploads.some(({ state }) => state === 'waiting');
  useRetries(isWaiting, photos.retryWaiting);
  return { uploads, add: photos.add, retry: photos.retry, remove: photos.remove };
}

/** Tries again when the network is back, and from time to time: a server that is busy or away sends no event. */
function useRetries(isWaiting: boolean, retryAll: () => void): void {
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(retryAll, RETRY_INTERVAL_MS);
    window.addEventListener('online', retryAll);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retryAll);
    };
  }, [isWaiting, retryAll]);
}
