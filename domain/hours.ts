// When a town takes orders: its hours by weekday, the days on which it is closed, and a pause.

import { addDays, instantOf, localClock, localDate } from './localDays.ts';

/** In the order of a week. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * Orders are taken on a weekday from one time of the town's clocks to another, like 08:00. An end that is not after the start is on
 * the next day.
 */
export type Span = { readonly weekday: Weekday; readonly from: string; readonly until: string };

/** The spans of a week; none at all when orders are always taken. */
export type Hours = readonly Span[];

/** No orders are taken in between, whatever the hours are. People who try to order read the words. */
export type Closure = { readonly from: Date; readonly until: Date; readonly words: string };

/** The closures that hold in a zone; null for outside of all zones, and for the town as a whole. */
export const closuresIn = <C extends { readonly zoneId: string | null }>(
  closures: readonly C[],
  zoneId: string | null,
): C[] => closures.filter((closure) => closure.zoneId === null || closure.zoneId === zoneId);

/** No new orders are taken until then, an ISO time. People who try to order read the words. */
export type Pause = { readonly until: string; readonly words: string };

/** Everything that decides when orders are taken. */
export type Opening = {
  readonly hours: Hours;
  readonly timeZone: string;
  readonly closures: readonly Closure[];
  readonly pause: Pause | null;
};

export const MAX_SPANS_A_DAY = 4;
export const MAX_SPANS = WEEKDAYS.length * MAX_SPANS_A_DAY;
/** How many closures may be to come at once. */
export const MAX_CLOSURES = 50;
export const MAX_CLOSURE_WORDS = 300;

export const DAY_MINUTES = 24 * 60;

/** Of a time of the clocks, from midnight. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const endOf = ({ from, until }: Span): number => minutesOf(until) + (until > from ? 0 : DAY_MINUTES);

export const lengthInMinutes = (span: Span): number => endOf(span) - minutesOf(span.from);

/** From the start of Monday. */
const startInWeek = (span: Span): number => WEEKDAYS.indexOf(span.weekday) * DAY_MINUTES + minutesOf(span.from);
const endInWeek = (span: Span): number => WEEKDAYS.indexOf(span.weekday) * DAY_MINUTES + endOf(span);

/** The spans in the order of a week. */
export const sortHours = (hours: Hours): Span[] => hours.toSorted((a, b) => startInWeek(a) - startInWeek(b));

/** The problem with hours; undefined when they are valid. */
export function findHoursProblem(hours: Hours, mostADay = MAX_SPANS_A_DAY): string | undefined {
  for (const weekday of WEEKDAYS) {
    const spans = hours.filter((span) => span.weekday === weekday);
    if (spans.length > mostADay) return `At most ${mostADay} times a day`;
  }
  const sorted = sortHours(hours);
  const [first] = sorted;
  for (const [n, span] of sorted.entries()) {
    const next = sorted[n + 1];
    // The last one may reach into Monday.
    const nextStart = next ? startInWeek(next) : startInWeek(first as Span) + WEEKDAYS.length * DAY_MINUTES;
    if (endInWeek(span) > nextStart) return `The times of ${(next ?? (first as Span)).weekday} overlap`;
  }
  return undefined;
}

export const isSameHours = (a: Hours, b: Hours): boolean =>
  JSON.stringify(canonicalHours(a)) === JSON.stringify(canonicalHours(b));
/** The same for the same hours, whatever their order is. */
export const canonicalHours = (hours: Hours) =>
  sortHours(hours).map(({ weekday, from, until }) => [weekday, from, until]);

export const weekdayOf = (date: string): Weekday =>
  WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] as Weekday;

type Instants = { readonly from: Date; readonly until: Date };

