import type { ScrubWeek } from '../../contract/weeks.ts';
import { WEEKDAYS, type Weekday } from '../../domain/hours.ts';

/** The week as its form has it. Numbers are empty for no limit. */
export type WeekDraft = {
  readonly hasHours: boolean;
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly until: string;
  readonly poundsADay: number | '';
  readonly ordersADay: number | '';
  readonly sizes: ScrubWeek['sizes'];
  readonly noticeHours: number;
};

/** What the form starts with. Hours that differ by the day become those of the first one. */
export function toDraft({ hours, poundsADay, ordersADay, sizes, noticeHours }: ScrubWeek): WeekDraft {
  const [first] = hours;
  return {
    hasHours: hours.length > 0,
    days: first ? WEEKDAYS.filter((day) => hours.some(({ weekday }) => weekday === day)) : WEEKDAYS,
    ...{ from: first?.from ?? '08:00', until: first?.until ?? '20:00' },
    ...{ poundsADay: poundsADay ?? '', ordersADay: ordersADay ?? '', sizes, noticeHours },
  };
}

export function toWeek(draft: WeekDraft): ScrubWeek {
  const { hasHours, days, from, until, poundsADay, ordersADay, sizes, noticeHours } = draft;
  return {
    hours: hasHours ? days.map((weekday) => ({ weekday, from, until })) : [],
    poundsADay: poundsADay === '' ? null : poundsADay,
    ordersADay: ordersADay === '' ? null : ordersADay,
    ...{ sizes, noticeHours },
  };
}

/** Whether the form shows the hours as they are: the same times on each day. */
export const isPlain = ({ hours }: ScrubWeek): boolean =>
  new Set(hours.map(({ from, until }) => `${from} ${until}`)).size <= 1 &&
  new Set(hours.map(({ weekday }) => weekday)).size === hours.length;
