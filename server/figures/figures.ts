import type { WorkFigures } from '../../contract/earnings.ts';
import { FIGURES_PAGE, type FiguresRow } from '../../contract/operator/figures.ts';
import { FEWER_FIGURES_WEEKS, FIGURES_WEEKS, MAX_FIGURES_ORDERS } from '../../domain/figures.ts';
import { addDays, localDate, mondayOf, startOfLocalDay } from '../../domain/localDays.ts';
import { toDollars } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import type { ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';
import {
  countOrders,
  type FiguresOfOrders,
  listFigures,
  type Period,
  readFiguresOfDuber,
  readFiguresOfScrub,
  readRating,
} from './figures.sql.ts';

const DAYS = 7;

/** The last weeks of the town, this one included, with their Mondays, newest first. */
async function readPeriod({ db, now }: Context, weeks: number): Promise<Period & { readonly mondays: string[] }> {
  const { timeZone } = await readSettings(db, now());
  const monday = mondayOf(localDate(now(), timeZone));
  const mondays = Array.from({ length: weeks }, (_, back) => addDays(monday, -DAYS * back));
  const since = startOfLocalDay(addDays(monday, -DAYS * (weeks - 1)), timeZone);
  return { since, until: startOfLocalDay(addDays(monday, DAYS), timeZone), timeZone, now: now(), mondays };
}

/** As many of the weeks that are asked for as have at most so many orders; one at least. */
async function readBoundedPeriod(context: Context, asked: number, mostOrders: number) {
  const choices = [asked, ...FEWER_FIGURES_WEEKS.filter((weeks) => weeks < asked)];
  for (const weeks of choices.slice(0, -1)) {
    const period = await readPeriod(context, weeks);
    if ((await countOrders(context.db, period, mostOrders)) <= mostOrders) return period;
  }
  return readPeriod(context, choices.at(-1) ?? 1);
}

export const figureHandlers = (
  context: ConsoleContext,
  mostOrders = MAX_FIGURES_ORDERS,
): Pick<OperatorHandlers, 'listFigures'> => ({
  listFigures: async ({ operator, query: { by, weeks, page = 1 } }) => {
    const { mondays, ...period } = await readBoundedPeriod(context, weeks, mostOrders);
    // All weeks are on one page.
    const bounds = { by, limit: FIGURES_PAGE + 1, offset: by === 'week' ? 0 : (page - 1) * FIGURES_PAGE };
    const [first, ...rows] = await listFigures(context.db, period, bounds);
    if (!first) throw new Error('the figures have no total');
    const viewOf = (figures: FiguresOfOrders) => figuresView(figures, operator.caps.includes('money'));
    const items: FiguresRow[] = rows
      .slice(0, FIGURES_PAGE)
      .map(({ key, name, ...figures }) => ({ key, name, ...viewOf(figures) }));
    const empty = { name: null, ...viewOf(NO_ORDERS) };
    return {
      timeZone: period.timeZone,
      weeks: mondays.length,
      from: mondays.at(-1) ?? '',
      total: viewOf(first),
      items: by === 'week' ? mondays.map((key) => items.find((row) => row.key === key) ?? { key, ...empty }) : items,
      hasMore: rows.length > FIGURES_PAGE,
    };
  },
});

const NO_ORDERS: FiguresOfOrders = {
  ...{ orders: 0, completed: 0, minutesToYes: null, slowMinutesToYes: null, onTime: null, hoursToReturn: null },
  ...{ orderedAgain: null, scrubHourly: null, duberHourly: null, kept: 0 },
};

const dollarsOrNull = (cents: number | null) => (cents === null ? null : toDollars(Math.round(cents)));

function figuresView(figures: FiguresOfOrders, seesMoney: boolean) {
  const { orders, completed, minutesToYes, slowMinutesToYes, onTime, hoursToReturn, orderedAgain } = figures;
  return {
    ...{ orders, completed, minutesToYes, slowMinutesToYes, onTime, hoursToReturn, orderedAgain },
    scrubHourly: dollarsOrNull(figures.scrubHourly),
    duberHourly: dollarsOrNull(figures.duberHourly),
    kept: seesMoney ? toDollars(figures.kept) : null,
  };
}

/** What workers see of their own work. */
export const workFigureHandlers = (context: Context): Pick<Handlers, 'workFigures'> => ({
  workFigures: async ({ caller }): Promise<WorkFigures> => {
    const period = await readPeriod(context, FIGURES_WEEKS);
    const { sum, count } = await readRating(context.db, caller.id);
    const figures =
      caller.role === 'Scrub'
        ? await readFiguresOfScrub(context.db, period, caller.id)
        : await readFiguresOfDuber(context.db, period, caller.id);
    if (!figures) throw new Error(`there are no figures of ${caller.id}`);
    return {
      weeks: FIGURES_WEEKS,
      ...figures,
      hourly: dollarsOrNull(figures.hourly),
      rating: count === 0 ? null : sum / count,
      ratingCount: count,
    };
  },
});
