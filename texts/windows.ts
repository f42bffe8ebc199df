import type { TimeWindow } from '../domain/windows.ts';

/** "Fri, Dec 4, 5 – 7 PM", by the clocks of the town. */
export function formatWindow({ from, until }: TimeWindow, timeZone: string): string {
  const isFullHour = (at: Date) => at.getUTCMinutes() === 0;
  return new Intl.DateTimeFormat('en-US', {
    ...{ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', timeZone },
    ...(isFullHour(from) && isFullHour(until) ? {} : { minute: '2-digit' }),
  }).formatRange(from, until);
}
