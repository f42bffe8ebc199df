import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import type { Pause } from '../../domain/hours.ts';
import { describePromise, TEST_TIMEOUT_MS } from '../../promises/promiseSuite.ts';
import { openChangedOrders } from '../../testing/changedOrders.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { planWindows, TEST_PLAN, windowAt } from '../../testing/orderTimes.ts';
import { insertUsers, type Users } from '../../testing/paymentStress/users.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { findTallyErrors, recountTallies } from '../dashboards/tallies.sql.ts';
import type { Tx } from '../db/database.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { Refusal } from '../http/refusals.ts';
import { createRetentionJob } from '../jobs/retention.ts';
import { readOrderJson } from '../orders/orders.sql.ts';
import { orderHandlers } from '../orders/orders.ts';
import { writeSetting } from '../town/settings.sql.ts';
import { windowHandlers } from '../windows/windows.ts';
import { lockTimes } from './bookings.ts';

/** Of a Medium load. */
const POUNDS = 5;
const setPause = (tx: Tx, value: Pause | null, from: Date) =>
  writeSetting(tx, { name: 'pause', value, setBy: 'a test', from });
const ILL = { reason: 'ill' };

async function openBookings(kind: (typeof DATABASE_KINDS)[number]) {
  const orders = await openChangedOrders(kind);
  const { context } = orders;
  const { db, now } = context;
  const start = now();
  const users: Users = await insertUsers(db, 8, start);
  const times = (pickupDays = 2, returnDays = 3) => ({
    pickupFrom: windowAt(start, pickupDays, 17).from.toISOString(),
    returnFrom: windowAt(start, returnDays, 17).from.toISOString(),
  });
  const place = async (bud: number, more: object = times(), idempotencyKey: string = newId()) => {
    const caller = users.buds[bud];
    const body = {
      budAddressId: caller?.addressId,
      scrubId: users.scrubs[0]?.id,
      loadSize: 'Medium',
      paymentSourceId: 'c',
    };
    const full = { ...body, selfDelivery: false, selfPickup: false, ...more };
    const answer = await orderHandlers(context).placeOrder({
      ...{ caller, body: full, idempotencyKey, from: '127.0.0.1' },
    } as never);
    return parseSerializedJson(answer);
  };
  const press = (action: 'cancel-order' | 'accept-order' | 'reject-order', id: string, bud = 0) => {
    const caller = action === 'cancel-order' ? users.buds[bud] : users.scrubs[0];
    return orderHandlers(context)[action]({ caller, params: { id } } as never);
  };
  return {
    ...{ orders, context, users, times, place, press },
    plan: (more: Partial<typeof TEST_PLAN> = {}) => planWindows(db, now(), { ...TEST_PLAN, ...more }),
    limit: async (pounds: number | null, orders_a_day: number | null = null) => {
      const week = { pounds_a_day: pounds, orders_a_day };
      await db
        .insertInto('scrub_weeks')
        .values({ ...week, scrub_id: users.scrubs[0]?.id ?? '', hours: '[]', notice_hours: 0, updated_at: now() })
        .onConflict((conflict) => conflict.column('scrub_id').doUpdateSet(week))
        .execute();
    },
    offers: async (bud = 0) => {
      const caller = users.buds[bud];
      return windowHandlers(context).listWindows({ caller, query: { budAddressId: caller?.addressId } } as never);
    },
    taken: async () => {
      const rows = await db.selectFrom('window_places').select(['kind', 'taken']).where('taken', '>', 0).execute();
      return Object.fromEntries(rows.map(({ kind, taken }) => [kind, taken]));
    },
    day: async () => {
      const rows = await db
        .selectFrom('scrub_days')
        .select(['day', 'orders', 'pounds'])
        .where('orders', '>', 0)
        .execute();
      return rows;
    },
    count: async () => (await db.selectFrom('bookings').select('order_id').execute()).length,
    clear: async () => {
      for (const table of ['bookings', 'window_places', 'scrub_days', 'scrub_weeks'] as const)
        await db.deleteFrom(table).execute();
    },
    check: async () => expect(await findTallyErrors(db)).toEqual([]),
  };
}
type Bookings = Awaited<ReturnType<typeof openBookings>>;

