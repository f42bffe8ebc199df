// Days as a town lives them: they begin at midnight in its time zone.

/** The date in a time zone at an instant, like 2026-11-30. */
export function localDate(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The date after today, in a time zone. */
export function nextLocalDate(now: Date, timeZone: string): string {
  const today = new Date(`${localDate(now, timeZone)}T00:00:00Z`);
  return new Date(today.getTime() + DAY_MS).toISOString().slice(0, 10);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The first instant of a date in a time zone. It is not always midnight: clocks may be put forward then. */
export function startOfLocalDay(date: string, timeZone: string): Date {
  const midnight = new Date(`${date}T00:00:00Z`).getTime();
  // No time zone is further away than this.
  let [before, from] = [midnight - DAY_MS, midnight + DAY_MS];
  while (from - before > MINUTE_MS) {
    const middle = before + Math.floor((from - before) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (localDate(new Date(middle), timeZone) < date) before = middle;
    else from = middle;
  }
  return new Date(from);
}
