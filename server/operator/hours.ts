import { CLOSURES_PAGE } from '../../contract/operator/hours.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { closuresIn, findHoursProblem, isSameHours, MAX_CLOSURES, sortHours } from '../../domain/hours.ts';
import { instantOfLocalTime } from '../../domain/localDays.ts';
import type { TouchedChoice } from '../../domain/moves.ts';
import { accountIdOf, type Operator } from '../../domain/operators.ts';
import { toDollars } from '../../domain/payments.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { ActResult, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import {
  canLeave,
  listTouched,
  listUnlessUnasked,
  type Settling,
  settleTouchedOrders,
  type TouchedOrder,
  touchedWindowsOf,
} from '../orders/touched.ts';
import { readZone } from '../payments/prices/prices.ts';
import { readSettingRow, readSettings, writeSetting } from '../town/settings.sql.ts';
import {
  type ClosureRow,
  insertClosure,
  listComingClosures,
  listPastClosures,
  lockClosure,
  lockClosuresOfZone,
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
  listTouched: async ({ query: { from, until, zone: zoneId } }) => {
    const span = { from: from === undefined ? now() : new Date(from), until: new Date(until) };
    return listTouched(db, { span, zoneId }, viewOfTouched);
  },
  listPastClosures: ({ query: { page } }) =>
    readPage(page, CLOSURES_PAGE, (bounds) => listPastClosures(db, now(), bounds), viewOf),
});

const viewOfTouched = (order: TouchedOrder) => ({
  ...{ id: order.id, number: order.number, status: order.status, bud: order.budName, scrub: order.scrubName },
  ...touchedWindowsOf(order),
  ...{ total: toDollars(order.totalPrice), isAtBud: canLeave(order) },
});

type Touched = Pick<Settling, 'span' | 'zoneId' | 'underWay'> & {
  readonly choice: TouchedChoice | undefined;
  /** What the people of the orders read. */
  readonly words: string;
};

/** Carries out the choice of an act. Moving or cancelling orders takes the right for that. */
export async function settleTouched(context: ConsoleContext, operator: Operator, touched: Touched): Promise<string[]> {
  const { words, ...settling } = touched;
  refuseWithoutRight(operator, settling.choice);
  return settleTouchedOrders(context, { ...settling, by: actorOf(operator), why: { reason: 'other', words } });
}

/** The orders that are touched. Refuses what `settleTouched` would refuse, before a second operator is asked. */
export async function refuseUnasked(
  { db }: ConsoleContext,
  operator: Operator,
  { choice, span, zoneId }: Omit<Touched, 'words'>,
): Promise<TouchedOrder[]> {
  refuseWithoutRight(operator, choice);
  return listUnlessUnasked(db, { by: actorOf(operator), choice, span, zoneId });
}

const actorOf = (operator: Operator) => ({ role: 'Operator', id: accountIdOf(operator) }) as const;

function refuseWithoutRight({ caps }: Operator, choice: TouchedChoice | undefined): void {
  if (choice !== undefined && choice !== 'keep' && !caps.includes('dispatch')) refuse('noRight');
}

const viewOf = ({ takenBackAt, takenBackBy, zoneId, zoneName, ...rest }: ClosureRow) => ({
  ...isoTimes(rest),
  zone: zoneId === null ? null : { id: zoneId, name: zoneName ?? '' },
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
    run: async ({ context, operator, body: { from, until, words, zone: zoneId = null, touched: choice } }) => {
      const span = await readSpan(context, from, until);
      return addClosure(context, operator, { span, choice, words, zoneId });
    },
  },
  takeBackClosure: {
    run: async ({ context: { db, now }, operator, params: { id } }) => {
      const closure = orNotFound(await lockClosure(db, id));
      if (closure.takenBackAt) refuse('wrongStatus', { message: 'This closure was taken back before' });
      if (closure.until <= now()) refuse('wrongStatus', { message: 'This closure is over' });
      await takeBackClosure(db, id, operator.id, now());
      const { from, until, words, zoneName } = closure;
      const zone = zoneName === null ? {} : { zone: zoneName };
      return { details: { fromAt: from.toISOString(), untilAt: until.toISOString(), words, ...zone } };
    },
  },
};

/** Closes the town or a zone, and carries out what becomes of the orders with a window then. */
export async function addClosure(
  context: ConsoleContext,
  operator: Operator,
  closure: Touched & { readonly zoneId: string | null },
): Promise<ActResult> {
  const { db, now, newId } = context;
  const { span, words, zoneId } = closure;
  const zone = zoneId === null ? undefined : await readZone(context, zoneId);
  const coming = await listComingClosures(db, now());
  const same = closuresIn(coming, zoneId).find((one) => one.from <= span.from && span.until <= one.until);
  if (same) refuse('wrongStatus', { message: `${nameOf(same)} is closed then already: “${same.words}”` });
  if (coming.length >= MAX_CLOSURES)
    refuse('wrongStatus', { message: `At most ${MAX_CLOSURES} closures can be to come. Take one back first` });
  const id = newId();
  await insertClosure(db, { id, zoneId, ...span, words, addedBy: operator.id }, now());
  const orders = await settleTouched(context, operator, closure);
  return {
    subjectId: id,
    details: {
      ...{ fromAt: span.from.toISOString(), untilAt: span.until.toISOString() },
      ...(zone ? { zone: zone.name } : {}),
      ...(orders.length > 0 ? { orders } : {}),
    },
  };
}

/** Ends the closures of a zone that hold now. */
export async function openZone({ db, now }: ConsoleContext, operator: Operator, zoneId: string): Promise<ActResult> {
  const { name } = await readZone({ db, now }, zoneId);
  const closures = await lockClosuresOfZone(db, zoneId, now());
  const last = closures.at(-1) ?? refuse('wrongStatus', { message: `${name} is open` });
  for (const { id } of closures) await takeBackClosure(db, id, operator.id, now());
  return { details: { zone: name, before: { until: last.until.toISOString(), words: last.words } } };
}

const nameOf = ({ zoneName }: ClosureRow) => zoneName ?? 'The town';

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
