import type { TimeWindow } from '../domain/windows.ts';

/** "Fri, Dec 4, 5 – 7 PM", by the clocks of the town. */
export const formatWindow = ({ from, until }: TimeWindow, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    ...{ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZone,
  }).formatRange(from, until);
