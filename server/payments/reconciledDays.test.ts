import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { netOf } from '../../domain/reconciledDays.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { createFastSquareCards } from '../../testing/paymentStress/killableServer.ts';
import { createPayment, type SquareSandbox, startSquareSandbox } from '../../testing/squareSandbox.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import type { Context } from '../context.ts';
import { queryRow, queryRows, transact } from '../db/database.ts';
import { pollDisputes } from '../disputes/disputes.ts';
import { countStuck } from '../operator/today.sql.ts';
import type { CardLists } from './cards.ts';
import { makePollDue } from './disputeMoney.ts';
import { findReconciledDay, recheckDay, reconcileDays } from './reconciledDays.ts';
import { requestRefund } from './refunds.ts';

const FEE = 108;
const PRICE = 2683;
/** The town's location at the card network. */
const HERE = { locationId: 'L1' };

describe.each(DATABASE_KINDS)('days at the card network, on %s', (kind) => {
  let sandbox: SquareSandbox;
  let harness: PaymentHarness;
  beforeAll(async () => {
    sandbox = await startSquareSandbox();
    harness = await openPaymentHarness(kind, createFastSquareCards(sandbox.url));
  });
  afterAll(async () => {
    await harness.close();
    await sandbox.stop();
  });

  const setClock = (iso: string) => {
    sandbox.setClock(iso);
    harness.setClock(iso);
  };
  const db = () => harness.database.db;

  /** An order whose card is charged now. */
  async function charge() {
    const orderId = await harness.createOrder('Accepted', { paymentSourceId: 'cnon:card-nonce-ok' });
    await harness.runPaymentJobs();
    const payment = await queryRow<{ squareId: string }>(
      db(),
      sql`select square_id as "squareId" from payments where order_id = ${orderId}`,
    );
    return { orderId, squareId: payment?.squareId ?? '' };
  }
  /** All that the payment jobs do some time later: they read the fees, and whether refunds are made. */
  async function settle() {
    setClock(new Date(harness.context.now().getTime() + 60_000).toISOString());
    await sql`update payments set look_at = ${harness.context.now()} where state = 'captured'`.execute(db());
    await harness.runPaymentJobs();
  }
  async function contest(squareId: string) {
    const payload = { payment_id: squareId, reason: 'NOT_RECEIVED' };
    const { statusCode } = await sandbox.app().inject({ method: 'POST', url: '/sandbox/square/disputes', payload });
    expect(statusCode).toBe(201);
    await transact(db(), (tx) => makePollDue(tx, harness.context.now()));
    await pollDisputes(harness.context);
  }
  async function compare(context: Context = harness.context) {
    let pages = 0;
    while (await reconcileDays(context)) pages += 1;
    return pages;
  }
  const dayOf = async (day: string) => {
    const found = await findReconciledDay(db(), day);
    if (!found) throw new Error(`${day} was not compared`);
    return found;
  };
  const withLists = (lists: Partial<CardLists>): Context => {
    const { cards } = harness.context;
    return { ...harness.context, cards: { ...cards, lists: { ...cards.lists, ...lists } } };
  };
  const recheck = async (day: string, context?: Context) => {
    expect(await recheckDay(db(), day, harness.context.now())).toBe(true);
    await compare(context);
    return dayOf(day);
  };

  test('a day with fees, a refund and a chargeback is equal, once its fees can be known', async () => {
    setClock('2026-11-02T12:00:00Z');
    const [refunded, contested] = [await charge(), await charge()];
    await requestRefund(harness.context, { orderId: refunded.orderId, liable: 'platform', reason: 'torn' });
    await harness.runPaymentJobs();
    await contest(contested.squareId);
    await settle();
    setClock('2026-11-03T23:59:59.999Z');
    expect(await compare()).toBe(0);
    expect(await findReconciledDay(db(), '2026-11-02')).toBeUndefined();
    setClock('2026-11-04T00:00:00Z');
    expect(await compare()).toBeGreaterThan(0);
    const sums = { charged: 2 * PRICE, refunded: PRICE, fees: 2 * FEE, disputed: PRICE };
    expect(await dayOf('2026-11-02')).toMatchObject({
      state: 'equal',
      ours: sums,
      theirs: sums,
      counts: { charged: 2, refunded: 1, disputed: 1 },
      differences: [],
      isDue: false,
    });
    expect(netOf(sums)).toBe(-2 * FEE);
    expect(await compare(), 'once').toBe(0);
  });

  test('a payment that only the network has is told to an operator once, also behind the first page', async () => {
    setClock('2026-11-04T12:00:00Z');
    const stranger = await createPayment(sandbox, HERE);
    setClock('2026-11-04T13:00:00Z');
    await charge();
    // Newer holds fill the first page.
    for (let n = 0; n < 100; n += 1) await createPayment(sandbox, { ...HERE, autocomplete: false });
    await settle();
    setClock('2026-11-06T00:00:00Z');
    await compare();
    const found = await dayOf('2026-11-04');
    expect(found).toMatchObject({ state: 'differs', differing: 2, counts: { charged: 2 } });
    const of = { squareId: stranger.id, orderId: null, orderNumber: null, ours: 0 };
    expect(found.differences).toEqual([
      { what: 'charged', ...of, theirs: PRICE },
      { what: 'fees', ...of, theirs: FEE },
    ]);
    const daysOnToday = async () => (await countStuck(db())).differingDays;
    expect(await daysOnToday()).toBe(1);
    expect(await recheck('2026-11-04')).toMatchObject({ state: 'differs', differing: 2 });
    expect(await daysOnToday(), 'the same result').toBe(0);
    const cent: CardLists['charges'] = async (...asked) => {
      const page = await harness.context.cards.lists.charges(...asked);
      return { ...page, items: page.items.map((item) => ({ ...item, amount: item.amount + 1 })) };
    };
    await recheck('2026-11-04', withLists({ charges: cent }));
    expect(await daysOnToday(), 'another result').toBe(1);
    expect(await recheck('2026-11-04')).toMatchObject({ state: 'differs' });
  });

  test('a cent of difference is found, with its order', async () => {
    setClock('2026-11-06T12:00:00Z');
    const { orderId, squareId } = await charge();
    await settle();
    setClock('2026-11-08T00:00:00Z');
    const cent: CardLists['charges'] = async (...asked) => {
      const page = await harness.context.cards.lists.charges(...asked);
      const items = page.items.map((item) => (item.squareId === squareId ? { ...item, fee: item.fee + 1 } : item));
      return { ...page, items };
    };
    await compare(withLists({ charges: cent }));
    const found = await dayOf('2026-11-06');
    expect(found.differences).toEqual([
      { what: 'fees', squareId, orderId, orderNumber: expect.any(Number), ours: FEE, theirs: FEE + 1 },
    ]);
    expect(await recheck('2026-11-06')).toMatchObject({ state: 'equal', differing: 0, differences: [] });
  });

  test('a payment and a refund that the network does not know differ', async () => {
    setClock('2026-11-08T12:00:00Z');
    const { orderId, squareId } = await charge();
    await requestRefund(harness.context, { orderId, liable: 'platform', reason: 'torn' });
    await harness.runPaymentJobs();
    await settle();
    setClock('2026-11-10T00:00:00Z');
    const nothing = async () => ({ items: [] });
    const unknown = async () => undefined;
    const forgets = { charges: nothing, refunds: nothing, findCharge: unknown, findRefund: unknown };
    await compare(withLists(forgets));
    expect((await dayOf('2026-11-08')).differences).toMatchObject([
      { what: 'charged', squareId, orderId, ours: PRICE, theirs: 0 },
      { what: 'fees', squareId, orderId, ours: FEE, theirs: 0 },
      { what: 'refunded', squareId, orderId, ours: PRICE, theirs: 0 },
    ]);
    expect(await recheck('2026-11-08')).toMatchObject({ state: 'equal' });
  });

  test('a payment belongs to the day on which the card network has it, to the millisecond', async () => {
    setClock('2026-11-10T23:59:59.999Z');
    await charge();
    setClock('2026-11-11T00:00:00.000Z');
    await charge();
    // Captured on the day before, and its answer comes after midnight.
    sandbox.setClock('2026-11-10T23:59:59.998Z');
    await charge();
    setClock('2026-11-11T10:00:00Z');
    await settle();
    setClock('2026-11-13T00:00:00Z');
    await compare();
    expect(await dayOf('2026-11-10')).toMatchObject({ state: 'equal', theirs: { charged: 2 * PRICE } });
    expect(await dayOf('2026-11-11')).toMatchObject({ state: 'equal', theirs: { charged: PRICE } });
  });

  test('when the card network goes away in the middle, the day goes on where it was', async () => {
    setClock('2026-11-13T12:00:00Z');
    await charge();
    await settle();
    setClock('2026-11-15T00:00:00Z');
    let charges = 0;
    const context = withLists({
      charges: async (bounds, cursor) => {
        if (bounds.begin.toISOString().startsWith('2026-11-13')) charges += 1;
        return harness.context.cards.lists.charges(bounds, cursor);
      },
    });
    while ((await queryRow<{ part: string }>(db(), PART))?.part !== 'refunds')
      expect(await reconcileDays(context)).toBe(true);
    const fault = { on: 'list', how: 'unavailable', times: 1 };
    await sandbox.app().inject({ method: 'POST', url: '/sandbox/square/faults', payload: fault });
    expect(await compare(context)).toBeGreaterThan(0);
    expect(await dayOf('2026-11-13')).toMatchObject({ state: null, failure: 'the card network does not answer' });
    setClock('2026-11-15T00:00:02Z');
    await compare(context);
    expect(await dayOf('2026-11-13')).toMatchObject({ state: 'equal', theirs: { charged: PRICE }, failure: null });
    expect(charges).toBe(1);
  });
  const PART = sql`select progress ->> 'part' as part from reconciled_days where day = '2026-11-13'`;

  test('a day that cannot be compared for a long time is for a person, and goes on by itself', async () => {
    setClock('2026-11-15T12:00:00Z');
    await charge();
    await settle();
    setClock('2026-11-17T00:00:00Z');
    await sandbox.app().inject({
      method: 'POST',
      url: '/sandbox/square/faults',
      payload: { on: 'list', how: 'unavailable', times: 100 },
    });
    for (let tries = 0; tries < 25; tries += 1) {
      setClock(new Date(Date.parse('2026-11-17T00:00:00Z') + tries * 60_000).toISOString());
      await reconcileDays(harness.context);
      await reconcileDays(harness.context);
    }
    await sandbox.app().inject({ method: 'DELETE', url: '/sandbox/square/faults' });
    expect((await queryRows(db(), sql`select from reconciled_days where state = 'failed'`)).length).toBeGreaterThan(0);
    setClock('2026-11-17T12:00:00Z');
    await compare();
    expect(await dayOf('2026-11-15')).toMatchObject({ state: 'equal', failure: null });
  });

  test('two servers at once compare each page once, and a late one changes nothing', async () => {
    setClock('2026-11-17T12:30:00Z');
    await charge();
    await settle();
    setClock('2026-11-19T00:00:00Z');
    const late = Promise.withResolvers<undefined>();
    const asks = Promise.withResolvers<undefined>();
    const slow = reconcileDays(
      withLists({
        charges: async () => {
          asks.resolve(undefined);
          await late.promise;
          return { items: [{ squareId: 'late', at: harness.context.now(), amount: 1, fee: 0 }] };
        },
      }),
    );
    await asks.promise;
    setClock('2026-11-19T00:03:00Z');
    await Promise.all([compare(), compare()]);
    late.resolve(undefined);
    await slow;
    await compare();
    expect(await dayOf('2026-11-17')).toMatchObject({ state: 'equal', theirs: { charged: PRICE } });
  });

  test('fifty of many differences are listed', async () => {
    setClock('2026-11-19T12:00:00Z');
    for (let n = 0; n < 30; n += 1) await createPayment(sandbox, HERE);
    setClock('2026-11-21T00:00:00Z');
    await compare();
    const found = await dayOf('2026-11-19');
    expect(found).toMatchObject({ state: 'differs', differing: 60, theirs: { charged: 30 * PRICE } });
    expect(found.differences).toHaveLength(50);
  });

  test('a day that was never compared cannot be compared again', async () => {
    expect(await recheckDay(db(), '1999-01-01', harness.context.now())).toBe(false);
  });
});
