import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Figures, FiguresRow } from '../../contract/operator/figures.ts';
import type { FiguresBy } from '../../domain/figures.ts';
import { PERMISSIONS, type Permission } from '../../domain/operators.ts';
import { type DayTests, openDayTests } from '../../testing/dayTests.ts';
import { giveTimes } from '../../testing/orderTimes.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { deliveryHandlers } from '../deliveries/deliveries.ts';
import { runTimers } from '../jobs/timers.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { orderExceptionHandlers } from '../orders/orderExceptions.ts';
import { orderHandlers } from '../orders/orders.ts';
import { ORDER_TIMERS } from '../orders/orderTimers.ts';
import { requestRefund } from '../payments/refunds/refunds.ts';
import { writeSetting } from '../town/settings.sql.ts';
import { figureHandlers, workFigureHandlers } from './figures.ts';

const HOUR = 60;
const NORTH = '01930000-0000-7000-8000-00000000000a';
const SELF = { selfDelivery: true, selfPickup: true };

const NOTHING: Figures = {
  ...{ orders: 0, completed: 0, minutesToYes: null, slowMinutesToYes: null, onTime: null, hoursToReturn: null },
  ...{ orderedAgain: null, scrubHourly: null, duberHourly: null, kept: 0 },
};

/**
 * The life of a town in New York, whose clocks are put back on Sunday, 1 November. Every figure below is computed by hand.
 * Ada (0) and Bo (1) are Buds, Sam (0) and Sue (1) are Scrubs.
 */
