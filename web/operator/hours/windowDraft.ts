import type { TownWindows } from '../../../contract/operator/windows.ts';
import { type Hours, lengthInMinutes, WEEKDAYS, type Weekday } from '../../../domain/hours.ts';
import {
  isSamePlan,
  MAX_WINDOWS_A_DAY,
  proposeWindows,
  type Turnaround,
  type WindowKind,
} from '../../../domain/windows.ts';

type Plan = NonNullable<TownWindows['plan']>;

/** The windows of one kind, as the form asks for them: the same on each chosen day. */
export type DraftWeek = {
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly until: string;
  readonly lengthHours: number;
};
/** Numbers are empty while nothing is typed. */
export type DraftPlan = Readonly<Record<WindowKind, DraftWeek>> & {
  readonly places: number | '';
  readonly placesIn: Readonly<Record<string, number>>;
  readonly fastest: Turnaround;
  readonly noticeHours: number | '';
};

const DEFAULT_WEEK: DraftWeek = { days: WEEKDAYS, from: '08:00', until: '20:00', lengthHours: 2 };

/** The first and last times of some windows, and the length of the first one. */
function toDraftWeek(hours: Hours, otherwise: DraftWeek): DraftWeek {
  const [first] = hours;
  if (!first) return otherwise;
  const ofDay = hours.filter(({ weekday }) => weekday === first.weekday);
  const starts = ofDay.map(({ from }) => from).toSorted();
  const last = ofDay.toSorted((a, b) => (a.from < b.from ? -1 : 1)).at(-1) ?? first;
  return {
    days: WEEKDAYS.filter((weekday) => hours.some((span) => span.weekday === weekday)),
    from: starts[0] ?? first.from,
    until: last.until,
    lengthHours: lengthInMinutes(first) / 60,
  };
}

/** What the form starts with: the plan of the town, or one from the hours at which it takes orders. */
export function toDraft(plan: Plan | null, hours: Hours): DraftPlan {
  const proposed = { ...toDraftWeek(hours, DEFAULT_WEEK), lengthHours: 2 };
  const { places = 8, placesIn = {}, fastest = 'next-day', noticeHours = 2 } = plan ?? {};
  return {
    ...{ places, placesIn, fastest, noticeHours },
    pickup: toDraftWeek(plan?.pickup ?? [], proposed),
    return: toDraftWeek(plan?.return ?? [], proposed),
  };
}

const spansOf = ({ days, from, until, lengthHours }: DraftWeek): Hours =>
  proposeWindows(
    days.map((weekday) => ({ weekday, from, until })),
    lengthHours,
  );

/** The plan of a draft, or what is wrong with it. */
export function toPlan(draft: DraftPlan): { readonly plan: Plan } | { readonly problem: string } {
  const { pickup, return: back, places, noticeHours, ...rest } = draft;
  for (const [week, name] of [
    [pickup, 'pickups'],
    [back, 'returns'],
  ] as const) {
    if (week.days.length === 0) return { problem: `Choose at least one day for ${name}` };
    if (!week.from || !week.until) return { problem: `Choose from when until when there are ${name}` };
    if (!(week.lengthHours >= 0.5)) return { problem: 'A window has at least half an hour' };
    const windows = spansOf(week).length / week.days.length;
    if (windows < 1) return { problem: `There is no whole window for ${name} between these times` };
    if (windows > MAX_WINDOWS_A_DAY) return { problem: `At most ${MAX_WINDOWS_A_DAY} windows a day: make them longer` };
  }
  if (places === '') return { problem: 'Say how many orders one window takes' };
  if (noticeHours === '') return { problem: 'Say how many hours of notice a window needs: 0 for none' };
  return { plan: { ...rest, places, noticeHours, pickup: [...spansOf(pickup)], return: [...spansOf(back)] } };
}

/** Whether the form shows a plan as it is: windows of one length, the same on each day. */
export function isPlain(plan: Plan | null): boolean {
  const shown = plan && toPlan(toDraft(plan, []));
  return !shown || ('plan' in shown && isSamePlan(shown.plan, plan));
}

/** The plan that is proposed to a town without one, from the hours at which it takes orders. */
export function proposePlan(hours: Hours): Plan | undefined {
  const result = toPlan(toDraft(null, hours));
  return 'plan' in result ? result.plan : undefined;
}
