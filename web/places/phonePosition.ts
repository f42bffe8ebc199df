import type { Point } from '../../domain/places.ts';

// Only in memory: unlike the dashboard, a Duber's own position must not be stored on the device.
let phonePosition: Point | undefined;

/** Where the phone was when the shown deliveries were searched; undefined when that was not known, and after a sign-out. */
export const readPhonePosition = (): Point | undefined => phonePosition;

export function savePhonePosition(place: Point | undefined): void {
  phonePosition = place;
}