describe.each(RULE_DATABASES)('the figures of a town, on %s', (kind) => {
  let days: DayTests;
  let ofAda: string;
  const context = () => days.harness.context;
  const users = () => days.harness.users;
  const setClock = (iso: string, minutes = 0) =>
    days.setClock(new Date(Date.parse(iso) + minutes * 60_000).toISOString());

  const place = async (bud: number, scrub: number, more: object) => {
    const caller = users().buds[bud];
    const body = {
      ...{ budAddressId: caller?.addressId, scrubId: users().scrubs[scrub]?.id, paymentSourceId: 'cnon:card-nonce-ok' },
      ...{ loadSize: 'Medium', selfDelivery: false, selfPickup: false },
      ...more,
    };
    const request = { caller, body, idempotencyKey: newId(), from: '127.0.0.1' };
    return parseSerializedJson<{ id: string }>((await orderHandlers(context()).placeOrder(request as never)) as never)
      .id;
  };
  const press = (
    scrub: number,
    action: 'accept-order' | 'reject-order' | 'start-order' | 'complete-order',
    id: string,
  ) => orderHandlers(context())[action]({ caller: users().scrubs[scrub], params: { id } } as never);
  const change = (caller: object | undefined, action: 'give-back' | 'choose-scrub', id: string, body: object) =>
    orderExceptionHandlers(context())[action]({ caller, params: { id }, body } as never);
  /** The Duber accepts the delivery of an order that waits, and delivers it some minutes later. */
  const carry = async (orderId: string, iso: string, from: number, minutes: number) => {
    const deliveries = days.db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    const { id } = await deliveries.where('status', '=', 'Pending').executeTakeFirstOrThrow();
    const step = (action: 'accept-delivery' | 'way-to-pickup' | 'collected' | 'way-to-drop' | 'delivered') =>
      deliveryHandlers(context())[action]({ caller: users().dubers[0], params: { id } } as never);
    setClock(iso, from);
    await step('accept-delivery');
    await step('way-to-pickup');
    await step('collected');
    await step('way-to-drop');
    setClock(iso, from + minutes);
    await step('delivered');
  };

  const list = (by: FiguresBy, weeks: number, caps: readonly Permission[] = PERMISSIONS, mostOrders?: number) =>
    figureHandlers(context() as ConsoleContext, mostOrders).listFigures({
      operator: { caps },
      query: { by, weeks },
    } as never);
  const rowsOf = async (by: FiguresBy, weeks = 8) =>
    Object.fromEntries((await list(by, weeks)).items.map(({ name: _, ...row }: FiguresRow) => [row.key, row]));
  const own = (caller: object | undefined) => workFigureHandlers(context()).workFigures({ caller } as never);

  beforeAll(async () => {
    days = await openDayTests(kind);
    setClock('2026-10-01T00:00:00Z');
    await writeSetting(days.db, {
      ...{ name: 'timeZone', value: 'America/New_York', setBy: 'a test' },
      from: context().now(),
    });
    await sql`insert into zones (id, name, created_at) values (${NORTH}, 'North', ${context().now()})`.execute(days.db);

    // The first minute of Monday, 26 October. With both deliveries: 12.50 for the load, a fee of 1.25, 26.83 in all.
    const first = '2026-10-26T04:00:00Z';
    setClock(first);
    ofAda = await place(0, 0, {});
    setClock(first, 10);
    await press(0, 'accept-order', ofAda);
    await carry(ofAda, first, 20, 30);
    setClock(first, 60);
    await press(0, 'start-order', ofAda);
    setClock(first, 180);
    await press(0, 'complete-order', ofAda);
    await carry(ofAda, first, 190, 60);

    // The last second of Sunday, 1 November, which had 25 hours. Without deliveries, 14.85 in all. It is late.
    const second = '2026-11-02T04:59:59Z';
    setClock(second);
    const ofBo = await place(1, 1, SELF);
    setClock(second, 30);
    await press(1, 'accept-order', ofBo);
    setClock(second, 40);
    await press(1, 'start-order', ofBo);
    setClock(second, 40 + 48 * HOUR + 1);
    await runTimers(context(), [ORDER_TIMERS]);
    setClock(second, 40 + 49 * HOUR);
    await press(1, 'complete-order', ofBo);

    // A second later it is Monday. Ada is rejected: she has not come back by this.
    setClock('2026-11-09T04:59:59Z');
    await press(0, 'reject-order', await place(0, 0, SELF));

    // 25 days after her first order she has. 5.00 for the load, a fee of 0.50, 5.94 in all. The town gives 5.00 back.
    const fourth = '2026-11-20T15:00:00Z';
    setClock(fourth);
    const small = await place(0, 0, { ...SELF, loadSize: 'Small' });
    setClock(fourth, 5);
    await press(0, 'accept-order', small);
    await press(0, 'start-order', small);
    setClock(fourth, 65);
    await press(0, 'complete-order', small);
    await days.harness.runPaymentJobs();
    await requestRefund(context(), { orderId: small, amount: 500, liable: 'platform', reason: 'It came back wet' });
    await days.harness.runPaymentJobs();

    // Bo comes back after 29 days. Sam gives the order back, and Sue says yes 15 minutes after she was asked.
    const fifth = '2026-12-01T15:00:00Z';
    setClock(fifth);
    const givenBack = await place(1, 0, SELF);
    setClock(fifth, 5);
    await press(0, 'accept-order', givenBack);
    setClock(fifth, 60);
    await change(users().scrubs[0], 'give-back', givenBack, { reason: 'ill' });
    setClock(fifth, 90);
    await change(users().buds[1], 'choose-scrub', givenBack, { scrubId: users().scrubs[1]?.id });
    setClock(fifth, 105);
    await press(1, 'accept-order', givenBack);
    await sql`update orders set zone_id = ${NORTH} where id in (${ofAda}, ${small})`.execute(days.db);
    // The card network keeps 2.9 % and 30 cents of each charge.
    await days.settle();
    setClock('2026-12-16T17:00:00Z');
  });
  afterAll(() => days?.close());

  test('are of the week in which an order was placed, also where a day has 25 hours', async () => {
    const { timeZone, from, items } = await list('week', 8);
    expect([timeZone, from]).toEqual(['America/New_York', '2026-10-26']);
    expect(items.map(({ key, orders, completed }) => [key, orders, completed])).toEqual([
      ['2026-12-14', 0, 0],
      ['2026-12-07', 0, 0],
      ['2026-11-30', 1, 0],
      ['2026-11-23', 0, 0],
      ['2026-11-16', 1, 1],
      ['2026-11-09', 0, 0],
      ['2026-11-02', 1, 0],
      ['2026-10-26', 2, 2],
    ]);
  });

  test('say how fast and how reliable a week was, and what people earned an hour', async () => {
    const { '2026-10-26': week } = await rowsOf('week');
    expect(week).toEqual({
      ...{ key: '2026-10-26', orders: 2, completed: 2 },
      ...{ minutesToYes: 20, slowMinutesToYes: expect.closeTo(28, 6), onTime: 0.5 },
      // 4 hours after the yes at the door, and 49 hours and 10 minutes after it to be fetched.
      hoursToReturn: expect.closeTo((4 + 49 + 1 / 6) / 2, 6),
      orderedAgain: 0.5,
      // 25.00 in 51 hours.
      scrubHourly: 0.49,
      // 11.98 in an hour and a half.
      duberHourly: 7.99,
      // 1.25 less 1.08, and 1.25 less 0.73.
      kept: 0.69,
    });
  });

  test('say nothing of what did not happen', async () => {
    const weeks = await rowsOf('week');
    expect(weeks['2026-11-23']).toEqual({ key: '2026-11-23', ...NOTHING });
    expect(weeks['2026-11-02']).toEqual({ key: '2026-11-02', ...NOTHING, orders: 1 });
  });

  test('take card fees and refunds off what the town keeps, and wait until it is known who came back', async () => {
    const weeks = await rowsOf('week');
    // Of the 5.00 given back 0.37 are taxes. The card network keeps 0.47.
    expect(weeks['2026-11-16']).toMatchObject({ kept: 0.5 - 0.47 - 4.63, orderedAgain: null, scrubHourly: 5 });
    expect(weeks['2026-11-30']).toMatchObject({ minutesToYes: 15, onTime: null, orderedAgain: null });
    setClock('2026-12-18T14:59:59Z');
    expect((await rowsOf('week'))['2026-11-16']).toMatchObject({ orderedAgain: null });
    setClock('2026-12-18T15:00:00Z');
    expect((await rowsOf('week'))['2026-11-16']).toMatchObject({ orderedAgain: 0 });
    setClock('2026-12-16T17:00:00Z');
  });

  test('of all orders are not the sum of the weeks', async () => {
    const { total } = await list('week', 8);
    // Yes after 10, 30, 5 and 15 minutes. Ada came back and Bo did not.
    expect(total).toMatchObject({ orders: 5, completed: 3, minutesToYes: 12.5, onTime: 2 / 3, orderedAgain: 0.5 });
    expect(await list('scrub', 8)).toMatchObject({ total });
    expect(await list('zone', 8)).toMatchObject({ total });
  });

  test('by zone have a row for the orders outside of all zones', async () => {
    const { items } = await list('zone', 8);
    expect(items.map(({ key, name, orders, minutesToYes }) => [key, name, orders, minutesToYes])).toEqual([
      [null, null, 3, 22.5],
      [NORTH, 'North', 2, 7.5],
    ]);
  });

  test('by Scrub have an order with the Scrub who said yes last', async () => {
    const { items } = await list('scrub', 8);
    const [sam, sue] = users().scrubs;
    expect(items.map(({ key, orders, completed, minutesToYes }) => [key, orders, completed, minutesToYes])).toEqual([
      [sam?.id, 3, 2, 7.5],
      [sue?.id, 2, 1, 22.5],
    ]);
  });

  test('are of this week alone, when nobody asks for more, and empty in a week without orders', async () => {
    expect(await list('week', 1)).toMatchObject({ from: '2026-12-14', total: NOTHING, items: [NOTHING] });
    expect(await list('zone', 1)).toMatchObject({ total: NOTHING, items: [], hasMore: false });
  });

  test('are of fewer weeks where there are too many orders', async () => {
    const weeksWith = async (mostOrders: number, asked = 26) =>
      (await list('week', asked, PERMISSIONS, mostOrders)).weeks;
    expect(await weeksWith(5)).toBe(26);
    expect(await weeksWith(4)).toBe(4);
    expect(await weeksWith(1)).toBe(4);
    expect(await weeksWith(0)).toBe(1);
    expect(await weeksWith(0, 1)).toBe(1);
    expect(await list('scrub', 26, PERMISSIONS, 1)).toMatchObject({ weeks: 4, total: { orders: 1 } });
  });

  test('show what the town keeps to operators with the right to see money only', async () => {
    const { total, items } = await list('week', 8, ['see']);
    expect([total, ...items].map(({ kept }) => kept)).toEqual(Array.from({ length: 9 }, () => null));
  });

  test('of a worker are of their own work', async () => {
    const [sam] = users().scrubs;
    await sql`update users set rating_sum = 9, rating_count = 2 where id = ${sam?.id}`.execute(days.db);
    expect(await own(sam)).toEqual({
      ...{ weeks: 13, done: 2, minutesToYes: 7.5 },
      // 12.50 in two hours and 5.00 in one.
      hourly: 5.83,
      ...{ rating: 4.5, ratingCount: 2 },
    });
    expect(await own(users().dubers[0])).toEqual({
      ...{ weeks: 13, done: 2, minutesToYes: null, hourly: 7.99, rating: null, ratingCount: 0 },
    });
    expect(await own(users().scrubs[2])).toMatchObject({ done: 0, minutesToYes: null, hourly: null });
    expect(await own(users().dubers[1])).toMatchObject({ done: 0, hourly: null });
  });

  test('count an order on time, in its week and its zone, when it was back by the promised time, also when a phone said so later', async () => {
    const onTime = async () => {
      const [week, zone] = [await rowsOf('week'), await rowsOf('zone')];
      return [week['2026-10-26']?.onTime, zone[NORTH]?.onTime];
    };
    expect(await onTime()).toEqual([0.5, 1]);
    // Ada's laundry came back four hours after the order, and the timer ran before that was known.
    const promise = async (hour: number) => {
      const at = (plus: number) => new Date(Date.parse('2026-10-26T04:00:00Z') + plus * 3_600_000);
      const windows = { pickup: { from: at(0), until: at(1) }, return: { from: at(hour - 1), until: at(hour) } };
      await giveTimes(days.db, ofAda, context().now(), windows);
    };
    await promise(6);
    expect(await onTime()).toEqual([0.5, 1]);
    await sql`insert into steps (subject_kind, subject_id, position, attempt, action, status, actor_role, at)
      values ('order', ${ofAda}, 90, 1, 'promise-missed', 'Completed', 'System', ${context().now()})`.execute(days.db);
    expect(await onTime()).toEqual([0.5, 1]);
    await promise(3);
    expect(await onTime()).toEqual([0, 0.5]);
  });
});
