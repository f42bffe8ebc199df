import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../domain/durations.ts';
import { openRestored, takeBackup } from '../../../testing/backupFiles.ts';
import { type DayTests, openDayTests } from '../../../testing/dayTests.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow, queryRows } from '../../db/database.ts';
import { countStuck } from '../../operator/today.sql.ts';
import { type CardLists, CardNetworkUnavailableError } from '../card/cards.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { findReconciledDay, reconcileDays } from './reconciledDays.ts';

const FEE = 108;
const PRICE = 2683;

const later = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

describe.each(RULE_DATABASES)('days at the card network when something goes wrong, on %s', (kind) => {
  let days: DayTests;
  beforeAll(async () => {
    days = await openDayTests(kind);
  });
  afterAll(() => days?.close());

  /** A day of its own, some days after the one before, with a charge at noon. */
  let next = '2026-01-05';
  async function newDay() {
    const day = next;
    next = later(day, 10);
    days.setClock(`${day}T12:00:00Z`);
    const charged = await days.charge();
    await days.settle();
    return { day, ...charged };
  }
  const compareOn = async (day: string, lists: Partial<CardLists> = {}) => {
    days.setClock(`${day}T00:00:00Z`);
    await days.compare(days.withLists(lists));
  };
  const network = () => days.harness.context.cards.lists;

  test('a town whose cards were never charged has no days', async () => {
    const fresh = await openDayTests(kind, days.sandbox);
    fresh.harness.setClock('2026-01-03T12:00:00Z');
    expect(await fresh.compare()).toBe(0);
    expect(await queryRows(fresh.db, sql`select day from reconciled_days`)).toEqual([]);
    await fresh.close();
  });

  test('an operator has a day compared again that could never be compared', async () => {
    const { day } = await newDay();
    const away = async () => {
      throw new CardNetworkUnavailableError(new Error('an outage'));
    };
    days.setClock(`${later(day, 2)}T00:00:00Z`);
    while (await reconcileDays(days.withLists({ charges: away }))) {}
    expect(await days.dayOf(day)).toMatchObject({ state: null, failure: 'the card network does not answer' });
    expect(await days.recheck(day)).toMatchObject({ state: 'equal', theirs: { charged: PRICE } });
    // Also when it differs then, and nobody has seen that.
    await sql`update reconciled_days set state = 'failed', ours = null, theirs = null where day = ${day}`.execute(
      days.db,
    );
    const cent: CardLists['charges'] = async (...asked) => {
      const page = await network().charges(...asked);
      return { ...page, items: page.items.map((item) => ({ ...item, amount: item.amount + 1 })) };
    };
    expect(await days.recheck(day, days.withLists({ charges: cent }))).toMatchObject({ state: 'differs' });
    expect((await countStuck(days.db)).differingDays).toBe(1);
    await days.recheck(day);
  });

  test('a payment that the card network lists twice counts once', async () => {
    const { day } = await newDay();
    const twice: CardLists['charges'] = async (bounds, cursor) => {
      const { items } = await network().charges(bounds);
      return { items: [...items, ...items], ...(cursor === undefined ? { cursor: 'once more' } : {}) };
    };
    await compareOn(later(day, 2), { charges: twice });
    expect(await days.dayOf(day)).toMatchObject({
      ...{ state: 'equal', ours: { charged: PRICE }, theirs: { charged: PRICE, fees: FEE }, counts: { charged: 1 } },
    });
  });

  test('a list that does not end is for a person to know, and says so', async () => {
    const { day } = await newDay();
    const endless: CardLists['charges'] = async () => ({ items: [], cursor: 'the same' });
    days.setClock(`${later(day, 2)}T00:00:00Z`);
    for (let pages = 0; pages < 10; pages += 1) await reconcileDays(days.withLists({ charges: endless }));
    expect(await days.dayOf(day)).toMatchObject({ state: null, failure: 'its lists do not end' });
    expect(await days.recheck(day)).toMatchObject({ state: 'equal' });
  });

  test('the data kept after a page does not grow with the day', async () => {
    const { day } = await newDay();
    const pages = 9;
    const large: CardLists['charges'] = async ({ begin }, cursor = '0') => {
      const page = Number(cursor);
      const items = Array.from({ length: 100 }, (_, n) => ({
        ...{ squareId: `stranger ${day} ${page} ${n}`, at: begin, amount: PRICE, fee: FEE },
      }));
      const isOfDay = begin.toISOString().startsWith(day);
      return { items: isOfDay ? items : [], ...(isOfDay && page < pages ? { cursor: `${page + 1}` } : {}) };
    };
    days.setClock(`${later(day, 2)}T00:00:00Z`);
    const sizes: number[] = [];
    while (await reconcileDays(days.withLists({ charges: large }))) {
      const row = await queryRow<{ size: number | null }>(
        days.db,
        sql`select length(progress::text) as size from reconciled_days where day = ${day}`,
      );
      if (row?.size) sizes.push(row.size);
    }
    expect(sizes.length).toBeGreaterThan(pages);
    expect(Math.max(...sizes) - (sizes[0] ?? 0)).toBeLessThan(100);
    expect(await days.dayOf(day)).toMatchObject({ counts: { charged: 1001 }, differing: 2000 });
    expect(await queryRows(days.db, sql`select run from reconciled_ids`), 'nothing is left').toEqual([]);
    expect(await days.recheck(day)).toMatchObject({ state: 'equal' });
  });

  test('a refund that is under way for days is compared on its day, once it is made', async () => {
    const { day, orderId } = await newDay();
    await requestRefund(days.harness.context, { orderId, liable: 'platform', reason: 'torn' });
    await days.harness.runPaymentJobs();
    const underWay: CardLists['refunds'] = async (...asked) => {
      const page = await network().refunds(...asked);
      return { ...page, items: page.items.map((item) => ({ ...item, isMade: false })) };
    };
    await compareOn(later(day, 2), { refunds: underWay });
    expect(await days.dayOf(day)).toMatchObject({ state: 'equal', ours: { refunded: 0 }, theirs: { refunded: 0 } });
    days.setClock(`${later(day, 3)}T12:00:00Z`);
    await days.harness.runPaymentJobs();
    await days.settle();
    await compareOn(later(day, 5));
    expect(await days.dayOf(day)).toMatchObject({
      ...{ state: 'equal', ours: { refunded: PRICE }, theirs: { refunded: PRICE }, counts: { refunded: 1 } },
    });
    expect(await days.dayOf(later(day, 3))).toMatchObject({ state: 'equal', ours: { refunded: 0 } });
  });

  test('a charge whose answer came a day late is compared on its day', async () => {
    const { day } = await newDay();
    await compareOn(later(day, 2));
    days.harness.setClock(`${later(day, 2)}T01:00:00Z`);
    days.sandbox.setClock(`${day}T13:00:00Z`);
    await days.charge();
    await days.settle();
    await compareOn(later(day, 4));
    expect(await days.dayOf(day)).toMatchObject({ state: 'equal', ours: { charged: 2 * PRICE }, isDue: false });
    expect(await days.dayOf(later(day, 2))).toMatchObject({ state: 'equal', ours: { charged: 0 } });
  });

  test('a clock that was ahead leaves no day uncompared', async () => {
    const { day } = await newDay();
    await compareOn(later(day, 9));
    days.setClock(`${day}T18:00:00Z`);
    await days.compare();
    await days.charge();
    await days.settle();
    await compareOn(later(day, 2));
    expect(await days.dayOf(day)).toMatchObject({ state: 'equal', ours: { charged: 2 * PRICE } });
    expect(await findReconciledDay(days.db, later(day, 1))).toBeUndefined();
  });

  test('a page of a large day that fails now and then does not make it start over', async () => {
    const { day } = await newDay();
    let asked = 0;
    const flaky: CardLists['charges'] = async (bounds, cursor = '0') => {
      if (!bounds.begin.toISOString().startsWith(day)) return network().charges(bounds);
      asked += 1;
      if (asked % 2 === 0) throw new CardNetworkUnavailableError(new Error('busy'));
      const page = Number(cursor);
      return page < 7 ? { items: [], cursor: `${page + 1}` } : network().charges(bounds);
    };
    days.setClock(`${later(day, 2)}T00:00:00Z`);
    for (let tries = 0; tries < 10; tries += 1) {
      await days.compare(days.withLists({ charges: flaky }));
      days.setClock(new Date(days.harness.context.now().getTime() + 30_000).toISOString());
    }
    expect(await days.dayOf(day)).toMatchObject({ state: 'equal', theirs: { charged: PRICE } });
    expect(asked).toBe(15);
  });

  test('after a restored backup, what it does not know is a difference, and no day is left out', async () => {
    const { day } = await newDay();
    await compareOn(later(day, 2));
    const [known, noon] = [later(day, 2), `${later(day, 2)}T12:00:00Z`];
    days.setClock(noon);
    const { orderId, squareId } = await days.charge();
    await days.settle();
    const backup = await takeBackup(days.db, days.harness.context.now());
    // What happens after it is lost.
    await requestRefund(days.harness.context, { orderId, liable: 'platform', reason: 'torn' });
    await days.harness.runPaymentJobs();
    const lost = await days.charge();
    await days.settle();
    const restored = await openRestored(backup);
    const context = { ...days.harness.context, db: restored.db };
    // Longer than what is compared the first time.
    days.setClock(`${later(day, 40)}T00:00:00Z`);
    await days.compare(context);
    const found = async (one: string) => findReconciledDay(restored.db, one);
    expect(await found(day)).toMatchObject({ state: 'equal', ours: { charged: PRICE } });
    expect((await found(known))?.differences).toMatchObject([
      { what: 'charged', squareId: lost.squareId, orderId: null, ours: 0, theirs: PRICE },
      { what: 'fees', squareId: lost.squareId, orderId: null, ours: 0, theirs: FEE },
      { what: 'refunded', squareId, orderId: null, ours: 0, theirs: PRICE },
    ]);
    for (let n = 3; n <= 38; n += 1)
      expect(await found(later(day, n)), later(day, n)).toMatchObject({ state: 'equal' });
    next = later(day, 50);
    await restored.close();
  });
});
