import { DAY_MS } from '../domain/durations.ts';
import { formatClock, MONTHS, weekdayOf } from '../domain/hours.ts';
import { addDays, localClock, localDate } from '../domain/localDays.ts';
import type { TimeWindow } from '../domain/windows.ts';

// When somebody comes, as people read it, by the clocks of the town.

/** A window as calls answer it. */
export const toWindow = ({ from, until }: { readonly from: string; readonly until: string }): TimeWindow => ({
  from: new Date(from),
  until: new Date(until),
});

/** What the two windows of an order are called. A Bud who carries the laundry themselves comes to the Scrub then. */
export const windowNames = (order: { readonly selfDelivery: boolean; readonly selfPickup: boolean }) => ({
  pickup: order.selfDelivery ? 'Drop-off' : 'Pickup',
  return: order.selfPickup ? 'Ready' : 'Back',
});

/** What holds while another time waits for the answer of the Bud. The town asks because nobody comes at the agreed one. */
export const UNTIL_ANSWERED: Readonly<Record<'Scrub' | 'Operator', string>> = {
  Scrub: 'Until you answer, the agreed time stays.',
  Operator: 'Nobody comes at the agreed time. If the new one does not suit you, say so, and we get in touch.',
};

/** '5 pm' for 17:00, '5:30 pm' for 17:30. */
const shortClock = (time: string) => formatClock(time).replace(':00', '').replace(' ', '\u00a0');

/** '5–7\u00a0pm', or '11\u00a0am–1\u00a0pm'. */
export function formatSpan({ from, until }: TimeWindow, timeZone: string): string {
  const [start, end] = [from, until].map((at) => shortClock(localClock(at, timeZone).time)) as [string, string];
  const isSameHalf = start.slice(-2) === end.slice(-2);
  return `${isSameHalf ? start.slice(0, -3) : start}–${end}`;
}

/** 'Fri, Dec 4, 5–7 pm', also for somebody who reads it later. */
export function formatWindow(window: TimeWindow, timeZone: string): string {
  const date = localDate(window.from, timeZone);
  return `${weekdayOf(date).slice(0, 3)}, ${dayOfMonth(date)}, ${formatSpan(window, timeZone)}`;
}

const dayOfMonth = (date: string) => `${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)} ${Number(date.slice(8))}`;

/** How a day is called now: 'Today', 'Tomorrow', 'Fri', and 'Fri, Dec 11' from a week on. */
export function nameOfDay(at: Date, timeZone: string, now: Date): string {
  const [date, today] = [localDate(at, timeZone), localDate(now, timeZone)];
  if (date === today) return 'Today';
  if (date === addDays(today, 1)) return 'Tomorrow';
  const name = weekdayOf(date).slice(0, 3);
  return date > today && Date.parse(date) - Date.parse(today) < 7 * DAY_MS ? name : `${name}, ${dayOfMonth(date)}`;
}

/** 'Tomorrow, 5–7 pm' */
export const formatWindowSoon = (window: TimeWindow, timeZone: string, now: Date): string =>
  `${nameOfDay(window.from, timeZone, now)}, ${formatSpan(window, timeZone)}`;

/** 'Tomorrow, 7 pm' */
export const formatTimeSoon = (at: Date, timeZone: string, now: Date): string =>
  `${nameOfDay(at, timeZone, now)}, ${shortClock(localClock(at, timeZone).time)}`;

/** The same inside of a sentence: 'tomorrow, 5–7 pm'. Names of days of the week stay. */
export const insideSentence = (text: string): string => text.replace(/^(Today|Tomorrow)/, (day) => day.toLowerCase());
