import { DAY_MS, MINUTE_MS } from './durations.ts';

// Days as a town lives them: they begin at midnight in its time zone.

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes much longer than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const two = '2-digit';
  const parts = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, ...parts });
  formats.set(timeZone, format);
  return format;
}

/** What the clocks of a time zone show at an instant, like 2026-11-30 and 08:05. */
export function localClock(at: Date, timeZone: string): { readonly date: string; readonly time: string } {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
}

/** The date in a time zone at an instant, like 2026-11-30. */
export const localDate = (at: Date, timeZone: string): string => localClock(at, timeZone).date;

/** The date a number of days after another. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The Monday of the week that a date is in. */
export const mondayOf = (date: string): string => addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The date after today, in a time zone. */
export const nextLocalDate = (now: Date, timeZone: string): string => addDays(localDate(now, timeZone), 1);

/** The first instant of a date in a time zone. It is not always midnight: clocks may be put forward then. */
export const startOfLocalDay = (date: string, timeZone: string): Date => instantOf(date, '00:00', timeZone);

/** The first instant after a date in a time zone. */
export const endOfLocalDay = (date: string, timeZone: string): Date => startOfLocalDay(addDays(date, 1), timeZone);

/** The time of the days from one date until another, the last one included. */
export const spanOfDays = (
  { from, until }: { readonly from: string; readonly until: string },
  timeZone: string,
): { readonly from: Date; readonly until: Date } => ({
  from: startOfLocalDay(from, timeZone),
  until: endOfLocalDay(until, timeZone),
});

/** When the clocks of a time zone show a time like 2026-11-30T08:05, as forms and closures write it. */
export const instantOfLocalTime = (text: string, timeZone: string): Date =>
  instantOf(text.slice(0, 10), text.slice(11, 16), timeZone);

const instants = new Map<string, number>();
const MAX_INSTANTS = 5_000;

/**
 * When the clocks of a time zone show a time of a date, like 08:05. The first of two when they are put back over it, and the
 * end of the gap when they are put forward over it. Each order asks for the same few, which take much longer to find than to
 * remember.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const key = `${date} ${time} ${timeZone}`;
  const known = instants.get(key);
  if (known !== undefined) return new Date(known);
  if (instants.size >= MAX_INSTANTS) instants.clear();
  const found = findInstant(date, time, timeZone);
  instants.set(key, found.getTime());
  return found;
}

function findInstant(date: string, time: string, timeZone: string): Date {
  const shown = Date.parse(`${date}T${time}Z`);
  const shownAt = (at: number) => {
    const clock = localClock(new Date(at), timeZone);
    return Date.parse(`${clock.date}T${clock.time}Z`);
  };
  const offsetAt = (at: number) => shownAt(at) - at;
  // No time zone is further away than a day, and none changes its clocks twice in two.
  const candidates = [shown - offsetAt(shown - DAY_MS), shown - offsetAt(shown + DAY_MS)];
  let [before, from] = [Math.min(...candidates), Math.max(...candidates)];
  for (const at of [before, from]) if (shownAt(at) === shown) return new Date(at);
  while (from - before > MINUTE_MS) {
    const middle = before + Math.floor((from - before) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (shownAt(middle) < shown) before = middle;
    else from = middle;
  }
  return new Date(from);
}
