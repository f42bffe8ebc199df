import type { Point } from '../../domain/places.ts';
import { isVague } from '../../domain/positions.ts';

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

/** Where a phone is, and the radius in meters within which it probably is. */
export type PhonePlace = Point & { readonly accuracy: number };

const placeOf = ({ coords: { latitude, longitude, accuracy } }: GeolocationPosition): PhonePlace => ({
  latitude,
  longitude,
  accuracy: Math.round(accuracy),
});

/** The phone's position, at most `maximumAge` ms old, unless it is vague. Prompts for permission if needed. */
export async function readExactLocation(
  maximumAge: number,
  timeout: number,
): Promise<PhonePlace | GeolocationFailure | 'vague'> {
  const place = await readLocation(maximumAge, timeout);
  return typeof place !== 'string' && isVague(place) ? 'vague' : place;
}

/** The same, as the phone knows it. */
export function readLocation(maximumAge: number, timeout: number): Promise<PhonePlace | GeolocationFailure> {
  if (!('geolocation' in navigator)) return Promise.resolve('unavailable');
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      (found) => resolve(placeOf(found)),
      (error) => resolve(failureOf(error)),
      // Without it many phones give the place of the next cell tower.
      { enableHighAccuracy: true, maximumAge, timeout },
    );
  });
}

/** Watches the phone's position until the returned function is called. */
export function watchLocation(
  onPlace: (place: PhonePlace) => void,
  onNone: (why: GeolocationFailure) => void,
): () => void {
  if (!('geolocation' in navigator)) {
    onNone('unavailable');
    return () => undefined;
  }
  const watching = navigator.geolocation.watchPosition(
    (found) => onPlace(placeOf(found)),
    (error) => onNone(failureOf(error)),
    { enableHighAccuracy: true, maximumAge: 5_000 },
  );
  return () => navigator.geolocation.clearWatch(watching);
}