const whyOf = async (refused: Promise<unknown>): Promise<string> => {
  const reason: unknown = await refused.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (reason instanceof Refusal) return reason.failure;
  throw reason ?? new Error('nothing was refused');
};

describe.each(DATABASE_KINDS)('bookings on %s', (kind) => {
  let town: Bookings;
  beforeAll(async () => {
    town = await openBookings(kind);
  });
  beforeEach(async () => {
    await town.clear();
    await town.plan();
  });
  afterAll(() => town?.orders.close());

  test('an order says when its laundry is fetched and brought back, and its deliveries say so too', async () => {
    const { id, times } = await town.place(0);
    const { pickupFrom, returnFrom } = town.times();
    expect(times).toMatchObject({ pickup: { from: pickupFrom }, return: { from: returnFrom }, turnaround: 'next-day' });
    expect(times?.promisedAt).toBe(times?.return.until);
    await town.press('accept-order', id);
    const json = readOrderJson({ role: 'Bud', id: town.users.buds[0]?.id as never }, id, town.context.now());
    const order = parseSerializedJson((await json.run(town.context.db)) ?? expect.unreachable());
    expect(order.deliveries[0]).toMatchObject({ window: times?.pickup, promisedAt: times?.promisedAt });
    expect(await town.taken()).toEqual({ pickup: 1, return: 1 });
    expect(await town.day()).toEqual([{ day: pickupFrom.slice(0, 10), orders: 1, pounds: POUNDS }]);
    await town.check();
  });

  test('an order that is done as soon as possible has no times, and a part of the day of its Scrub', async () => {
    const order = await town.place(0, {});
    expect(order).not.toHaveProperty('times');
    expect([await town.taken(), await town.day()]).toEqual([
      {},
      [{ day: town.context.now().toISOString().slice(0, 10), orders: 1, pounds: POUNDS }],
    ]);
  });

  test('a way that a Bud drives takes no place', async () => {
    await town.place(0, { ...town.times(), selfDelivery: true });
    expect(await town.taken()).toEqual({ return: 1 });
  });

  test('the windows of an address say how many places are left', async () => {
    await town.plan({ places: 2 });
    const leftAt = async (from: string) => (await town.offers()).pickup.find((offer) => offer.from === from)?.left;
    const { pickupFrom } = town.times();
    expect(await leftAt(pickupFrom)).toBe('many');
    await town.place(0);
    expect(await leftAt(pickupFrom)).toBe('few');
    await town.place(1);
    expect(await leftAt(pickupFrom)).toBe('none');
    expect(await whyOf(town.place(2))).toBe('windowFull');
  });

  test('what the town does not offer is refused before the card is asked', async () => {
    const cases = [
      ['a window that there is not', { ...town.times(), pickupFrom: '2030-01-01T17:00:00.000Z' }],
      ['a return before the pickup', town.times(3, 2)],
      ['no time to wash', { ...town.times(2, 2) }],
    ] as const;
    for (const [, chosen] of cases) expect(await whyOf(town.place(0, chosen))).toBe('windowGone');
    const { pickupFrom } = town.times();
    const half = await town.place(0, { pickupFrom }).catch((error: unknown) => error);
    expect(half).toMatchObject({ message: expect.stringContaining('not valid') });
    await planWindows(town.context.db, town.context.now(), null);
    expect(await whyOf(town.place(0))).toBe('windowGone');
    expect(await town.count()).toBe(0);
  });

  test('a Scrub takes no more pounds and no more orders a day than they want, however the laundry comes', async () => {
    await town.limit(2 * POUNDS);
    await town.place(0);
    await town.place(1);
    expect(await whyOf(town.place(2))).toBe('scrubFull');
    await town.place(2, town.times(4, 5));
    await town.limit(null, 1);
    expect(await whyOf(town.place(3))).toBe('scrubFull');
    expect(await whyOf(town.place(3, town.times(4, 5)))).toBe('scrubFull');
    await town.limit(POUNDS - 1);
    expect(await whyOf(town.place(3, town.times(6, 7)))).toBe('scrubFull');
    await town.check();
  });

  test('a Bud has two orders with times that wait for a Scrub, and more once one is accepted', async () => {
    const first = await town.place(0);
    await town.place(0);
    expect(await whyOf(town.place(0))).toBe('tooManyWaiting');
    await town.place(0, {});
    await town.press('accept-order', first.id);
    await town.place(0);
    await town.check();
  });

  test('whatever ends an order without work gives back what it has reserved, once', async () => {
    const [cancelled, rejected, late] = [await town.place(0), await town.place(0), await town.place(1)];
    await town.press('cancel-order', cancelled.id);
    await town.press('reject-order', rejected.id);
    await town.press('accept-order', late.id);
    await town.orders.runPayments();
    await town.orders.change('cancel-accepted', late.id, { reason: 'changed-mind' }, town.users.buds[1]);
    await town.orders.runPayments();
    expect([await town.count(), await town.taken(), await town.day()]).toEqual([0, {}, []]);
    await town.check();
  });

  test('an intent whose card never answered gives back what it has reserved', async () => {
    const { cards } = town.context;
    const { hold } = cards;
    const declined = { kind: 'declined', reason: 'No', code: 'NO', cardFingerprint: null } as const;
    Object.assign(cards, { hold: async () => declined });
    expect(await whyOf(town.place(0))).toBe('cardDeclined');
    Object.assign(cards, { hold });
    expect([await town.count(), await town.taken(), await town.day()]).toEqual([0, {}, []]);
  });

  test('an order that its Scrub gives back keeps its windows, frees the day of that Scrub, and takes that of the next one', async () => {
    const { id } = await town.place(0);
    await town.press('accept-order', id);
    await town.orders.change('give-back', id, ILL, town.users.scrubs[0]);
    expect([await town.taken(), await town.day()]).toEqual([{ pickup: 1, return: 1 }, []]);
    await town.orders.change('choose-scrub', id, { scrubId: town.users.scrubs[1]?.id }, town.users.buds[0]);
    const days = await town.context.db.selectFrom('scrub_days').select('scrub_id').where('orders', '>', 0).execute();
    expect(days).toEqual([{ scrub_id: town.users.scrubs[1]?.id }]);
    await town.check();
  });

  test('a town that closes, or a Scrub who goes away, while a card is asked: the order is refused, and keeps nothing', async () => {
    const { cards, db, now } = town.context;
    const { hold } = cards;
    const closeMeanwhile = (close: () => Promise<unknown>) =>
      Object.assign(cards, {
        hold: async (...asked: Parameters<typeof hold>) => {
          await close();
          return hold(...asked);
        },
      });
    const until = new Date(now().getTime() + 3 * DAY_MS).toISOString();
    closeMeanwhile(() => setPause(db, { until, words: 'Snow' }, now()));
    expect(await whyOf(town.place(0))).toBe('windowGone');
    await setPause(db, null, now());
    const day = town.times().returnFrom.slice(0, 10);
    const off = { id: newId(), scrub_id: town.users.scrubs[0]?.id ?? '', from_on: day, until_on: day, added_at: now() };
    closeMeanwhile(() => db.insertInto('scrub_days_off').values(off).execute());
    expect(await whyOf(town.place(0))).toBe('scrubFull');
    await db.deleteFrom('scrub_days_off').execute();
    Object.assign(cards, { hold });
    expect([await town.count(), await town.taken(), await town.day()]).toEqual([0, {}, []]);
    await town.orders.runPayments();
    await town.place(0);
    await town.check();
  });

  test('what was reserved long ago is forgotten, and the counts agree all the time', async () => {
    const { db, now } = town.context;
    const { id } = await town.place(0);
    await town.press('accept-order', id);
    const proposal = { returnFrom: town.times(2, 5).returnFrom, ...ILL };
    await town.orders.change('propose-window', id, proposal, town.users.scrubs[0]);
    await town.orders.change('refuse-window', id, {}, town.users.buds[0]);
    const off = { from_on: '2026-01-01', until_on: '2026-01-02', added_at: now() };
    await db
      .insertInto('scrub_days_off')
      .values({ ...off, id: newId(), scrub_id: town.users.scrubs[0]?.id ?? '' })
      .execute();
    const left = async (days: number) => {
      const later = new Date(now().getTime() + days * DAY_MS);
      const run = createRetentionJob({ db, now: () => later });
      while (await run());
      await town.check();
      const tables = ['bookings', 'window_places', 'scrub_days', 'scrub_days_off', 'proposals'] as const;
      const filled = await Promise.all(
        tables.map(async (table) => ((await db.selectFrom(table).selectAll().execute()).length > 0 ? [table] : [])),
      );
      return filled.flat();
    };
    expect(await left(179)).toEqual(['bookings', 'window_places', 'scrub_days', 'proposals']);
    expect(await left(190)).toEqual(['window_places', 'scrub_days']);
    expect(await left(220)).toEqual([]);
  });

  test('two requests with one key reserve once, also the last place', async () => {
    await town.plan({ places: 1 });
    const key = newId();
    const chosen = town.times();
    const [first, second] = await Promise.all([town.place(0, chosen, key), town.place(0, chosen, key)]);
    expect(first.id).toBe(second.id);
    expect([await town.count(), await town.taken()]).toEqual([1, { pickup: 1, return: 1 }]);
  });
});

