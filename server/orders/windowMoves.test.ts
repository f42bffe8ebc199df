import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { localDate } from '../../domain/localDays.ts';
import { ORDER_ROWS, type OrderRow } from '../../domain/process/order.ts';
import { MOVE_UNTIL_MS } from '../../domain/windows.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { giveTimes, planWindows, TEST_PLAN, windowAt } from '../../testing/orderTimes.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { findTallyErrors } from '../dashboards/tallies.sql.ts';
import { queryRow } from '../db/database.ts';
import type { Refusal } from '../http/refusals.ts';
import { writeSetting } from '../town/settings.sql.ts';

const ILL = { reason: 'ill' };
const ON_THE_WAY = ['accept-delivery', 'way-to-pickup'] as const;
const CARRIED = [...ON_THE_WAY, 'collected', 'way-to-drop', 'delivered'] as const;

describe.each(RULE_DATABASES)('orders that move to other windows, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
    await planWindows(orders.context.db, orders.context.now());
  });
  afterAll(() => orders?.close());

  const now = () => orders.context.now();
  const startOf = (days: number, hour: 8 | 17 = 17) => windowAt(now(), days, hour).from.toISOString();
  /** An order whose pickup is in the evening two days from now, and whose return is a day later. */
  const timed = async (until: 'Requested' | 'Accepted' = 'Accepted') => {
    const id = await orders.harness.createOrder(until);
    await giveTimes(orders.context.db, id, now());
    return id;
  };
  const timesOf = (id: string) =>
    orders.context.db
      .selectFrom('orders')
      .select(['pickup_from', 'return_from', 'promised_at', 'turnaround'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const deliveryOf = (id: string) =>
    orders.context.db
      .selectFrom('deliveries')
      .select(['id', 'status', 'due_from', 'due_until', 'duber_id'])
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow();
  /** Lets the time pass until so long after `at`, and runs the timers. */
  const pass = async (at: Date | null, ms: number) => {
    orders.pass((at?.getTime() ?? 0) + ms - now().getTime());
    await orders.runTimers();
  };
  const answersOf = async (id: string) =>
    (
      await orders.context.db
        .selectFrom('proposals')
        .select('answer')
        .where('order_id', '=', id)
        .orderBy('made_at')
        .orderBy('id')
        .execute()
    ).map(({ answer }) => answer);
  const refusal = (step: Promise<unknown>) =>
    step.then(
      () => 'taken',
      (error: Refusal) => error.failure,
    );

  test('a Bud moves both windows: the promised time and the delivery move, the price stays, and the Scrub is told', async () => {
    const id = await timed();
    await orders.change('move-window', id, { pickupFrom: startOf(4, 8), returnFrom: startOf(5) });
    const [pickup, back] = [windowAt(now(), 4, 8), windowAt(now(), 5, 17)];
    expect(await timesOf(id)).toEqual({
      ...{ pickup_from: pickup.from, return_from: back.from, promised_at: back.until },
      turnaround: 'next-day',
    });
    expect(await deliveryOf(id)).toMatchObject({ status: 'Pending', due_from: pickup.from, due_until: pickup.until });
    expect(await orders.notices(id)).toContain('moved Scrub');
    expect((await orders.stateOf(id)).steps.at(-1)).toBe('1 move-window Bud');
  });

  test('a Duber who has accepted the pickup loses it when its window moves, is told, and can accept it again at once', async () => {
    const id = await timed();
    await orders.carry(id, ['accept-delivery'], { duber: 1 });
    await orders.change('move-window', id, { returnFrom: startOf(5) });
    expect(await deliveryOf(id)).toMatchObject({ status: 'Accepted' });
    await orders.change('move-window', id, { pickupFrom: startOf(3), returnFrom: startOf(5) });
    const { id: deliveryId, ...delivery } = await deliveryOf(id);
    expect(delivery).toMatchObject({ status: 'Pending', duber_id: null, due_from: windowAt(now(), 3, 17).from });
    expect(await orders.notices(deliveryId)).toContain('dropped Duber');
    await orders.carry(id, ['accept-delivery'], { duber: 1 });
    await orders.change('cancel-accepted', id, { reason: 'changed-mind' });
  });

  test('only the return moves once a Duber is on the way, and while the laundry is washed', async () => {
    const id = await timed();
    await orders.carry(id, ON_THE_WAY, { duber: 2 });
    const both = { pickupFrom: startOf(4), returnFrom: startOf(5) };
    expect(await refusal(orders.change('move-window', id, both))).toBe('pickupBegun');
    await orders.change('move-window', id, { returnFrom: startOf(4) });
    await orders.carry(id, CARRIED.slice(2), { duber: 2 });
    await orders.press('start-order', id);
    expect(await refusal(orders.change('move-window', id, both))).toBe('pickupBegun');
    await orders.change('move-window', id, { returnFrom: startOf(5) });
    expect(await timesOf(id)).toMatchObject({ promised_at: windowAt(now(), 5, 17).until });
    await orders.press('complete-order', id);
    expect(await refusal(orders.change('move-window', id, { returnFrom: startOf(6) }))).toBe('wrongStatus');
  });

  test('a move is refused without agreed windows, for windows that are not offered or cost more, and too late', async () => {
    const asap = await orders.harness.createOrder('Requested');
    expect(await refusal(orders.change('move-window', asap, { returnFrom: startOf(5) }))).toBe('noTimes');
    const id = await timed('Requested');
    expect(await refusal(orders.change('move-window', id, { returnFrom: startOf(3) }))).toBe('sameTimes');
    expect(await refusal(orders.change('move-window', id, { returnFrom: startOf(5, 8) }))).toBe('windowGone');
    expect(await refusal(orders.change('move-window', id, { pickupFrom: startOf(3, 8), returnFrom: startOf(3) }))).toBe(
      'fasterCosts',
    );
    expect(await refusal(orders.change('move-window', id, {}))).toBe('invalid');
    const pickup = {
      from: new Date(now().getTime() + MOVE_UNTIL_MS - 1),
      until: new Date(now().getTime() + 4 * HOUR_MS),
    };
    await giveTimes(orders.context.db, id, now(), { pickup, return: windowAt(now(), 3, 17) });
    expect(await refusal(orders.change('move-window', id, { pickupFrom: startOf(4), returnFrom: startOf(5) }))).toBe(
      'tooLateToMove',
    );
    await orders.change('move-window', id, { returnFrom: startOf(5) });
  });

  test('a Scrub proposes another time with a reason, and the Bud accepts it: then it is moved', async () => {
    const id = await timed();
    const proposal = { pickupFrom: startOf(4), returnFrom: startOf(5), ...ILL };
    expect(await refusal(orders.change('propose-window', id, { ...proposal, reason: 'changed-mind' }))).toBe('invalid');
    await orders.change('propose-window', id, proposal);
    expect(await refusal(orders.change('propose-window', id, proposal))).toBe('alreadyProposed');
    expect(await orders.readAsScrub(id)).toMatchObject({
      proposal: { by: 'Scrub', reason: 'ill', pickup: { from: startOf(4) }, return: { from: startOf(5) } },
    });
    expect(await timesOf(id)).toMatchObject({ return_from: windowAt(now(), 3, 17).from });
    await orders.change('accept-window', id);
    expect(await timesOf(id)).toMatchObject({
      ...{ pickup_from: windowAt(now(), 4, 17).from, return_from: windowAt(now(), 5, 17).from },
      promised_at: windowAt(now(), 5, 17).until,
    });
    expect(await deliveryOf(id)).toMatchObject({ due_from: windowAt(now(), 4, 17).from });
    expect(await answersOf(id)).toEqual(['yes']);
    expect(await orders.notices(id)).toEqual(expect.arrayContaining(['proposed Bud', 'moved Scrub']));
    expect(await refusal(orders.change('accept-window', id))).toBe('nothingAsked');
    expect(await orders.readAsScrub(id)).not.toHaveProperty('proposal');
  });

  test('a move takes the places of the new windows and gives the old ones back, and is refused where one is full', async () => {
    const { db } = orders.context;
    const places = async () => {
      const rows = await db.selectFrom('window_places').select(['starts_at', 'taken']).where('taken', '>', 0).execute();
      return rows.map(({ starts_at, taken }) => `${starts_at.toISOString()} ${taken}`).toSorted();
    };
    await planWindows(db, now(), { ...TEST_PLAN, places: 1 });
    const before = await places();
    const first = await orders.place({ pickupFrom: startOf(6), returnFrom: startOf(7) });
    const second = await orders.place({ pickupFrom: startOf(8), returnFrom: startOf(9) });
    expect(
      await refusal(orders.change('move-window', second, { pickupFrom: startOf(6), returnFrom: startOf(9) })),
    ).toBe('windowFull');
    const offered = await orders.otherWindows(second);
    expect(offered.pickup.map(({ from }) => from)).not.toContain(startOf(6));
    expect(offered.return.map(({ from }) => from)).not.toContain(startOf(7));
    await orders.change('move-window', first, { pickupFrom: startOf(10), returnFrom: startOf(11) });
    await orders.change('move-window', second, { pickupFrom: startOf(6), returnFrom: startOf(9) });
    expect(await places()).toEqual([...before, ...[6, 9, 10, 11].map((days) => `${startOf(days)} 1`)].toSorted());
    expect(await findTallyErrors(db)).toEqual([]);
    for (const id of [first, second]) await orders.press('cancel-order', id);
    expect(await places()).toEqual(before);
    await planWindows(db, now());
  });

  test('a Bud moves only to times at which the Scrub works, who can propose others', async () => {
    const { db } = orders.context;
    const dayOff = startOf(6).slice(0, 10);
    const scrub_id = orders.scrub().id;
    await db
      .insertInto('scrub_days_off')
      .values({ id: newId(), scrub_id, from_on: dayOff, until_on: dayOff, added_at: now() })
      .execute();
    const id = await orders.place({ pickupFrom: startOf(2), returnFrom: startOf(3) });
    const offered = await orders.otherWindows(id);
    expect(offered.pickup.map(({ from }) => from)).not.toContain(startOf(6));
    expect(offered.return.map(({ from }) => from)).not.toContain(startOf(6));
    const off = { pickupFrom: startOf(5), returnFrom: startOf(6) };
    expect(await refusal(orders.change('move-window', id, off))).toBe('scrubFull');
    expect(await refusal(orders.change('move-window', id, { returnFrom: startOf(6) }))).toBe('scrubFull');
    await orders.change('move-window', id, { pickupFrom: startOf(5), returnFrom: startOf(7) });
    await orders.change('propose-window', id, { returnFrom: startOf(6), ...ILL });
    await orders.change('accept-window', id);
    expect(await timesOf(id)).toMatchObject({ return_from: windowAt(now(), 6, 17).from });
    expect(await findTallyErrors(db)).toEqual([]);
    await orders.press('cancel-order', id);
    await db.deleteFrom('scrub_days_off').execute();
  });

  describe('what an order has booked already is its own', () => {
    const limit = (ordersADay: number | null, more: object = {}, index = 0) => {
      const week = { hours: '[]', notice_hours: 0, orders_a_day: ordersADay, updated_at: now(), ...more };
      return orders.context.db
        .insertInto('scrub_weeks')
        .values({ ...week, scrub_id: orders.scrub(index).id })
        .onConflict((conflict) => conflict.column('scrub_id').doUpdateSet(week))
        .execute();
    };
    const evening = (days: number) => ({ pickupFrom: startOf(days), returnFrom: startOf(days + 1) });
    const placed: string[] = [];
    const place = async (more: object) => {
      const id = await orders.place(more);
      placed.push(id);
      return id;
    };
    const daysOf = (id: string) =>
      orders.context.db
        .selectFrom('bookings')
        .select(['scrub_id', 'day'])
        .where('order_id', '=', id)
        .executeTakeFirst();
    afterEach(async () => {
      for (const id of placed.splice(0)) await orders.asTown('cancel-by-operator', id, { reason: 'asked' });
      await orders.context.db.deleteFrom('scrub_weeks').execute();
      await planWindows(orders.context.db, now());
      expect(await findTallyErrors(orders.context.db)).toEqual([]);
    });

    test('the return moves alone where the pickup and the day have been limited to less since', async () => {
      const { db } = orders.context;
      const first = await place(evening(6));
      await place(evening(6));
      await planWindows(db, now(), { ...TEST_PLAN, places: 1 });
      await limit(1);
      await orders.change('move-window', first, { returnFrom: startOf(8) });
      expect(await timesOf(first)).toMatchObject({ pickup_from: windowAt(now(), 6, 17).from });
    });

    test('the return of an order is no work for the day on which it goes back', async () => {
      await limit(1);
      await place(evening(8));
      const id = await place(evening(6));
      expect((await orders.otherWindows(id)).return.map(({ from }) => from)).toContain(startOf(8));
      await orders.change('move-window', id, { returnFrom: startOf(8) });
    });

    test('an order moves within a day that is full with it, and to no day that is full without it', async () => {
      await limit(null, { pounds_a_day: 9 });
      await place(evening(8));
      const id = await place(evening(6));
      const offered = (await orders.otherWindows(id)).pickup.map(({ from }) => from);
      expect([startOf(6, 8), startOf(8, 8)].map((from) => offered.includes(from))).toEqual([true, false]);
      expect(await refusal(orders.change('move-window', id, evening(8)))).toBe('scrubFull');
      await orders.change('move-window', id, { pickupFrom: startOf(6, 8), returnFrom: startOf(7) });
    });

    test('a Scrub can propose a day that is full by their own limit', async () => {
      await limit(1);
      await place(evening(8));
      const id = await place(evening(6));
      await orders.change('propose-window', id, { ...evening(8), ...ILL });
      await orders.change('accept-window', id);
      expect(await daysOf(id)).toMatchObject({ day: startOf(8).slice(0, 10) });
    });

    test('the times and the day of an order stay when the town moves to another time zone, and it moves to windows of the new one', async () => {
      const { db } = orders.context;
      const setZone = (value: string) => writeSetting(db, { name: 'timeZone', value, setBy: 'a test', from: now() });
      await limit(1);
      const id = await place(evening(6));
      const [before, day] = [await timesOf(id), await daysOf(id)];
      await setZone('Pacific/Auckland');
      expect(await timesOf(id)).toEqual(before);
      const offered = await orders.otherWindows(id);
      const [back] = offered.return.filter(({ from }) => from > startOf(8));
      await orders.change('move-window', id, { returnFrom: back?.from });
      expect(await daysOf(id)).toEqual(day);
      expect((await timesOf(id)).promised_at?.toISOString()).toBe(back?.until);
      const pickup = offered.pickup.find(({ from }) => from > startOf(4));
      await orders.change('move-window', id, { pickupFrom: pickup?.from, returnFrom: back?.from });
      const { day: moved } = (await daysOf(id)) ?? {};
      expect(moved).toBe(localDate(new Date(pickup?.from ?? ''), 'Pacific/Auckland'));
      await setZone('UTC');
    });

    test('the next Scrub of an order can do what it asks, on its day, or on the day of the choice', async () => {
      const next = { scrubId: orders.scrub(1).id };
      const [soon, timed6] = [await place({}), await place(evening(6))];
      for (const id of [soon, timed6]) {
        await orders.press('accept-order', id);
        await orders.change('give-back', id, ILL);
      }
      await limit(null, { sizes: ['Large'] }, 1);
      for (const id of [soon, timed6]) expect(await refusal(orders.change('choose-scrub', id, next))).toBe('scrubFull');
      await limit(null, { sizes: null, notice_hours: 7 * 24 }, 1);
      expect(await refusal(orders.change('choose-scrub', timed6, next))).toBe('scrubFull');
      orders.pass(12 * HOUR_MS);
      await orders.change('choose-scrub', soon, next);
      expect(await daysOf(soon)).toEqual({ scrub_id: next.scrubId, day: startOf(0).slice(0, 10) });
      await limit(null, { notice_hours: 0 }, 1);
      await orders.change('choose-scrub', timed6, next);
      expect(await daysOf(timed6)).toEqual({
        scrub_id: next.scrubId,
        day: (await timesOf(timed6)).pickup_from?.toISOString().slice(0, 10),
      });
    });
  });

  test('a refused proposal changes nothing, and the Scrub can propose once more', async () => {
    const id = await timed();
    const before = await timesOf(id);
    await orders.change('propose-window', id, { returnFrom: startOf(5), ...ILL });
    await orders.change('refuse-window', id);
    expect(await timesOf(id)).toEqual(before);
    await orders.change('propose-window', id, { returnFrom: startOf(6), ...ILL });
    expect(await answersOf(id)).toEqual(['no', null]);
  });

  test('a proposal ends when the order is no longer as it was: moved, given back, started or cancelled', async () => {
    const ends = {
      move: (id: string) => orders.change('move-window', id, { returnFrom: startOf(6) }),
      'give back': (id: string) => orders.change('give-back', id, ILL),
      cancel: (id: string) => orders.change('cancel-accepted', id, { reason: 'changed-mind' }),
      start: (id: string) => orders.press('start-order', id),
    };
    for (const end of Object.values(ends)) {
      const id = await timed();
      await orders.change('propose-window', id, { returnFrom: startOf(5), ...ILL });
      await end(id);
      expect(await answersOf(id)).toEqual(['withdrawn']);
      expect(await refusal(orders.change('accept-window', id))).not.toBe('taken');
    }
  });

  test('a proposal survives the acceptance of its order', async () => {
    const id = await timed('Requested');
    await orders.change('propose-window', id, { returnFrom: startOf(5), ...ILL });
    await orders.press('accept-order', id);
    await orders.change('accept-window', id);
    expect(await timesOf(id)).toMatchObject({ return_from: windowAt(now(), 5, 17).from });
  });

  test('a proposal that nobody has answered two hours before the agreed window is a case for the town', async () => {
    const kinds = async (id: string) =>
      (await orders.context.db.selectFrom('cases').select('kind').where('order_id', '=', id).execute()).map(
        ({ kind: one }) => one,
      );
    const [asked, answered, soon] = [await timed(), await timed(), await timed()];
    for (const id of [asked, answered])
      await orders.change('propose-window', id, { pickupFrom: startOf(4), returnFrom: startOf(5), ...ILL });
    await orders.change('propose-window', soon, { returnFrom: startOf(5), ...ILL });
    await orders.change('accept-window', answered);
    const { pickup_from } = await timesOf(asked);
    await pass(pickup_from, -MOVE_UNTIL_MS - 1);
    expect(await answersOf(asked)).toEqual([null]);
    await pass(pickup_from, -MOVE_UNTIL_MS);
    expect([await answersOf(asked), await kinds(asked)]).toEqual([['expired'], ['window']]);
    // Its return alone would move, which is a day later.
    expect([await answersOf(soon), await kinds(soon)]).toEqual([[null], []]);
    expect([await answersOf(answered), await kinds(answered)]).toEqual([['yes'], []]);
    expect(await refusal(orders.change('accept-window', asked))).toBe('nothingAsked');
  });

  test('each proposal of a round has its own time to answer, also the one of the town that replaces that of the Scrub', async () => {
    const id = await timed();
    await orders.change('propose-window', id, { pickupFrom: startOf(4), returnFrom: startOf(5), ...ILL });
    const { pickup_from, return_from } = await timesOf(id);
    await pass(pickup_from, -MOVE_UNTIL_MS);
    expect(await answersOf(id)).toEqual(['expired']);
    await orders.change('propose-window', id, { returnFrom: startOf(4), ...ILL });
    expect((await orders.stateOf(id)).timers).toContain('window-unanswered');
    await pass(return_from, -MOVE_UNTIL_MS);
    expect(await answersOf(id)).toEqual(['expired', 'expired']);
    const replaced = await timed();
    await orders.change('propose-window', replaced, { pickupFrom: startOf(4), returnFrom: startOf(5), ...ILL });
    const town = { role: 'Operator', id: null };
    await orders.change('propose-window', replaced, { returnFrom: startOf(6), ...ILL }, town);
    const moved = await timesOf(replaced);
    await pass(moved.pickup_from, -MOVE_UNTIL_MS);
    expect(await answersOf(replaced)).toEqual(['withdrawn', null]);
    await pass(moved.return_from, -MOVE_UNTIL_MS);
    expect(await answersOf(replaced)).toEqual(['withdrawn', 'expired']);
  });

  test('the steps that can repeat in a round are those of a move, in the rows and in the index', async () => {
    const rows = (ORDER_ROWS as readonly OrderRow[]).filter(
      ({ movesWindows, proposes, answersProposal }) => movesWindows || proposes || answersProposal,
    );
    const index = await queryRow<{ text: string }>(
      orders.context.db,
      sql`select pg_get_expr(indpred, indrelid) as text from pg_index where indexrelid = 'steps_once_an_attempt'::regclass`,
    );
    const listed = [...(index?.text ?? '').matchAll(/'([a-z-]+)'/g)].map(([, action]) => action);
    expect(listed.toSorted()).toEqual([...new Set(rows.map(({ action }) => action))].toSorted());
  });

  test('a Bud has half an hour to answer a late proposal, and no longer than until the agreed window', async () => {
    const soon = async (minutes: number) => {
      const id = await timed();
      const from = new Date(now().getTime() + minutes * MINUTE_MS);
      const pickup = { from, until: new Date(from.getTime() + HOUR_MS) };
      await giveTimes(orders.context.db, id, now(), { pickup, return: windowAt(now(), 3, 17) });
      await orders.change('propose-window', id, { pickupFrom: startOf(4), returnFrom: startOf(5), ...ILL });
      return id;
    };
    const [hours, minutes, begun] = [await soon(119), await soon(20), await soon(-10)];
    const answers = async () => (await Promise.all([hours, minutes, begun].map(answersOf))).map(([answer]) => answer);
    const start = now();
    await pass(start, 20 * MINUTE_MS - 1);
    expect(await answers()).toEqual([null, null, null]);
    await pass(start, 20 * MINUTE_MS);
    expect(await answers()).toEqual([null, 'expired', null]);
    await pass(start, 30 * MINUTE_MS);
    expect(await answers()).toEqual(['expired', 'expired', 'expired']);
  });

  test('an answer is for the proposal that the Bud has read, and for windows that are still offered', async () => {
    const id = await timed();
    await orders.change('propose-window', id, { returnFrom: startOf(5), ...ILL });
    const proposalId = (await orders.readAsScrub(id))?.proposal?.id;
    await orders.change('refuse-window', id, { proposalId });
    await orders.change('propose-window', id, { returnFrom: startOf(6), ...ILL });
    expect(await refusal(orders.change('accept-window', id, { proposalId }))).toBe('nothingAsked');
    await planWindows(orders.context.db, now(), { ...TEST_PLAN, return: TEST_PLAN.return.slice(0, 0) });
    expect(await refusal(orders.change('accept-window', id))).toBe('windowGone');
    await planWindows(orders.context.db, now());
    await orders.change('accept-window', id);
  });
});
