import type { Calendar } from '../../contract/weeks.ts';
import type { ScrubId } from '../../domain/accounts.ts';
import { findHoursProblem, sortHours } from '../../domain/hours.ts';
import { addDays, localDate, spanOfDays, startOfLocalDay } from '../../domain/localDays.ts';
import { CALENDAR_DAYS, isSameWeek, LAST_DAY_OFF, MAX_DAYS_OFF } from '../../domain/weeks.ts';
import { toWindow } from '../../texts/windows.ts';
import { createToken, digest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { API_BASE, type Handlers } from '../http/routes.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { canLeave, listTouched, settleTouchedOrders, type TouchedOrder, touchedWindowsOf } from '../orders/touched.ts';
import { readSettings } from '../town/settings.sql.ts';
import { writeCalendar } from './iCalendar.ts';
import {
  deleteDaysOff,
  findScrubOfFeed,
  insertDaysOff,
  listDaysOff,
  listJobs,
  lockScrub,
  readCalendarRows,
  readWeek,
  saveFeed,
  saveWeek,
} from './weeks.sql.ts';

type WeekCalls = Pick<
  Handlers,
  | 'readCalendar'
  | 'setWeek'
  | 'listDaysOffTouched'
  | 'addDaysOff'
  | 'removeDaysOff'
  | 'makeCalendarFeed'
  | 'stopCalendarFeed'
  | 'readCalendarFeed'
>;

/** When a Scrub works, and what the next days have for them. */
export function weekHandlers(context: Context): WeekCalls {
  const { db, now, newId, config } = context;
  return {
    readCalendar: ({ caller }) => readCalendar(db, caller.id, now()),
    setWeek: ({ caller, body: { before, week } }) =>
      transact(db, async (tx) => {
        const problem = findHoursProblem(week.hours);
        if (problem) refuseProperty('week.hours', 'isWeek', problem);
        await lockScrub(tx, caller.id);
        const { hasFeed: _feed, ...current } = await readWeek(tx, caller.id);
        if (!isSameWeek(before, current)) refuse('weekChanged');
        await saveWeek(tx, caller.id, { ...week, hours: sortHours(week.hours) }, now());
        return {};
      }),
    listDaysOffTouched: async ({ caller, query }) => {
      const { timeZone } = await readSettings(db, now());
      const part = { span: spanOfDays(query, timeZone), scrubId: caller.id };
      return listTouched(db, part, viewOfTouched);
    },
    addDaysOff: ({ caller, body: { from, until, touched } }) =>
      transactWithEffects(context, async (inside) => {
        const { db: tx } = inside;
        const { timeZone } = await readSettings(tx, now());
        const today = localDate(now(), timeZone);
        if (until < from) refuseProperty('until', 'isLater', 'The last day must not be before the first');
        if (from < today) refuseProperty('from', 'isLater', 'Choose days from today on');
        if (until > addDays(today, LAST_DAY_OFF)) refuseProperty('until', 'isNear', 'Choose days within a year');
        await lockScrub(tx, caller.id);
        const planned = await listDaysOff(tx, caller.id, today);
        if (planned.length >= MAX_DAYS_OFF) refuse('tooManyDaysOff');
        if (planned.some((days) => days.from <= until && from <= days.until))
          refuseProperty('from', 'isFree', 'You are away on some of these days already');
        const days = { id: newId(), from, until };
        await insertDaysOff(tx, caller.id, days, now());
        const span = spanOfDays({ from, until }, timeZone);
        await settleTouchedOrders(inside, { by: caller, span, choice: touched, why: { reason: 'away' } });
        return days;
      }),
    removeDaysOff: async ({ caller, params: { id } }) => {
      if (!(await deleteDaysOff(db, caller.id, id))) refuse('notFound');
      return undefined;
    },
    makeCalendarFeed: ({ caller }) =>
      transact(db, async (tx) => {
        await lockScrub(tx, caller.id);
        await saveWeek(tx, caller.id, await readWeek(tx, caller.id), now());
        const secret = createToken();
        await saveFeed(tx, caller.id, digest(secret));
        return { url: `${config.publicUrl}${API_BASE}/calendar/${secret}.ics` };
      }),
    stopCalendarFeed: async ({ caller }) => {
      await saveFeed(db, caller.id, null);
      return undefined;
    },
    readCalendarFeed: async ({ params: { secret }, from }) => {
      await context.rateLimits.countSecretAttempt(from);
      const scrub = orNotFound(await findScrubOfFeed(db, digest(secret.replace(/\.ics$/, ''))));
      return { text: await writeFeed(context, scrub) };
    },
  };
}

const viewOfTouched = (order: TouchedOrder) => ({
  ...{ id: order.id, number: order.number, bud: order.budName, canGiveBack: canLeave(order) },
  ...touchedWindowsOf(order),
});

async function readCalendar(tx: Tx, scrub: ScrubId, at: Date): Promise<Calendar> {
  const { timeZone } = await readSettings(tx, at);
  const today = localDate(at, timeZone);
  const days = Array.from({ length: CALENDAR_DAYS }, (_, n) => addDays(today, n));
  const end = addDays(today, CALENDAR_DAYS);
  const { hasFeed, ...week } = await readWeek(tx, scrub);
  const daysOff = await listDaysOff(tx, scrub, today);
  const { jobs, soon, booked } = await readCalendarRows(tx, scrub, {
    ...{ from: startOfLocalDay(today, timeZone), until: startOfLocalDay(end, timeZone) },
    ...{ firstDay: today, lastDay: end },
  });
  const jobsOf = Map.groupBy(jobs, (job) => localDate(new Date(job.window.from), timeZone));
  return {
    ...{ timeZone, week, daysOff, hasFeed },
    days: days.map((day) => {
      const { orders = 0, pounds = 0 } = booked.find((one) => one.day === day) ?? {};
      return {
        ...{ day, orders, pounds },
        isOff: daysOff.some(({ from, until }) => from <= day && day <= until),
        jobs: [...soon.filter((one) => one.day === day).map(({ job }) => job), ...(jobsOf.get(day) ?? [])],
      };
    }),
  };
}

const SUMMARIES = { pickup: 'Laundry comes', return: 'Laundry goes back' } as const;

async function writeFeed({ db, now, config }: Context, { id, fullname }: { id: ScrubId; fullname: string }) {
  const events = (await listJobs(db, id)).map(({ orderId, number, kind, window, bud, loadSize }) => {
    const summary = `${SUMMARIES[kind]}: ${bud}, ${loadSize}`;
    const description = `${number}\n${config.publicUrl}/#/scrub/jobs/${orderId}`;
    const uid = `${orderId}-${kind}@${new URL(config.publicUrl).hostname}`;
    return { uid, ...toWindow(window), summary, description };
  });
  return writeCalendar(`Laundry of ${fullname}`, events, now());
}
