import { nextLocalDate, startOfLocalDay } from '../../../domain/localDays.ts';
import type { Context } from '../../context.ts';
import { refuseProperty } from '../../http/refusals.ts';
import { readSettings } from '../../town/settings.sql.ts';

type DayContext = Pick<Context, 'db' | 'now'>;

/** When the next day of the town begins, the earliest time for changes of prices and policies. */
export async function startOfTomorrow(context: DayContext): Promise<Date> {
  return (await readTomorrow(context)).start;
}

/** When a change starts: at the requested day, or on the next day when it was approved later. */
export async function startOfChange(context: DayContext, date: string | undefined): Promise<Date> {
  const { timeZone, start } = await readTomorrow(context);
  if (date === undefined) return start;
  return new Date(Math.max(startOfLocalDay(date, timeZone).getTime(), start.getTime()));
}

/** Refuses today and earlier days. */
export async function refusePastDay(context: DayContext, date: string | undefined): Promise<void> {
  const { date: tomorrow } = await readTomorrow(context);
  if (date !== undefined && date < tomorrow)
    refuseProperty('from', 'isLater', 'Choose a day that is to come: what people order today keeps its price');
}

async function readTomorrow({ db, now }: DayContext) {
  const { timeZone } = await readSettings(db, now());
  const date = nextLocalDate(now(), timeZone);
  return { timeZone, date, start: startOfLocalDay(date, timeZone) };
}
