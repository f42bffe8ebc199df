import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { netOf } from '../../../domain/reconciledDays.ts';
import { type DayTests, openDayTests } from '../../../testing/dayTests.ts';
import { createPayment } from '../../../testing/squareSandbox.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow, queryRows } from '../../db/database.ts';
import { countStuck } from '../../operator/today.sql.ts';
import type { CardLists } from '../card/cards.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { findReconciledDay, recheckDay, reconcileDays } from './reconciledDays.ts';

const FEE = 108;
const PRICE = 2683;
/** The town's location at the card network. */
const HERE = { locationId: 'L1' };

describe.each(RULE_DATABASES)('days at the card network, on %s', (kind) => {
  let days: DayTests;
  beforeAll(async () => {
    days = await openDayTests(kind);
  });
  afterAll(() => days?.close());

  test('a day with fees, a refund and a chargeback is equal, once its fees can be known', async () => {
    days.setClock('2026-11-02T12:00:00Z');
    const [refunded, contested] = [await days.charge(), await days.charge()];
    await requestRefund(days.harness.context, { orderId: refunded.orderId, liable: 'platform', reason: 'torn' });
    await days.harness.runPaymentJobs();
    await days.contest(contested.squareId);
    await days.settle();
    days.setClock('2026-11-03T23:59:59.999Z');
    expect(await days.compare()).toBe(0);
    expect(await findReconciledDay(days.db, '2026-11-02')).toBeUndefined();
    days.setClock('2026-11-04T00:00:00Z');
    expect(await days.compare()).toBeGreaterThan(0);
    const sums = { charged: 2 * PRICE, refunded: PRICE, fees: 2 * FEE, disputed: PRICE };
    expect(await days.dayOf('2026-11-02')).toMatchObject({
      state: 'equal',
      ours: sums,
      theirs: sums,
      counts: { charged: 2, refunded: 1, disputed: 1 },
      differences: [],
      isDue: false,
    });
    expect(netOf(sums)).toBe(-2 * FEE);
    expect(await days.compare(), 'once').toBe(0);
  });

  test('a payment that only the network has is told to an operator once, also behind the first page', async () => {
    days.setClock('2026-11-04T12:00:00Z');
    const stranger = await createPayment(days.sandbox, HERE);
    days.setClock('2026-11-04T13:00:00Z');
    await days.charge();
    // Newer holds fill the first page.
    for (let n = 0; n < 100; n += 1) await createPayment(days.sandbox, { ...HERE, autocomplete: false });
    await days.settle();
    days.setClock('2026-11-06T00:00:00Z');
    await days.compare();
    const found = await days.dayOf('2026-11-04');
    expect(found).toMatchObject({ state: 'differs', differing: 2, counts: { charged: 2 } });
    const of = { squareId: stranger.id, orderId: null, orderNumber: null, ours: 0 };
    expect(found.differences).toEqual([
      { what: 'charged', ...of, theirs: PRICE },
      { what: 'fees', ...of, theirs: FEE },
    ]);
    const daysOnToday = async () => (await countStuck(days.db)).differingDays;
    expect(await daysOnToday()).toBe(1);
    expect(await days.recheck('2026-11-04')).toMatchObject({ state: 'differs', differing: 2 });
    expect(await daysOnToday(), 'the same result').toBe(0);
    const cent: CardLists['charges'] = async (...asked) => {
      const page = await days.harness.context.cards.lists.charges(...asked);
      return { ...page, items: page.items.map((item) => ({ ...item, amount: item.amount + 1 })) };
    };
    await days.recheck('2026-11-04', days.withLists({ charges: cent }));
    expect(await daysOnToday(), 'another result').toBe(1);
    expect(await days.recheck('2026-11-04')).toMatchObject({ state: 'differs' });
  });

  test('a cent of difference is found, with its order', async () => {
    days.setClock('2026-11-06T12:00:00Z');
    const { orderId, squareId } = await days.charge();
    await days.settle();
    days.setClock('2026-11-08T00:00:00Z');
    const cent: CardLists['charges'] = async (...asked) => {
      const page = await days.harness.context.cards.lists.charges(...asked);
      const items = page.items.map((item) => (item.squareId === squareId ? { ...item, fee: item.fee + 1 } : item));
      return { ...page, items };
    };
    await days.compare(days.withLists({ charges: cent }));
    const found = await days.dayOf('2026-11-06');
    expect(found.differences).toEqual([
      { what: 'fees', squareId, orderId, orderNumber: expect.any(Number), ours: FEE, theirs: FEE + 1 },
    ]);
    expect(await days.recheck('2026-11-06')).toMatchObject({ state: 'equal', differing: 0, differences: [] });
  });

  test('a payment and a refund that the network does not know differ', async () => {
    days.setClock('2026-11-08T12:00:00Z');
    const { orderId, squareId } = await days.charge();
    await requestRefund(days.harness.context, { orderId, liable: 'platform', reason: 'torn' });
    await days.harness.runPaymentJobs();
    await days.settle();
    days.setClock('2026-11-10T00:00:00Z');
    const nothing = async () => ({ items: [] });
    const unknown = async () => undefined;
    const forgets = { charges: nothing, refunds: nothing, findCharge: unknown, findRefund: unknown };
    await days.compare(days.withLists(forgets));
    expect((await days.dayOf('2026-11-08')).differences).toMatchObject([
      { what: 'charged', squareId, orderId, ours: PRICE, theirs: 0 },
      { what: 'fees', squareId, orderId, ours: FEE, theirs: 0 },
      { what: 'refunded', squareId, orderId, ours: PRICE, theirs: 0 },
    ]);
    expect(await days.recheck('2026-11-08')).toMatchObject({ state: 'equal' });
  });

  test('a payment belongs to the day on which the card network has it, to the millisecond', async () => {
    days.setClock('2026-11-10T23:59:59.999Z');
    await days.charge();
    days.setClock('2026-11-11T00:00:00.000Z');
    await days.charge();
    // Captured on the day before, and its answer comes after midnight.
    days.sandbox.setClock('2026-11-10T23:59:59.998Z');
    await days.charge();
    days.setClock('2026-11-11T10:00:00Z');
    await days.settle();
    days.setClock('2026-11-13T00:00:00Z');
    await days.compare();
    expect(await days.dayOf('2026-11-10')).toMatchObject({ state: 'equal', theirs: { charged: 2 * PRICE } });
    expect(await days.dayOf('2026-11-11')).toMatchObject({ state: 'equal', theirs: { charged: PRICE } });
  });

  test('when the card network goes away in the middle, the day goes on where it was', async () => {
    days.setClock('2026-11-13T12:00:00Z');
    await days.charge();
    await days.settle();
    days.setClock('2026-11-15T00:00:00Z');
    let charges = 0;
    const context = days.withLists({
      charges: async (bounds, cursor) => {
        if (bounds.begin.toISOString().startsWith('2026-11-13')) charges += 1;
        return days.harness.context.cards.lists.charges(bounds, cursor);
      },
    });
    while ((await queryRow<{ part: string }>(days.db, PART))?.part !== 'refunds')
      expect(await reconcileDays(context)).toBe(true);
    const fault = { on: 'list', how: 'unavailable', times: 1 };
    await days.sandbox.app().inject({ method: 'POST', url: '/sandbox/square/faults', payload: fault });
    expect(await days.compare(context)).toBeGreaterThan(0);
    expect(await days.dayOf('2026-11-13')).toMatchObject({ state: null, failure: 'the card network does not answer' });
    days.setClock('2026-11-15T00:00:02Z');
    await days.compare(context);
    expect(await days.dayOf('2026-11-13')).toMatchObject({ state: 'equal', theirs: { charged: PRICE }, failure: null });
    expect(charges).toBe(1);
  });
  const PART = sql`select progress ->> 'part' as part from reconciled_days where day = '2026-11-13'`;

  test('a day that cannot be compared for a long time is for a person, and goes on by itself', async () => {
    days.setClock('2026-11-15T12:00:00Z');
    await days.charge();
    await days.settle();
    days.setClock('2026-11-17T00:00:00Z');
    await days.sandbox.app().inject({
      method: 'POST',
      url: '/sandbox/square/faults',
      payload: { on: 'list', how: 'unavailable', times: 100 },
    });
    for (let tries = 0; tries < 25; tries += 1) {
      days.setClock(new Date(Date.parse('2026-11-17T00:00:00Z') + tries * 60_000).toISOString());
      await reconcileDays(days.harness.context);
      await reconcileDays(days.harness.context);
    }
    await days.sandbox.app().inject({ method: 'DELETE', url: '/sandbox/square/faults' });
    expect((await queryRows(days.db, sql`select from reconciled_days where state = 'failed'`)).length).toBeGreaterThan(
      0,
    );
    days.setClock('2026-11-17T12:00:00Z');
    await days.compare();
    expect(await days.dayOf('2026-11-15')).toMatchObject({ state: 'equal', failure: null });
  });

  test('two servers at once compare each page once, and a late one changes nothing', async () => {
    days.setClock('2026-11-17T12:30:00Z');
    await days.charge();
    await days.settle();
    days.setClock('2026-11-19T00:00:00Z');
    const late = Promise.withResolvers<undefined>();
    const asks = Promise.withResolvers<undefined>();
    const slow = reconcileDays(
      days.withLists({
        charges: async () => {
          asks.resolve(undefined);
          await late.promise;
          return { items: [{ squareId: 'late', at: days.harness.context.now(), amount: 1, fee: 0 }] };
        },
      }),
    );
    await asks.promise;
    days.setClock('2026-11-19T00:03:00Z');
    await Promise.all([days.compare(), days.compare()]);
    late.resolve(undefined);
    await slow;
    await days.compare();
    expect(await days.dayOf('2026-11-17')).toMatchObject({ state: 'equal', theirs: { charged: PRICE } });
  });

  test('fifty of many differences are listed', async () => {
    days.setClock('2026-11-19T12:00:00Z');
    for (let n = 0; n < 30; n += 1) await createPayment(days.sandbox, HERE);
    days.setClock('2026-11-21T00:00:00Z');
    await days.compare();
    const found = await days.dayOf('2026-11-19');
    expect(found).toMatchObject({ state: 'differs', differing: 60, theirs: { charged: 30 * PRICE } });
    expect(found.differences).toHaveLength(50);
  });

  test('a day that was never compared cannot be compared again', async () => {
    expect(await recheckDay(days.db, '1999-01-01', days.harness.context.now())).toBe(false);
  });
});