/** The spans of a date, soonest first. Where clocks are put forward over a whole span, without it. */
export function spansOn(date: string, { hours, timeZone }: Pick<Opening, 'hours' | 'timeZone'>): Instants[] {
  const weekday = weekdayOf(date);
  return sortHours(hours.filter((span) => span.weekday === weekday))
    .map(({ from, until }) => ({
      from: instantOf(date, from, timeZone),
      until: instantOf(until > from ? date : addDays(date, 1), until, timeZone),
    }))
    .filter((span) => span.from < span.until);
}

function isWithinHours(opening: Opening, at: Date): boolean {
  if (opening.hours.length === 0) return true;
  const today = localDate(at, opening.timeZone);
  // A span of yesterday may end today.
  return [addDays(today, -1), today].flatMap((date) => spansOn(date, opening)).some((span) => covers(span, at));
}

const covers = ({ from, until }: Instants, at: Date) => from <= at && at < until;

/** Two weeks: where clocks are put forward, the only span of a week may be left out. */
const DAYS_AHEAD = 14;

/** When the next span begins. */
function nextStart(opening: Opening, after: Date): Date {
  const today = localDate(after, opening.timeZone);
  for (let day = 0; day <= DAYS_AHEAD; day += 1) {
    const span = spansOn(addDays(today, day), opening).find(({ from }) => from > after);
    if (span) return span.from;
  }
  throw new Error('hours with a span have no next one');
}

/** When orders are taken again, from a time on at which they may not be. */
function findReopening(opening: Opening, now: Date): Date {
  const { closures, pause } = opening;
  const byStart = closures.toSorted((a, b) => a.from.getTime() - b.from.getTime());
  let at = pause ? later(now, new Date(pause.until)) : now;
  let next = 0;
  // Checks each closure once, and moves to the start of the next span in between.
  for (;;) {
    for (; byStart[next] && (byStart[next] as Closure).from <= at; next += 1)
      at = later(at, (byStart[next] as Closure).until);
    if (isWithinHours(opening, at)) return at;
    at = nextStart(opening, at);
  }
}

const later = (a: Date, b: Date): Date => (a < b ? b : a);

/** Until when no orders are taken, and what people read; null while they are taken. */
export function findClosed(opening: Opening, now: Date): Pause | null {
  const { closures, pause, timeZone } = opening;
  const reopening = findReopening(opening, now);
  if (reopening.getTime() === now.getTime()) return null;
  const until = reopening.toISOString();
  // A pause shows only the operator's words.
  if (pause && new Date(pause.until) > now) return { until, words: pause.words };
  const again = `We take orders again on ${formatLocalTime(reopening, timeZone, now)}.`;
  const closure = closures.find((one) => covers(one, now));
  return { until, words: `${closure ? toSentence(closure.words) : 'We are closed now.'} ${again}` };
}

const toSentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** 'Monday, November 30 at 8:00 am' on the clocks of a time zone; with the year when it is another one than now. */
export function formatLocalTime(at: Date, timeZone: string, now: Date): string {
  const { date, time } = localClock(at, timeZone);
  const year = date.slice(0, 4) === localDate(now, timeZone).slice(0, 4) ? '' : `, ${date.slice(0, 4)}`;
  return `${formatLocalDate(date)}${year} at ${formatClock(time)}`;
}

const formatLocalDate = (date: string): string =>
  `${weekdayOf(date)}, ${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}`;

/** '8:05 am' for 08:05. */
export function formatClock(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}:${time.slice(3)} ${hour < 12 ? 'am' : 'pm'}`;
}

/** The hours of a weekday in words. */
export function describeDay(weekday: Weekday, hours: Hours): string {
  if (hours.length === 0) return 'Always open';
  const spans = sortHours(hours).filter((span) => span.weekday === weekday);
  if (spans.length === 0) return 'Closed';
  return spans.map(describeSpan).join(', ');
}

function describeSpan({ from, until }: Span): string {
  if (from === '00:00' && until === '00:00') return 'All day';
  const nextDay = until > from || until === '00:00' ? '' : ' of the next day';
  return `${formatClock(from)} to ${until === '00:00' ? 'midnight' : formatClock(until)}${nextDay}`;
}
