import { nextLocalDate, startOfLocalDay } from '../../../domain/localDays.ts';
import { isMachineUser, type Operator } from '../../../domain/operators.ts';
import type { Context } from '../../context.ts';
import { refuseProperty } from '../../http/refusals.ts';
import { readSettings } from '../../town/settings.sql.ts';

type DayContext = Pick<Context, 'db' | 'now'>;

/**
 * When a change of prices or policies starts: at the requested day, or on the next day when it was approved later. At once for the
 * user of the machine, who sets up a town that has no operator yet.
 */
export async function startOfChange(
  context: DayContext,
  date: string | undefined,
  operator?: Pick<Operator, 'id'>,
): Promise<Date> {
  if (date === undefined && operator && isMachineUser(operator)) return context.now();
  const { timeZone, start } = await readTomorrow(context);
  if (date === undefined) return start;
  return new Date(Math.max(startOfLocalDay(date, timeZone).getTime(), start.getTime()));
}

/** Refuses today and earlier days. */
export async function refusePastDay(context: DayContext, date: string | undefined): Promise<void> {
  const { date: tomorrow } = await readTomorrow(context);
  if (date !== undefined && date < tomorrow)
    refuseProperty('from', 'isLater', 'Choose a day in the future: what people order today keeps its price');
}

async function readTomorrow({ db, now }: DayContext) {
  const { timeZone } = await readSettings(db, now());
  const date = nextLocalDate(now(), timeZone);
  return { timeZone, date, start: startOfLocalDay(date, timeZone) };
}
