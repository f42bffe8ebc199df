import { findClosed } from '../../domain/hours.ts';
import { toCents, toDollars } from '../../domain/payments.ts';
import { OTHER_SERVICES } from '../../domain/services.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { hasOrders } from '../town/firstOrder.sql.ts';
import { readOpening } from '../town/opening.sql.ts';
import { readSettings, writeSetting } from '../town/settings.sql.ts';
import { runsTownAlone } from './approvals.sql.ts';
import { addClosure, openZone, settleTouched } from './hours.ts';

export const townHandlers = ({ db, now, config }: ConsoleContext): Pick<OperatorHandlers, 'readTown'> => ({
  readTown: async ({ operator }) => {
    const settings = await readSettings(db, now());
    const { pause, refundLimitOrder, refundLimitDay, platformPayWeek, timeZone, services, setUp } = settings;
    const closed = findClosed(await readOpening(db, now()), now());
    const limits = { refundLimitOrder: toDollars(refundLimitOrder), refundLimitDay: toDollars(refundLimitDay) };
    const hadOrders = await hasOrders(db);
    return {
      ...{ pause, closed, ...limits, platformPayWeek: toDollars(platformPayWeek), timeZone, services: [...services] },
      needsSetUp: !setUp.isDone && !config.demo && !hadOrders,
      runsAlone: await runsTownAlone(db, operator, now()),
      hasOrders: hadOrders,
    };
  },
});

type TownActs = Pick<Acts, 'pauseTown' | 'openTown' | 'setLimits' | 'setTimeZone' | 'setServices'>;

const LIMITS = ['refundLimitOrder', 'refundLimitDay', 'platformPayWeek'] as const;

export const TOWN_ACTS: TownActs = {
  pauseTown: {
    run: async ({ context, operator, body: { until, words, touched, zone: zoneId } }) => {
      const { db, now } = context;
      if (new Date(until) <= now()) refuseProperty('until', 'isLater', 'Choose a time in the future');
      const span = { from: now(), until: new Date(until) };
      if (zoneId !== undefined) return addClosure(context, operator, { span, choice: touched, words, zoneId });
      await writeSetting(db, { name: 'pause', value: { until, words }, setBy: operator.fullname, from: now() });
      const orders = await settleTouched(context, operator, { span, choice: touched, words });
      return orders.length > 0 ? { details: { orders } } : {};
    },
  },
  openTown: {
    run: async ({ context, operator, body: { zone } }) => {
      if (zone !== undefined) return openZone(context, operator, zone);
      const { db, now } = context;
      const { pause } = await readSettings(db, now());
      if (!pause) refuse('wrongStatus', { message: 'The town is open' });
      await writeSetting(db, { name: 'pause', value: null, setBy: operator.fullname, from: now() });
      return { details: { before: pause } };
    },
  },
  setLimits: {
    run: async ({ context: { db, now }, operator, body }) => {
      const settings = await readSettings(db, now());
      const names = LIMITS.filter((name) => body[name] !== undefined);
      for (const name of names) {
        const value = toCents(body[name] ?? 0);
        await writeSetting(db, { name, value, setBy: operator.fullname, from: now() });
      }
      return { details: { before: Object.fromEntries(names.map((name) => [name, toDollars(settings[name])])) } };
    },
  },
  setTimeZone: {
    // Another time zone starts a new day, and so resets the daily refund limit.
    run: async ({ context: { db, now }, operator, body: { timeZone } }) => {
      refuseWrongTimeZone(timeZone);
      const { timeZone: before } = await readSettings(db, now());
      await writeSetting(db, { name: 'timeZone', value: timeZone, setBy: operator.fullname, from: now() });
      return { details: { before } };
    },
  },
  setServices: {
    run: async ({ context: { db, now }, operator, body: { services } }) => {
      const { services: before } = await readSettings(db, now());
      const value = OTHER_SERVICES.filter((service) => services.includes(service));
      await writeSetting(db, { name: 'services', value, setBy: operator.fullname, from: now() });
      return { details: { before } };
    },
  },
};

/** Refuses a name that is no time zone. */
export function refuseWrongTimeZone(name: string): void {
  if (!isTimeZone(name)) refuseProperty('timeZone', 'isTimeZone', 'Choose a time zone like America/New_York');
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
