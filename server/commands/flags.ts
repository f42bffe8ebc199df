import type { Point } from '../../domain/places.ts';
import { CommandError } from './commandError.ts';

/** The option for each property of a call. */
const FLAGS: Readonly<Record<string, string>> = {
  reason: '--reason',
  why: '--reason',
  words: '--words',
  place: '--latitude and --longitude',
  waysPaidBy: '--liable',
  wayHome: '--home',
  liable: '--liable',
  deliveryId: '--delivery',
  from: '--from',
};

/** The problem with a property, named by its option. */
export function nameFlag(text: string, property: string): string {
  const flag = FLAGS[property] ?? property;
  return text.startsWith(`${property} `) ? `${flag}${text.slice(property.length)}` : `${text} (${flag})`;
}

/** A place from two options in degrees. */
export function parsePlace(latitude: string | undefined, longitude: string | undefined): Point | undefined {
  if (latitude === undefined && longitude === undefined) return undefined;
  const place = { latitude: Number(latitude ?? 'x'), longitude: Number(longitude ?? 'x') };
  const isPlace = Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180;
  if (!isPlace) throw new CommandError('--latitude and --longitude must be a place in degrees');
  return place;
}
