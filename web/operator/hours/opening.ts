import type { TownHours } from '../../../contract/operator/hours.ts';
import { closuresIn, type Opening } from '../../../domain/hours.ts';

/** When orders are taken in a zone, or with null in the town as a whole, in the form that the domain's rules take. */
export function openingOf({ hours, timeZone, closures }: TownHours, zoneId: string | null = null): Opening {
  const all = closures.map(({ from, until, words, zone }) => ({
    ...{ from: new Date(from), until: new Date(until), words },
    zoneId: zone?.id ?? null,
  }));
  return { hours, timeZone, closures: closuresIn(all, zoneId), pause: null };
}
