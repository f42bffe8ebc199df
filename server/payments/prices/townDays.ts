import { nextLocalDate, startOfLocalDay } from '../../../domain/localDays.ts';
import { isMachineUser, type Operator } from '../../../domain/operators.ts';
import { CORRECTION_AFTER_MS } from '../../../domain/prices.ts';
import type { Context } from '../../context.ts';
import { refuseProperty } from '../../http/refusals.ts';
import { hasOrders } from '../../town/firstOrder.sql.ts';
import { readSettings } from '../../town/settings.sql.ts';

type DayContext = Pick<Context, 'db' | 'now'>;

/** When a change is asked to start: on a day of the town, at once, or as soon as changes start. */
export type AskedStart = { readonly from?: string | undefined; readonly atOnce?: boolean | undefined };

/**
 * When a change of prices, zones or policies starts: at the requested day, or on the next day when it was approved later. At once in
 * a town without any order, or by the user of the machine, who sets up a town that has no operator yet. A minute later when a price
 * is corrected.
 */
export async function startOfChange(
  context: DayContext,
  { from: date, atOnce = false }: AskedStart,
  operator?: Pick<Operator, 'id'>,
): Promise<Date> {
  const now = context.now();
  const isNew = (operator && isMachineUser(operator)) || !(await hasOrders(context.db));
  if (date === undefined && isNew) return now;
  if (atOnce) return new Date(now.getTime() + CORRECTION_AFTER_MS);
  const { timeZone, start } = await readTomorrow(context);
  if (date === undefined) return start;
  return new Date(Math.max(startOfLocalDay(date, timeZone).getTime(), start.getTime()));
}

/** Refuses today and earlier days, and a day beside `atOnce`. */
export async function refusePastDay(context: DayContext, { from: date, atOnce = false }: AskedStart): Promise<void> {
  if (date === undefined) return;
  if (atOnce) refuseProperty('from', 'isLater', 'Choose a day, or correct it at once');
  const { date: tomorrow } = await readTomorrow(context);
  if (date < tomorrow)
    refuseProperty('from', 'isLater', 'Choose a day in the future: what people order today keeps its price');
}

async function readTomorrow({ db, now }: DayContext) {
  const { timeZone } = await readSettings(db, now());
  const date = nextLocalDate(now(), timeZone);
  return { timeZone, date, start: startOfLocalDay(date, timeZone) };
}
