import { DAY_MS } from '../domain/durations.ts';
import { localClock, localDate } from '../domain/localDays.ts';

const START = Date.parse('2026-12-01T12:00:00Z');
const CHANGES = 10;
const YEARS = 6;

/** By how many minutes the clocks of a zone are ahead of UTC. */
export function offsetAt(at: number, zone: string): number {
  const { date, time } = localClock(new Date(at), zone);
  return (Date.parse(`${date}T${time}Z`) - Math.floor(at / 60_000) * 60_000) / 60_000;
}

/** The days on which the clocks of a zone change next, at most ten. */
function changesOf(zone: string): string[] {
  const found: string[] = [];
  for (let at = START; at < START + YEARS * 366 * DAY_MS && found.length < CHANGES; at += 14 * DAY_MS) {
    if (offsetAt(at, zone) === offsetAt(at + 14 * DAY_MS, zone)) continue;
    for (let day = at; day < at + 14 * DAY_MS; day += DAY_MS)
      if (offsetAt(day, zone) !== offsetAt(day + DAY_MS, zone)) found.push(localDate(new Date(day + DAY_MS), zone));
  }
  return found.slice(0, CHANGES);
}

/** The time zones whose clocks change, and when they change next. */
export const ZONES_WITH_CHANGES = Intl.supportedValuesOf('timeZone')
  .map((zone) => ({ zone, changes: changesOf(zone) }))
  .filter(({ changes }) => changes.length > 0);
