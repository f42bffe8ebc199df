import { v7 as newId } from 'uuid';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { mondayBefore } from '../../domain/ledger.ts';
import { NOTIFICATIONS, type NotificationKind } from '../../domain/notifications.ts';
import type { Server } from '../../server/main.ts';
import { csvPayoutMethod, runPayouts, sendPayouts } from '../../server/payments/payouts/payouts.ts';
import type { DemoUser, SeedTarget } from './accounts.ts';
import type { DemoClock } from './clock.ts';
import { HISTORY_DAYS } from './history.ts';
import type { DemoEvent } from './orderEvents.ts';
import { DEMO_PEOPLE } from './people.ts';
import { signUpTime } from './plan.ts';
import { addMinutes, atHour } from './times.ts';

/** The weeks before the demo was added. Only a server that has its database to itself can be taken there. */
export type DemoPast = {
  /** The moment up to which the demo's history goes. */
  readonly startedAt: Date;
  readonly clock: DemoClock;
  readonly server: Pick<Server, 'db'>;
};

const FREQUENT_KINDS = ['placed', 'accepted', 'delivered', 'payout'] as const satisfies readonly NotificationKind[];
const MAIL_MINUTES = 60;
const VISIT_EVERY_DAYS = 20;
const WEEK_MS = 7 * DAY_MS;
const [RUN_MINUTES, SENT_MINUTES] = [5, 9 * 60];

/** What happens in these weeks besides orders. */
export function listPastEvents(
  target: Pick<SeedTarget, 'password'>,
  past: DemoPast,
  users: ReadonlyMap<string, DemoUser>,
): DemoEvent[] {
  const { startedAt } = past;
  return [
    ...listMailChoices(users, startedAt),
    { at: addMinutes(signUpTime(startedAt), 1), run: () => addBankAccounts(target, users) },
    ...listVisits(users, startedAt),
    ...listPayDays(past),
  ];
}

/** The workers as whom a visitor looks around are paid to an account. The other ones have not said where yet. */
async function addBankAccounts(
  { password }: Pick<SeedTarget, 'password'>,
  users: ReadonlyMap<string, DemoUser>,
): Promise<void> {
  const numbers = { scrub: '000123456789', duber: '000987654321' };
  for (const [name, accountNumber] of Object.entries(numbers)) {
    const holder = DEMO_PEOPLE.find(({ email }) => email.startsWith(`${name}@`))?.fullname ?? '';
    const account = {
      method: 'us-bank',
      holder,
      routingNumber: '021000021',
      accountNumber,
      accountType: 'checking',
    } as const;
    await users.get(name)?.api.changePayoutAccount({ body: { password, account } });
  }
}

/** On each Monday the server creates the payouts of the week before, and in the morning an operator sends them. */
function listPayDays({ startedAt, clock, server }: DemoPast): DemoEvent[] {
  const context = { db: server.db, now: clock.now, newId: () => newId() };
  const events: DemoEvent[] = [];
  const newest = mondayBefore(startedAt).getTime();
  for (let monday = newest; monday > signUpTime(startedAt).getTime(); monday -= WEEK_MS) {
    const at = (minutes: number) =>
      addMinutes(new Date(monday), Math.min(minutes, (startedAt.getTime() - monday) / MINUTE_MS));
    events.push(
      { at: at(RUN_MINUTES), run: async () => void (await runPayouts(context)) },
      { at: at(SENT_MINUTES), run: async () => void (await sendPayouts(context, csvPayoutMethod)) },
    );
  }
  return events;
}

/** Everybody opens the app now and then: a session that nobody uses for a month ends. */
function listVisits(users: ReadonlyMap<string, DemoUser>, startedAt: Date): DemoEvent[] {
  const times: Date[] = [];
  for (let days = VISIT_EVERY_DAYS; days < HISTORY_DAYS; days += VISIT_EVERY_DAYS)
    times.push(atHour(startedAt, HISTORY_DAYS - days, 6));
  return times.flatMap((at) =>
    [...users.values()].map(({ api }) => ({ at, run: async () => void (await api.session()) })),
  );
}

/**
 * Nobody wants mail about the weeks before the last hour: it would fill the inbox, and cost more time than the orders. The
 * kinds that come often are off until then.
 */
function listMailChoices(users: ReadonlyMap<string, DemoUser>, startedAt: Date): DemoEvent[] {
  const choose = (mail: boolean) => async () => {
    for (const { role, api } of users.values())
      for (const kind of FREQUENT_KINDS)
        if (NOTIFICATIONS[kind].roles.includes(role)) await api.chooseNotifications({ body: { kind, mail } });
  };
  return [
    { at: signUpTime(startedAt), run: choose(false) },
    { at: addMinutes(startedAt, -MAIL_MINUTES), run: choose(true) },
  ];
}
