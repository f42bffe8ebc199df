import { sql } from 'kysely';
import { expect } from 'vitest';
import { HOUR_MS } from '../domain/durations.ts';
import { runTimers } from '../server/cases/timers.ts';
import type { Context } from '../server/context.ts';
import { type Database, queryRows, type Tx } from '../server/db/database.ts';
import { findAuditProblems } from '../server/payments/audit.sql.ts';
import type { TestServer, TestUser } from '../testing/testServer.ts';
import { waitFor } from '../testing/waits.ts';
import { holderOf, type Life, type Person } from './orderLife.ts';

/** Runs the timers of both servers at the same time until none is due. A server's own worker may be faster. */
export async function runTimersOfBoth(servers: readonly TestServer[]): Promise<void> {
  const failures: unknown[] = [];
  const fail = (failure: unknown) => failures.push(failure);
  const log = { info: () => {}, warn: fail, error: fail };
  const run = ({ server, now, newId }: TestServer & { newId: () => string }) =>
    runTimers({ db: server.db, now, newId, wake: () => {}, log } as unknown as Context);
  const all = servers.map((server) => ({ ...server, newId: () => crypto.randomUUID() }));
  while ((await Promise.all(all.map(run))).some((due) => due > 0)) {}
  expect(failures).toEqual([]);
}

const WRONG_HISTORIES = sql<{ what: string }>`
  select format('order %s is %s after %s', o.id, o.status, t.status) as what from orders o
    cross join lateral (select * from order_steps t where t.order_id = o.id order by t.position desc limit 1) t
    where t.status <> o.status
  union all
  select format('delivery %s of order %s is %s after %s', d.id, d.order_id, d.status, t.status) from deliveries d
    cross join lateral (select * from delivery_steps t where t.delivery_id = d.id order by t.position desc limit 1) t
    where t.status <> d.status
  union all
  select format('delivery %s has %s twice in attempt %s', delivery_id, action, attempt) from delivery_steps
    group by delivery_id, attempt, action having count(*) > 1
  union all
  select format('order %s has a step twice at %s', order_id, request_key) from order_steps where request_key is not null
    group by order_id, action, request_key having count(*) > 1
  union all
  select format('Duber %s has %s active deliveries', duber_id, count(*)) from deliveries
    where status in ('Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back') or (status = 'Failed' and has_laundry)
    group by duber_id having count(*) > 1
  union all
  select format('the hand-over %s of order %s is not given by who has the laundry', position, order_id) from (select h.*,
      coalesce(lag(h.taker_id) over w, o.bud_id) as holder, coalesce(lag(h.position) over w, 0) + 1 as expected
    from handovers h join orders o on o.id = h.order_id window w as (partition by h.order_id order by h.position)) h
    where h.giver_id <> h.holder or h.taker_id = h.giver_id or h.position <> h.expected
  union all
  select format('the Scrub of order %s is payable for laundry that nobody has seen', o.id) from orders o
    where o.status = 'Completed' and not o.self_delivery and o.completed_at is not null
      and not exists (select from handovers h where h.order_id = o.id and h.taker_id = o.scrub_id)
      and exists (select from ledger_entries e where e.order_id = o.id and e.kind = 'completed')
      and not exists (select from payout_holds p where p.order_id = o.id and p.user_id = o.scrub_id
        and p.reason = 'laundry-not-seen' and p.ended_at is null)`;

/** The contradictions between steps, hand-overs and holds in the whole database. */
export const findWrongHistories = async (db: Tx): Promise<string[]> =>
  (await queryRows<{ what: string }>(db, WRONG_HISTORIES)).map(({ what }) => what);

const WORK_LEFT = sql`select concat_ws(' ', 'payment of order', order_id, state, failure, due_at) as what from payments
    where due_at is not null
  union all select concat_ws(' ', 'refund of order', order_id, state, failure, due_at) from refunds where state <> 'refunded'`;

const MAX_DAYS = 12;

/** Moves the clock by days until orders are closed and no payment is pending, then checks the books. */
async function settleEverything(database: Database, servers: readonly TestServer[]): Promise<string[]> {
  const [first] = servers;
  const readLeft = () => queryRows<{ what: string }>(database.db, WORK_LEFT);
  let left: { what: string }[] = [];
  for (let hours = 0; hours < MAX_DAYS * 24; hours += 12) {
    first?.advanceClock(12 * HOUR_MS);
    await runTimersOfBoth(servers);
    await waitFor(async () => {
      const due = await queryRows(
        database.db,
        sql`select order_id from payments where due_at <= ${first?.now()}
          union all select order_id from refunds where state <> 'refunded' and due_at <= ${first?.now()}`,
      );
      if (due.length > 0) throw new Error(`${due.length} payments are due`);
    });
    left = await readLeft();
    if (left.length === 0 && hours > 8 * 24) break;
  }
  const problems = await findAuditProblems(database.db);
  return [...left.map(({ what }) => what), ...problems.map(({ check, what }) => `${check}: ${what}`)];
}

/** Compares what people read of an order with the model. */
export async function compareLife(database: Database, people: Record<Person, TestUser>, life: Life): Promise<void> {
  const params = { id: life.id };
  const idOf = (person: Person | undefined) => (person ? people[person].user.id : null);
  const order = await people.bud.api.readOrder({ params });
  expect([order.status, order.scrubId]).toEqual([life.status, idOf(life.scrub)]);
  const { size = 'Medium', cents = order.price.totalPrice * 100 } = life.weighing ?? {};
  expect([order.loadSize, Math.round(order.price.totalPrice * 100)]).toEqual([size, Math.round(cents)]);
  expect(
    order.deliveries.map(({ id, status, hasLaundry, duberId }) => ({
      ...{ id, status, hasLaundry },
      duber: status === 'Called_Off' ? null : duberId,
    })),
  ).toEqual(
    life.legs.map(({ id, status, hasLaundry, duber }) => ({
      ...{ id, status, hasLaundry },
      duber: status === 'Called_Off' ? null : idOf(duber),
    })),
  );
  const custody = await people.bud.api.readCustody({ params });
  expect(custody.holder.id, 'who has the laundry').toBe(idOf(holderOf(life)));
  expect(custody.handovers.map(({ giver, taker, bags }) => ({ giver: giver.id, taker: taker.id, bags }))).toEqual(
    life.handovers.map(({ giver, taker, bags = null }) => ({ giver: idOf(giver), taker: idOf(taker), bags })),
  );
  const cases = await queryRows<{ kind: string }>(
    database.db,
    sql`select distinct kind from cases where order_id = ${life.id} order by kind`,
  );
  expect(cases.map(({ kind }) => kind)).toEqual([...life.cases].sort());
}

/** The steps that were tried with an order, to explain a failure. */
export const describeLife = ({ id, town, trace }: Life) =>
  [`order ${id}, ${town.isCareful ? 'careful' : 'open'}`, ...trace].join('\n  ');

/** Settles everything and checks the whole database. What is wrong names its order, whose steps are shown. */
export async function checkEverything(
  database: Database,
  servers: readonly TestServer[],
  lives: readonly Life[],
): Promise<void> {
  const problems = [...(await settleEverything(database, servers)), ...(await findWrongHistories(database.db))];
  const concerned = lives.filter(({ id, legs }) =>
    problems.some((what) => what.includes(id) || legs.some((leg) => what.includes(leg.id))),
  );
  expect(problems, concerned.slice(0, 2).map(describeLife).join('\n')).toEqual([]);
}
