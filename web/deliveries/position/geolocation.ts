import type { Point } from '../../../domain/places.ts';

/** Whether the browser would tell the position without asking anybody: only a click may make it ask. */
export async function isAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    return false;
  }
}

export type NoPlace = 'denied' | 'unavailable';

const noPlace = ({ code, PERMISSION_DENIED }: GeolocationPositionError): NoPlace =>
  code === PERMISSION_DENIED ? 'denied' : 'unavailable';

const pointOf = ({ coords: { latitude, longitude } }: GeolocationPosition): Point => ({ latitude, longitude });

/** Where the phone is, not older than `maximumAge` ms; asks for leave where none was given yet. */
export function findPhone(maximumAge: number, timeout: number): Promise<Point | NoPlace> {
  if (!('geolocation' in navigator)) return Promise.resolve('unavailable');
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      (found) => resolve(pointOf(found)),
      (error) => resolve(noPlace(error)),
      { maximumAge, timeout },
    );
  });
}

/** Follows the phone until it is told to stop. */
export function watchPhone(onPlace: (point: Point) => void, onNone: (why: NoPlace) => void): () => void {
  if (!('geolocation' in navigator)) {
    onNone('unavailable');
    return () => undefined;
  }
  const watching = navigator.geolocation.watchPosition(
    (found) => onPlace(pointOf(found)),
    (error) => onNone(noPlace(error)),
    { enableHighAccuracy: true, maximumAge: 5_000 },
  );
  return () => navigator.geolocation.clearWatch(watching);
}