// One session cannot race with itself.
describePromise('last-places', (suite) => {
  const rounds = Math.ceil(suite.cases / 3);
  let town: Bookings;
  beforeAll(async () => {
    town = await openBookings('postgres');
  });
  beforeEach(() => town.clear());
  afterAll(() => town?.orders.close());

  /** Runs all at once. Returns the fulfilled results; anything but one of these refusals fails the test. */
  const race = async <T>(racers: readonly (() => Promise<T>)[], refusals: readonly string[]): Promise<T[]> => {
    const outcomes = await Promise.allSettled(racers.map((start) => start()));
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    const wrong = reasons.filter((reason) => !(reason instanceof Refusal) || !refusals.includes(reason.failure));
    expect(wrong).toEqual([]);
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  };
  const BUDS = [0, 1, 2, 3, 4, 5, 6, 7];

  test(
    'want the last places of a window: as many get one as there are, and every freed place is taken again',
    async () => {
      await town.plan({ places: 3 });
      for (let round = 0; round < rounds; round += 1) {
        const placed = await race(
          BUDS.map((bud) => () => town.place(bud).then(({ id }) => ({ id, bud }))),
          ['windowFull'],
        );
        expect(placed).toHaveLength(3);
        // One cancels while the others try again.
        const [gone] = placed;
        const others = BUDS.filter((bud) => !placed.some((one) => one.bud === bud));
        const cancel = () => town.press('cancel-order', gone?.id ?? '', gone?.bud).then(() => undefined);
        await race([cancel, ...others.map((bud) => () => town.place(bud).then(() => undefined))], ['windowFull']);
        expect((await town.taken()).pickup).toBeLessThanOrEqual(3);
        const rest = await race(
          others.map((bud) => () => town.place(bud)),
          ['windowFull', 'tooManyWaiting'],
        );
        expect((await town.taken()).pickup).toBe(3);
        expect(rest.length).toBeLessThanOrEqual(1);
        await town.check();
        await town.clear();
        suite.countCases();
      }
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'want the last pounds of a Scrub: no more are taken than the Scrub does on a day',
    async () => {
      await town.plan();
      for (let round = 0; round < rounds; round += 1) {
        await town.limit(4 * POUNDS, round % 2 === 0 ? null : 3);
        const placed = await race(
          BUDS.map((bud) => () => town.place(bud, bud % 2 ? {} : town.times(2, 3))),
          ['scrubFull'],
        );
        const most = round % 2 === 0 ? 4 : 3;
        for (const { orders, pounds } of await town.day()) {
          expect(orders).toBeLessThanOrEqual(most);
          expect(pounds).toBeLessThanOrEqual(4 * POUNDS);
        }
        expect(placed).toHaveLength(2 * most);
        await town.check();
        await town.clear();
        suite.countCases();
      }
    },
    TEST_TIMEOUT_MS,
  );

  /** Starts two placements that both wait for the rows of a table, and then go on. Returns why each was refused. */
  const meetAt = async (table: 'scrub_days' | 'window_places', buds: readonly [number, number], key?: string) => {
    const { db } = town.context;
    const { racers } = await holdTransaction(db, async (tx) => {
      await tx.selectFrom(table).selectAll().forUpdate().execute();
      const both = Promise.all(
        buds.map((bud) =>
          town.place(bud, town.times(), key).then(
            () => 'placed',
            (error: unknown) => (error instanceof Refusal ? error.failure : String(error)),
          ),
        ),
      );
      await waitForLockWaits(db, 2);
      return { racers: both };
    });
    return (await racers).toSorted();
  };

  test('as a recount: a placement, a move and a cancellation wait for it before they lock a count, and nothing deadlocks', async () => {
    await town.plan();
    const { db } = town.context;
    const [moved, cancelled] = [await town.place(1), await town.place(2)];
    const racers: readonly (() => Promise<unknown>)[] = [
      () => town.place(0),
      () => town.orders.change('move-window', moved.id, town.times(4, 5), town.users.buds[1]),
      () => town.press('cancel-order', cancelled.id, 2),
    ];
    for (const start of racers) {
      const { waiting } = await holdTransaction(db, async (tx) => {
        await sql`lock table bookings in exclusive mode`.execute(tx);
        const waits = Promise.allSettled([start()]);
        await waitForLockWaits(db, 1);
        await recountTallies(tx);
        return { waiting: waits };
      });
      expect(await waiting).toMatchObject([{ status: 'fulfilled' }]);
    }
    await town.check();
  });

  test('as the town closes: a placement and a move wait for it, and are refused', async () => {
    await town.plan();
    const { db, now } = town.context;
    const moved = await town.place(1, town.times(4, 5));
    const until = new Date(now().getTime() + 3 * DAY_MS).toISOString();
    const racers: readonly (() => Promise<unknown>)[] = [
      () => town.place(0),
      () => town.orders.change('move-window', moved.id, town.times(2, 3), town.users.buds[1]),
    ];
    for (const start of racers) {
      const { waiting } = await holdTransaction(db, async (tx) => {
        await setPause(tx, { until, words: 'Snow' }, now());
        await lockTimes(tx);
        const waits = whyOf(start());
        await waitForLockWaits(db, 1);
        return { waiting: waits };
      });
      expect(await waiting).toBe('windowGone');
      await setPause(db, null, now());
    }
    await town.check();
  });

  test('that have one key, at the last place: both are the one order', async () => {
    await town.plan({ places: 2 });
    await town.place(1);
    expect(await meetAt('window_places', [0, 0], newId())).toEqual(['placed', 'placed']);
    expect([await town.count(), await town.taken()]).toEqual([2, { pickup: 2, return: 2 }]);
  });

  test('that have both seen the last pounds of a Scrub free: the second is refused', async () => {
    await town.plan();
    await town.limit(2 * POUNDS);
    await town.place(0);
    expect(await meetAt('scrub_days', [1, 2])).toEqual(['placed', 'scrubFull']);
  });

  test('that are of one Bud with one order left to choose: the second is refused', async () => {
    await town.plan();
    await town.place(0);
    expect(await meetAt('window_places', [0, 0])).toEqual(['placed', 'tooManyWaiting']);
  });

  test(
    'are one Bud: two orders with times wait at most, and one with a repeated key is one order',
    async () => {
      await town.plan();
      for (let round = 0; round < rounds; round += 1) {
        const key = newId();
        const racers = BUDS.map((n) => () => town.place(0, town.times(), n % 2 ? key : newId()));
        const placed = await race(racers, ['tooManyWaiting', 'tooManyOrders', 'cardNetworkAway']);
        expect(new Set(placed.map(({ id }) => id)).size).toBeLessThanOrEqual(2);
        expect(await town.count()).toBeLessThanOrEqual(2);
        await town.check();
        await town.clear();
        suite.countCases();
      }
    },
    TEST_TIMEOUT_MS,
  );
});
