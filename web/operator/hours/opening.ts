import type { TownHours } from '../../../contract/operator/hours.ts';
import type { Opening } from '../../../domain/hours.ts';

/** The hours and closures in the form that the domain's rules take. */
export function openingOf({ hours, timeZone, closures }: TownHours): Opening {
  return {
    hours,
    timeZone,
    closures: closures.map(({ from, until, words }) => ({ from: new Date(from), until: new Date(until), words })),
    pause: null,
  };
}
