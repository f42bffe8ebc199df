// The town that gangs live in: a real server, its operator, and a clock that moves.

import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { createClient } from '../../contract/client.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { mondayBefore, weekAfter } from '../../domain/ledger.ts';
import { NOTIFICATION_KINDS } from '../../domain/notifications.ts';
import { queryRow, queryRows, type Tx } from '../../server/db/database.ts';
import { csvPayoutMethod, runPayouts, sendPayouts } from '../../server/payments/payouts/payouts.ts';
import { setPrice } from '../../server/payments/prices/prices.sql.ts';
import { createOperator } from '../../testing/operators.ts';
import { createPromo } from '../../testing/promos.ts';
import { openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { asLifeServer, runTimersOfAll } from '../lifeServers.ts';

export type GangTown = {
  readonly db: Tx;
  readonly createUser: TestServer['createUser'];
  /** An operator who is in no gang closes a case without money. Refused unless it is with the town. */
  readonly closeCase: (id: string) => Promise<unknown>;
  readonly now: () => number;
  /** Lets time pass. What is due meanwhile happens, and on Mondays people are paid. */
  readonly pass: (ms: number) => Promise<void>;
  /** The same until the next Monday, when everybody is paid. */
  readonly passMonday: () => Promise<void>;
  /** Waits until the card network was asked for everything that is due. */
  readonly waitForCards: () => Promise<void>;
  /** Nothing more happens with the orders of a life that was judged. */
  readonly forgetTimers: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The promo code of the town. Each Bud can use it so often. */
export const GANG_PROMO = { code: 'GANG-5', value: 500, maxUsesPerBud: 2 } as const;

/** Pounds of the larger sizes, so that there are orders for a lot of money. */
const SOLD = { 'size-XL': 15, 'size-XXL': 25, 'size-Family': 40 } as const;

/** Timers that are due within this time run together, so that weeks are a few hundred steps of the clock. */
const LEAST_STEP_MS = HOUR_MS;
const STEPS_OF_A_WAIT = 12;
const LONGEST_STEP_MS = 12 * HOUR_MS;

export async function openGangTown(): Promise<GangTown> {
  const server = await openTestServer('postgres', { isClockStopped: true });
  const { db } = server.server;
  await createPromo(server, GANG_PROMO);
  for (const [item, value] of Object.entries(SOLD))
    await setPrice(db, { item: item as keyof typeof SOLD, validFrom: server.now(), value });
  const { api: operator } = await createOperator(server, { caps: ['see', 'help'] });
  const now = () => server.now().getTime();
  const waitForCards = () => waitForDue(db, server.now());
  const pass = (ms: number) => passTime(server, now() + ms);
  return {
    ...{ db, now, waitForCards, pass },
    closeCase: async (id) => {
      await keepOperatorSignedIn(db, server.now());
      const body = { words: 'Said by the town.', reason: 'Nothing to decide' };
      return operator.closeCase({ params: { id }, body });
    },
    createUser: (...who) => createQuietUser(server, ...who),
    forgetTimers: async () => void (await queryRows(db, sql`delete from timers`)),
    passMonday: () => passTime(server, weekAfter(mondayBefore(server.now())).getTime() + LEAST_STEP_MS),
    close: server.close,
  };
}

/** Reads no mails about orders: writing them costs more than the steps. */
async function createQuietUser(
  { server: { db }, createUser, apiUrl }: TestServer,
  ...[role, options]: Parameters<TestServer['createUser']>
): Promise<TestUser> {
  const { user, token } = await createUser(role, options);
  const kinds = sql.join(NOTIFICATION_KINDS.map((kind) => sql`(${kind})`));
  await queryRows(
    db,
    sql`insert into notification_choices (user_id, kind, mail, push)
      select ${user.id}::uuid, k.kind, false, false from (values ${kinds}) k (kind)`,
  );
  return { user, token, api: createClient(apiUrl, () => token) };
}

async function passTime(server: TestServer, until: number): Promise<void> {
  const { db } = server.server;
  const least = Math.max(LEAST_STEP_MS, Math.min(LONGEST_STEP_MS, (until - server.now().getTime()) / STEPS_OF_A_WAIT));
  for (let at = server.now().getTime(); at < until; at = server.now().getTime()) {
    const monday = weekAfter(mondayBefore(server.now())).getTime();
    const due = Math.max(await findNextDue(db, server.now()), at + least);
    server.advanceClock(Math.min(until, due, monday) - at);
    const now = server.now();
    if (now.getTime() < Math.min(due, monday)) return;
    await waitForDue(db, now);
    await runTimersOfAll([asLifeServer(server)]);
    await waitForDue(db, now);
    if (now.getTime() === monday) await payEverybody(server);
  }
}

/** The town pays what is payable. Its operators hold nothing back, and send nothing that is held. */
async function payEverybody({ server: { db }, now }: TestServer): Promise<void> {
  await keepSignedIn(db, now());
  const context = { db, now, newId };
  await runPayouts(context);
  await sendPayouts(context, csvPayoutMethod);
}

async function findNextDue(db: Tx, now: Date): Promise<number> {
  const found = await queryRow<{ at: Date | null }>(
    db,
    sql`select least((select min(due_at) from timers where due_at > ${now}),
      (select min(due_at) from payments where due_at > ${now})) as at`,
  );
  return found?.at?.getTime() ?? now.getTime() + DAY_MS;
}

const waitForDue = (db: Tx, now: Date): Promise<void> =>
  waitFor(async () => {
    const due = await queryRow<{ what: string }>(
      db,
      sql`select 'the payment of ' || order_id as what from payments where due_at <= ${now}
        union all select 'a refund of ' || order_id from refunds where state <> 'refunded' and due_at <= ${now} limit 1`,
    );
    if (due) throw new Error(`${due.what} is due`);
  });

/** An operator signs in again every half hour. Their session stays as new as the clock. */
const keepOperatorSignedIn = (db: Tx, now: Date) =>
  queryRows(db, sql`update operator_sessions set created_at = ${now}, last_used_at = ${now}, code_at = ${now}`);

// A log-in costs a password hash, so everybody stays signed in.
async function keepSignedIn(db: Tx, now: Date): Promise<void> {
  await queryRows(
    db,
    sql`update sessions set created_at = ${now}, last_used_at = ${now}
    where last_used_at < ${now}::timestamptz - interval '1 day'`,
  );
}
