import { CLOSURES_PAGE } from '../../contract/operator/hours.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { findHoursProblem, isSameHours, MAX_CLOSURES, sortHours } from '../../domain/hours.ts';
import { instantOfLocalTime } from '../../domain/localDays.ts';
import { MAX_TOUCHED, type TouchedChoice } from '../../domain/moves.ts';
import { accountIdOf, type Operator } from '../../domain/operators.ts';
import { toDollars } from '../../domain/payments.ts';
import type { TimeWindow } from '../../domain/windows.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { listTouchedOrders, settleTouchedOrders } from '../orders/touched.ts';
import { readSettingRow, readSettings, writeSetting } from '../town/settings.sql.ts';
import {
  type ClosureRow,
  insertClosure,
  listComingClosures,
  listPastClosures,
  lockClosure,
  takeBackClosure,
} from './closures.sql.ts';

/** How far ahead a closure may end. */
const LAST_DAY = 2 * 366;

export const hoursHandlers = ({
  db,
  now,
}: ConsoleContext): Pick<OperatorHandlers, 'readHours' | 'listTouched' | 'listPastClosures'> => ({
  readHours: async () => {
    const { timeZone, hours } = await readSettings(db, now());
    const row = await readSettingRow(db, 'hours', now());
    return {
      timeZone,
      hours: [...hours],
      setBy: row?.setBy ?? null,
      since: row?.validFrom.toISOString() ?? null,
      closures: (await listComingClosures(db, now())).map(viewOf),
    };
  },
  listTouched: ({ query: { from, until } }) => listTouchedOf({ db, now }, from, until),
  listPastClosures: ({ query: { page } }) =>
    readPage(page, CLOSURES_PAGE, (bounds) => listPastClosures(db, now(), bounds), viewOf),
});

/** What a closure would touch. */
async function listTouchedOf({ db, now }: Pick<ConsoleContext, 'db' | 'now'>, from: string | undefined, until: string) {
  const span = { from: from === undefined ? now() : new Date(from), until: new Date(until) };
  const found = await listTouchedOrders(db, span, MAX_TOUCHED + 1);
  const items = found.slice(0, MAX_TOUCHED).map((order) => ({
    ...{ id: order.id, number: order.number, status: order.status, bud: order.budName, scrub: order.scrubName },
    pickup: order.isPickupTouched ? isoTimes({ from: order.pickupFrom, until: order.pickupUntil }) : null,
    return: order.isReturnTouched ? isoTimes({ from: order.returnFrom, until: order.returnUntil }) : null,
    ...{ total: toDollars(order.totalPrice), isAtBud: order.isAtBud },
  }));
  return { items, hasMore: found.length > MAX_TOUCHED };
}

type Touched = {
  readonly span: TimeWindow;
  readonly choice: TouchedChoice | undefined;
  /** What the people of the orders read. */
  readonly words: string;
};

/** Carries out the choice of an act. Moving or cancelling orders takes the right for that. */
export async function settleTouched(context: ConsoleContext, operator: Operator, touched: Touched): Promise<string[]> {
  const { span, choice, words } = touched;
  if (choice !== undefined && choice !== 'keep' && !operator.caps.includes('dispatch')) refuse('noRight');
  const by = { role: 'Operator', id: accountIdOf(operator) } as const;
  return settleTouchedOrders(context, { by, span, choice, why: { reason: 'other', words } });
}

const viewOf = ({ takenBackAt, takenBackBy, ...rest }: ClosureRow) => ({
  ...isoTimes(rest),
  takenBack: takenBackAt ? isoTimes({ at: takenBackAt, by: takenBackBy ?? '' }) : null,
});

export const HOURS_ACTS: Pick<Acts, 'setHours' | 'addClosure' | 'takeBackClosure'> = {
  setHours: {
    run: async ({ context: { db, now }, operator, body: { before, hours } }) => {
      const problem = findHoursProblem(hours);
      if (problem) refuseProperty('hours', 'isWeek', problem);
      const current = (await readSettings(db, now())).hours;
      // The hours have changed since the operator read them.
      if (!isSameHours(before, current))
        refuse('wrongStatus', { message: 'The hours have changed since. Look at them again' });
      await writeSetting(db, { name: 'hours', value: sortHours(hours), setBy: operator.fullname, from: now() });
      return {};
    },
  },
  addClosure: {
    run: async ({ context, operator, body: { from, until, words, touched } }) => {
      const { db, now, newId } = context;
      const span = await readSpan(context, from, until);
      const coming = await listComingClosures(db, now());
      const same = coming.find((one) => one.from <= span.from && span.until <= one.until);
      if (same) refuse('wrongStatus', { message: `The town is closed then already: “${same.words}”` });
      if (coming.length >= MAX_CLOSURES)
        refuse('wrongStatus', { message: `At most ${MAX_CLOSURES} closures can be to come. Take one back first` });
      const id = newId();
      await insertClosure(db, { id, ...span, words, addedBy: operator.id }, now());
      const orders = await settleTouched(context, operator, { span, choice: touched, words });
      const details = { fromAt: span.from.toISOString(), untilAt: span.until.toISOString() };
      return { details: { ...details, ...(orders.length > 0 ? { orders } : {}) }, subjectId: id };
    },
  },
  takeBackClosure: {
    run: async ({ context: { db, now }, operator, params: { id } }) => {
      const closure = orNotFound(await lockClosure(db, id));
      if (closure.takenBackAt) refuse('wrongStatus', { message: 'This closure was taken back before' });
      if (closure.until <= now()) refuse('wrongStatus', { message: 'This closure is over' });
      await takeBackClosure(db, id, operator.id, now());
      const { from, until, words } = closure;
      return { details: { fromAt: from.toISOString(), untilAt: until.toISOString(), words } };
    },
  },
};

/** A closure in instants. It begins now at the earliest. */
async function readSpan({ db, now }: ConsoleContext, from: string | undefined, until: string) {
  const at = now();
  const { timeZone } = await readSettings(db, at);
  const instantAt = (local: string) => instantOfLocalTime(local, timeZone);
  const start = from === undefined ? at : instantAt(from);
  const span = { from: new Date(Math.max(start.getTime(), at.getTime())), until: instantAt(until) };
  if (span.until <= at) refuseProperty('until', 'isLater', 'Choose a time in the future');
  if (span.until <= span.from) refuseProperty('until', 'isLater', 'It must end after it begins');
  if (span.until.getTime() > at.getTime() + LAST_DAY * DAY_MS)
    refuseProperty('until', 'isNear', 'Choose a time within two years');
  return span;
}
