import type { Point } from '../../domain/places.ts';

/** The browser's permission to read the position. Rejects in a browser that cannot say. */
export const queryLocationPermission = (): Promise<PermissionStatus> =>
  navigator.permissions.query({ name: 'geolocation' });

/** Whether the browser allows the position without a prompt: only a click may trigger the prompt. */
export async function isGeolocationAllowed(): Promise<boolean> {
  try {
    return (await queryLocationPermission()).state === 'granted';
  } catch {
    return false;
  }
}

export type GeolocationFailure = 'denied' | 'unavailable';

const failureOf = ({ code, PERMISSION_DENIED }: GeolocationPositionError): GeolocationFailure =>
  code === PERMISSION_DENIED ? 'denied' : 'unavailable';

const pointOf = ({ coords: { latitude, longitude } }: GeolocationPosition): Point => ({ latitude, longitude });

/** The phone's position, at most `maximumAge` ms old. Prompts for permission if needed. */
export function readLocation(maximumAge: number, timeout: number): Promise<Point | GeolocationFailure> {
  if (!('geolocation' in navigator)) return Promise.resolve('unavailable');
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      (found) => resolve(pointOf(found)),
      (error) => resolve(failureOf(error)),
      { maximumAge, timeout },
    );
  });
}

/** Watches the phone's position until the returned function is called. */
export function watchLocation(onPlace: (point: Point) => void, onNone: (why: GeolocationFailure) => void): () => void {
  if (!('geolocation' in navigator)) {
    onNone('unavailable');
    return () => undefined;
  }
  const watching = navigator.geolocation.watchPosition(
    (found) => onPlace(pointOf(found)),
    (error) => onNone(failureOf(error)),
    { enableHighAccuracy: true, maximumAge: 5_000 },
  );
  return () => navigator.geolocation.clearWatch(watching);
}
