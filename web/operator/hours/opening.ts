import type { TownHours } from '../../../contract/operator/hours.ts';
import type { Opening } from '../../../domain/hours.ts';

/** The hours and closures as the rules of the town take them. */
export function openingOf({ hours, timeZone, closures }: TownHours): Opening {
  return {
    hours,
    timeZone,
    closures: closures.map(({ from, until, words }) => ({ from: new Date(from), until: new Date(until), words })),
    pause: null,
  };
}
