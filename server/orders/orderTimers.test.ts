import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { ORDER_TIMER_ROWS } from '../../domain/process/order.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { type Database, openServerDatabase, queryRows } from '../db/database.ts';
import { leaseDueTimers, startTimersSql, TIMER_LEASE_MS } from '../jobs/timers.sql.ts';
import { fireTimer, runTimers } from '../jobs/timers.ts';
import { orderHandlers } from './orders.ts';
import { ORDER_TIMERS } from './orderTimers.ts';

const EXPIRY = ORDER_TIMER_ROWS.filter(({ action }) => action === 'expire-request');

describe.each(RULE_DATABASES)('timers of orders, on %s', (kind) => {
  let harness: PaymentHarness;
  let clock = Date.parse('2026-11-18T12:00:00Z');
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness?.close());

  const pass = (ms: number) => {
    clock += ms;
    harness.setClock(new Date(clock).toISOString());
  };
  const place = () => harness.createOrder('Requested');
  const run = () => runTimers(harness.context, [ORDER_TIMERS]);
  const accept = (id: string) => {
    const [scrub] = harness.users.scrubs;
    return orderHandlers(harness.context)['accept-order']({ caller: scrub, params: { id } } as never);
  };
  const lease = async (id: string) => {
    const due = await leaseDueTimers(harness.context.db, [ORDER_TIMERS], harness.context.now());
    return due.find(({ subjectId }) => subjectId === id) ?? expect.fail('the timer is not due');
  };
  const statesOf = (ids: readonly string[]) =>
    queryRows<{ status: string; steps: string[]; notices: number; timers: number }>(
      harness.context.db,
      sql`select o.status, (select array_agg(concat_ws(' ', t.action, t.actor_role) order by t.position)
            from steps t where t.subject_id = o.id) as steps,
          (select count(distinct n.user_id)::int from notifications n where n.about = o.id and n.kind = 'expired') as notices,
          (select count(*)::int from timers t where t.subject_id = o.id) as timers
        from orders o where o.id = any(${ids}::uuid[])`,
    );
  const PLACED = 'place-order Bud';
  const WAITING = { status: 'Requested', steps: [PLACED], notices: 0, timers: 1 };
  const EXPIRED = { status: 'Cancelled', steps: [PLACED, 'expire-request System'], notices: 2, timers: 0 };
  const ACCEPTED = { status: 'Accepted', steps: [PLACED, 'accept-order Scrub'], notices: 0, timers: 0 };

  test('a new order waits for a day, and is then cancelled by the System, which tells both and releases the card', async () => {
    const id = await place();
    pass(DAY_MS - 1_000);
    await run();
    expect(await statesOf([id])).toEqual([WAITING]);
    pass(1_000);
    await run();
    expect(await statesOf([id])).toEqual([EXPIRED]);
    await harness.runPaymentJobs();
    const { state } = await harness.context.db
      .selectFrom('payments')
      .select('state')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('voided');
    expect(await run()).toBe(0);
  });

  test('the timer of an answered order ends without a step', async () => {
    const id = await place();
    await accept(id);
    pass(DAY_MS);
    await run();
    expect(await statesOf([id])).toEqual([ACCEPTED]);
  });

  test('a timer that a worker has leased does not cancel an order that was accepted meanwhile', async () => {
    const id = await place();
    pass(DAY_MS);
    const timer = await lease(id);
    await accept(id);
    await fireTimer(harness.context, [ORDER_TIMERS], timer);
    expect(await statesOf([id])).toEqual([ACCEPTED]);
  });

  test('a timer of a worker that crashed is due again after its lease, and the first worker is then too late', async () => {
    const id = await place();
    pass(DAY_MS);
    const timer = await lease(id);
    expect(await run()).toBe(0);
    pass(TIMER_LEASE_MS);
    await run();
    expect(await statesOf([id])).toEqual([EXPIRED]);
    await fireTimer(harness.context, [ORDER_TIMERS], timer);
    expect(await statesOf([id])).toEqual([EXPIRED]);
  });

  test('a timer that another step started again is another timer', async () => {
    const id = await place();
    pass(DAY_MS);
    const timer = await lease(id);
    await fireTimer(harness.context, [ORDER_TIMERS], { ...timer, startedByStep: timer.startedByStep + 1 });
    expect(await statesOf([id])).toEqual([WAITING]);
    pass(TIMER_LEASE_MS);
    await run();
    expect(await statesOf([id])).toEqual([EXPIRED]);
  });

  test('a step that starts a leased timer again takes it from the worker, and the full time runs again', async () => {
    const { db, now } = harness.context;
    const id = await place();
    pass(DAY_MS);
    const timer = await lease(id);
    const step = sql`values (${id}::uuid, 2, ${now()}::timestamptz)`;
    await queryRows(db, startTimersSql('order', EXPIRY, step));
    await fireTimer(harness.context, [ORDER_TIMERS], timer);
    pass(DAY_MS - 1_000);
    await run();
    expect(await statesOf([id])).toEqual([WAITING]);
    pass(1_000);
    await run();
    expect(await statesOf([id])).toEqual([EXPIRED]);
  });

  test('a timer that fails changes nothing, is tried again, and does not hold up the others', async () => {
    const { db } = harness.context;
    const [first, second] = [await place(), await place()];
    const change = (statement: string) => sql.raw(statement).execute(db);
    await change(
      `create function refuse_release() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await change(`create trigger refuse_release before update on payments for each row
      when (old.order_id = '${first}') execute function refuse_release()`);
    pass(DAY_MS);
    await run();
    expect(await statesOf([first])).toEqual([WAITING]);
    expect(await statesOf([second])).toEqual([EXPIRED]);
    await change('drop trigger refuse_release on payments');
    pass(TIMER_LEASE_MS);
    await run();
    expect(await statesOf([first])).toEqual([EXPIRED]);
  });
});

// One session cannot race with itself.
describe('timers of orders at two servers', () => {
  let harness: PaymentHarness;
  let second: Database;
  beforeAll(async () => {
    harness = await openPaymentHarness('postgres');
    second = openServerDatabase(harness.databaseUrl ?? '', 4);
  });
  afterAll(async () => {
    await second?.close();
    await harness?.close();
  });

  const countSteps = async (ids: readonly string[]) =>
    queryRows<{ history: string; orders: number }>(
      harness.context.db,
      sql`select history, count(*)::int as orders from (select string_agg(action, ' ' order by position) as history
          from steps where subject_id = any(${ids}::uuid[]) group by subject_id) as each group by 1 order by 1`,
    );

  test('each request is cancelled once, and not when its Scrub is faster', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push(await harness.createOrder('Requested'));
    harness.setClock('2026-11-19T12:00:00Z');
    const [first, other] = [harness.context, { ...harness.context, db: second.db }];
    const [scrub] = harness.users.scrubs;
    const accept = (id: string, db = first) =>
      orderHandlers(db)
        ['accept-order']({ caller: scrub, params: { id } } as never)
        .catch(() => {});
    const half = ids.filter((_, index) => index % 2 === 0);
    await Promise.all([
      runTimers(first, [ORDER_TIMERS]),
      runTimers(other, [ORDER_TIMERS]),
      (async () => {
        for (const id of half.toReversed()) await accept(id, other);
      })(),
    ]);
    while ((await runTimers(first, [ORDER_TIMERS])) > 0);
    const counts = await countSteps(ids);
    const byHistory = Object.fromEntries(counts.map(({ history, orders }) => [history, orders]));
    expect(
      Object.keys(byHistory).filter((history) => !/^place-order (accept-order|expire-request)$/.test(history)),
    ).toEqual([]);
    expect(counts.reduce((sum, { orders }) => sum + orders, 0)).toBe(ids.length);
    expect(byHistory['place-order expire-request']).toBeGreaterThanOrEqual(ids.length - half.length);
    expect(await queryRows(first.db, sql`select from timers`)).toHaveLength(0);
  });
});
