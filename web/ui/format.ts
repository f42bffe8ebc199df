export { formatMoney } from './formatMoney.ts';

// spec 9
export function formatKm(meters: number): string {
  return `${(meters / 1000).toFixed(2)} km`;
}

/** A distance of which an end is rounded to about 300 m. It has no digits that nobody knows, and is never 0. */
export function formatRoughKm(meters: number): string {
  return meters <= 400 ? 'less than 1 km' : `about ${Math.round(meters / 100) / 10} km`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** A time as 'DD/MMM/YY : h:mm a' (spec 9), in the time zone of the browser. */
export function formatDate(iso: string): string {
  const time = new Date(iso);
  const date = `${twoDigits(time.getDate())}/${MONTHS[time.getMonth()]}/${twoDigits(time.getFullYear() % 100)}`;
  return `${date} : ${clockOf(time)} ${halfOf(time)}`;
}

const clockOf = (time: Date) => `${time.getHours() % 12 || 12}:${twoDigits(time.getMinutes())}`;
const halfOf = (time: Date) => (time.getHours() < 12 ? 'am' : 'pm');

/** Some minutes after a time, on the clock of the browser: '2:20–2:26 pm', or '11:58 am–12:03 pm'. */
export function formatTimeSpan(iso: string, fromMin: number, toMin: number): string {
  const [from, to] = [fromMin, toMin].map((minutes) => new Date(Date.parse(iso) + minutes * 60_000)) as [Date, Date];
  const start = halfOf(from) === halfOf(to) ? clockOf(from) : `${clockOf(from)}\u00a0${halfOf(from)}`;
  return `${start}–${clockOf(to)}\u00a0${halfOf(to)}`;
}

/** The same for the middle of a sentence: it is not broken over two lines. */
export const formatDateInText = (iso: string): string => formatDate(iso).replaceAll(' ', '\u00a0');

/** A day of UTC, like those on which the periods of payouts begin: 23 Nov 2026. */
export function formatDay(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
const JUST_NOW_S = 10;

/** 'just now', '20 seconds ago', '3 minutes ago', '2 days ago'. A time slightly in the future is 'just now'. */
export function formatAgo(iso: string, now: Date): string {
  const seconds = Math.floor((now.getTime() - Date.parse(iso)) / 1000);
  if (seconds < JUST_NOW_S) return 'just now';
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? UNITS[3];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** The end of an id. UUIDv7 ids start with the time, so their beginnings look alike. */
export function shortId(id: string): string {
  return id.length > 8 ? `…${id.slice(-8)}` : id;
}

/** The label of a status or a delivery type: 'Way_To_Pick' is 'Way To Pick', 'Bud_To_Scrub' is 'Bud → Scrub'. */
export function labelOf(value: string, kind: 'status' | 'type' = 'status'): string {
  const label = kind === 'type' ? value.replace('_To_', ' → ') : value; // spec 4.2
  return label.replaceAll('_', ' ');
}

export function initialOf(fullname: string): string {
  return (Array.from(fullname.trim())[0] ?? '?').toUpperCase();
}

export function firstNameOf(fullname: string): string {
  return fullname.trim().split(/\s+/)[0] ?? fullname;
}
