import type { TownWindows } from '../../contract/operator/windows.ts';
import { formatClock, type Hours, WEEKDAYS } from '../../domain/hours.ts';
import type { CreditBearer } from '../../domain/promises.ts';
import type { Turnaround, WindowKind } from '../../domain/windows.ts';
import { formatMoney } from '../ui/formatMoney.ts';

export const TURNAROUND_TEXTS: Readonly<Record<Turnaround, string>> = {
  'same-day': 'On the day of the pickup',
  'next-day': 'On the next day',
  standard: 'Two days later',
};

export const WINDOW_KIND_TEXTS: Readonly<Record<WindowKind, string>> = { pickup: 'Pickups', return: 'Returns' };

export const BEARER_OF_CREDIT_TEXTS: Readonly<Record<CreditBearer, string>> = {
  holder: 'Whoever had the laundry then',
  town: 'The town',
};

/** 'Monday to Friday: 8:00 am–10:00 am, 10:00 am–12:00 pm', a line for days that are alike. */
export function describeWeek(hours: Hours): string[] {
  const times = (weekday: string) =>
    hours
      .filter((span) => span.weekday === weekday)
      .map(({ from, until }) => `${formatClock(from)}–${formatClock(until)}`)
      .join(', ');
  const groups: { first: string; last: string; words: string; end: number }[] = [];
  for (const [end, weekday] of WEEKDAYS.entries()) {
    const words = times(weekday);
    const before = groups.at(-1);
    if (words === '') continue;
    if (before && before.end === end - 1 && before.words === words) Object.assign(before, { last: weekday, end });
    else groups.push({ first: weekday, last: weekday, words, end });
  }
  return groups.map(({ first, last, words }) => `${first === last ? first : `${first} to ${last}`}: ${words}`);
}

/** One sentence of a plan, as the audit has it. */
export function describePlan(plan: TownWindows['plan']): string {
  if (!plan) return 'No windows: people come as soon as possible';
  const counts = [plan.pickup.length, plan.return.length].map((count) => `${count} a week`);
  return `Windows: ${counts[0]} for pickups, ${counts[1]} for returns, ${plan.places} places each. Fastest: ${TURNAROUND_TEXTS[plan.fastest].toLowerCase()}`;
}

export function describeCredit(credit: TownWindows['credit'] | undefined): string {
  if (!credit) return 'A missed promise pays nothing';
  return `A missed promise pays ${formatMoney(credit.amount)}, borne by ${credit.borneBy === 'town' ? 'the town' : 'whoever had the laundry'}`;
}
