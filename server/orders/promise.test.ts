import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { SETTLE_PROMISE_MS } from '../../domain/promises.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { planWindows, windowAt } from '../../testing/orderTimes.ts';
import { createRandom } from '../../testing/random.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { deliveryHandlers } from '../deliveries/deliveries.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { writeSetting } from '../town/settings.sql.ts';

const CREDIT = 500;
const TO_SCRUB = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;

describe.each(DATABASE_KINDS)('the promised time on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
    await planWindows(orders.context.db, orders.context.now());
  });
  beforeEach(() => setCredit('holder'));
  afterAll(() => orders?.close());

  const setCredit = (borneBy: 'holder' | 'town' | null) =>
    writeSetting(orders.context.db, {
      name: 'promiseCredit',
      value: borneBy && { cents: CREDIT, borneBy },
      ...{ setBy: 'the test', from: orders.context.now() },
    });
  const now = () => orders.context.now().getTime();
  /** An accepted order with windows, and the time at which its laundry is promised to be back. */
  const accept = async (more: object = {}) => {
    const [pickup, back] = [windowAt(orders.context.now(), 1, 17), windowAt(orders.context.now(), 2, 17)];
    const times = { pickupFrom: pickup.from.toISOString(), returnFrom: back.from.toISOString() };
    const id = await orders.harness.createOrder('Accepted', { ...times, ...more });
    await orders.runPayments();
    return { id, pickup, promisedAt: back.until.getTime() };
  };
  const passUntil = async (time: number) => {
    orders.pass(time - now());
    for (let round = 0; round < 4; round += 1) await orders.runTimers();
  };
  /** The laundry is washed, and a Duber has it up to the last of these steps of the way back. */
  const wash = async (id: string) => {
    await orders.carry(id, TO_SCRUB);
    await orders.press('start-order', id);
    await orders.press('complete-order', id);
  };
  const missed = (id: string) =>
    orders.context.db.selectFrom('missed_promises').selectAll().where('order_id', '=', id).executeTakeFirst();
  const settle = async (promisedAt: number) => {
    await passUntil(promisedAt + SETTLE_PROMISE_MS + MINUTE_MS);
    await orders.runPayments();
    expect(await findAuditProblems(orders.context.db)).toEqual([]);
  };
  const casesOf = (id: string) =>
    orders.context.db.selectFrom('cases').select(['kind', 'about_user']).where('order_id', '=', id).execute();

  test('owes nothing when the laundry is back in time, however late its timers run', async () => {
    const { id, promisedAt } = await accept();
    await wash(id);
    await orders.carry(id, TO_SCRUB);
    await passUntil(promisedAt + 5 * HOUR_MS);
    expect(await missed(id)).toBeUndefined();
  });

  test('is paid by the Scrub who had the laundry then: once, to the card, with a case that the Scrub can contest', async () => {
    const { id, promisedAt } = await accept();
    await orders.carry(id, TO_SCRUB);
    await orders.press('start-order', id);
    const paidBefore = orders.paid(id);
    await passUntil(promisedAt);
    expect(await missed(id)).toMatchObject({ state: 'owed', cents: CREDIT });
    expect(orders.paid(id)).toBe(paidBefore);
    // The laundry moves on afterwards: that changes nothing.
    orders.pass(10 * MINUTE_MS);
    await orders.press('complete-order', id);
    await orders.carry(id, TO_SCRUB);
    await settle(promisedAt);
    expect(await missed(id)).toMatchObject({ state: 'paid', liable: 'scrub', liable_user: orders.scrub().id });
    expect(orders.paid(id)).toBe(paidBefore - CREDIT);
    expect((await casesOf(id)).filter(({ kind: of }) => of === 'refund')).toEqual([
      { kind: 'refund', about_user: orders.scrub().id },
    ]);
    await settle(promisedAt + 3 * HOUR_MS);
    expect(orders.paid(id)).toBe(paidBefore - CREDIT);
  });

  test('is paid by the Duber who was on the way with it, and the town looks at the order two hours later', async () => {
    const { id, promisedAt } = await accept();
    await wash(id);
    await orders.carry(id, TO_SCRUB.slice(0, 4));
    await passUntil(promisedAt + 3 * HOUR_MS);
    expect((await casesOf(id)).map(({ kind: of }) => of)).toContain('late');
    await orders.carry(id, ['delivered']);
    await settle(promisedAt);
    expect(await missed(id)).toMatchObject({ state: 'paid', liable: 'duber', liable_user: orders.duber().id });
  });

  test('was kept when a phone without a network says later that the laundry was back in time', async () => {
    const { id, promisedAt } = await accept();
    await wash(id);
    orders.pass(promisedAt - 30 * MINUTE_MS - now());
    await orders.carry(id, TO_SCRUB.slice(0, 4));
    await passUntil(promisedAt + 20 * MINUTE_MS);
    expect((await missed(id))?.state).toBe('owed');
    const delivery = await orders.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', id)
      .where('delivery_type', '=', 'Scrub_To_Bud')
      .executeTakeFirstOrThrow();
    const takenAt = new Date(promisedAt - 5 * MINUTE_MS);
    await deliveryHandlers(orders.context).delivered({ caller: orders.duber(), params: delivery, takenAt } as never);
    await settle(promisedAt);
    expect(await missed(id)).toMatchObject({ state: 'kept', refund_id: null });
  });

  test('is not paid to a Bud who has given the laundry to nobody', async () => {
    const { id, promisedAt } = await accept({ selfDelivery: true });
    await settle(promisedAt);
    expect(await missed(id)).toMatchObject({ state: 'unpaid', refund_id: null });
  });

  test('costs the town at most its own fee, so that friends who are late on purpose earn nothing', async () => {
    await setCredit('town');
    const { id, promisedAt } = await accept();
    const fee = await orders.context.db
      .selectFrom('order_lines')
      .select('cents')
      .where('order_id', '=', id)
      .where('earner', '=', 'platform')
      .executeTakeFirstOrThrow();
    await orders.carry(id, TO_SCRUB);
    await settle(promisedAt);
    expect(await missed(id)).toMatchObject({ state: 'paid', liable: 'platform', cents: Math.min(CREDIT, fee.cents) });
    expect(fee.cents).toBeLessThan(CREDIT);
  });

  test('owes nothing in a town that does not pay for it, and everybody is told all the same', async () => {
    await setCredit(null);
    const { id, promisedAt } = await accept();
    await orders.carry(id, TO_SCRUB);
    await passUntil(promisedAt);
    expect(await missed(id)).toBeUndefined();
    const told = await orders.context.db
      .selectFrom('notifications')
      .select('kind')
      .where('about', '=', id)
      .where('kind', '=', 'promise-missed')
      .execute();
    expect(told.length).toBeGreaterThan(0);
  });

  test('moves with the windows of the order', async () => {
    const { id, promisedAt } = await accept();
    const returnFrom = windowAt(orders.context.now(), 4, 17).from.toISOString();
    await orders.change('move-window', id, { returnFrom });
    await passUntil(promisedAt + HOUR_MS);
    expect(await missed(id)).toBeUndefined();
    await passUntil(Date.parse(returnFrom) + 2 * HOUR_MS);
    expect((await missed(id))?.state).toBe('owed');
  });

  test('ends a request that no Scrub has accepted when its window begins', async () => {
    const pickup = windowAt(new Date(now() + 3 * HOUR_MS), 0, 17);
    const first = pickup.from.getTime() > now() + 2 * HOUR_MS ? pickup : windowAt(orders.context.now(), 1, 8);
    const times = { pickupFrom: first.from.toISOString() };
    const returnFrom = windowAt(first.from, 1, 17).from.toISOString();
    const id = await orders.place({ ...times, returnFrom });
    await passUntil(first.from.getTime() - MINUTE_MS);
    expect((await orders.stateOf(id)).status).toBe('Requested');
    await passUntil(first.from.getTime() + MINUTE_MS);
    expect((await orders.stateOf(id)).status).toBe('Cancelled');
  });

  // Lives in which phones have no network for hours and the timers run late. The long run has 20,000.
  const LIVES = Number(process.env.LIVES ?? 15);

  test(
    'whatever happens when: one credit for each missed promise, from who had the laundry then, and none for one that was kept',
    async () => {
      const seed = Number(process.env.PROMISE_SEED ?? 20_261_201);
      const random = createRandom(seed);
      const seen = new Set<string>();
      for (let life = 0; life < LIVES; life += 1) {
        const { id, promisedAt } = await accept();
        const paidBefore = orders.paid(id);
        const happened = await live(id, promisedAt, random);
        await settle(promisedAt);
        const row = await missed(id);
        const found = row === undefined ? 'kept' : row.state === 'paid' ? row.liable : row.state;
        expect([life, happened, found], `seed ${seed}`).toEqual([life, happened, holderAt(happened, promisedAt)]);
        const goesBack = row?.state === 'paid' ? CREDIT : 0;
        expect([life, orders.paid(id)]).toEqual([life, paidBefore - goesBack]);
        seen.add(found ?? '');
      }
      expect(seen.size).toBeGreaterThan(2);
    },
    60_000 + LIVES * 4_000,
  );

  /** When the laundry changed hands: to a Duber, the Scrub, a Duber again, and back to the Bud. In milliseconds. */
  type Happened = readonly [toDuber: number, toScrub: number, toDuberAgain: number, back: number];

  /** By the model: who had the laundry at the promised time, in the words of the database. */
  function holderAt([toDuber, toScrub, toDuberAgain, back]: Happened, at: number): string {
    if (back <= at) return 'kept';
    if (toDuberAgain <= at) return 'duber';
    if (toScrub <= at) return 'scrub';
    return toDuber <= at ? 'duber' : 'unpaid';
  }

  async function live(id: string, promisedAt: number, random: () => number): Promise<Happened> {
    const hours = (most: number) => Math.ceil(random() * most * 60) * MINUTE_MS;
    const begins = Math.max(now(), promisedAt - hours(24));
    const toDuber = begins + hours(6);
    const toScrub = toDuber + hours(4);
    const sent = toScrub + hours(3);
    const toDuberAgain = sent + hours(6);
    const back = toDuberAgain + hours(3);
    const step = async (
      name: 'accept-delivery' | 'way-to-pickup' | 'collected' | 'way-to-drop' | 'delivered',
      takenAt?: number,
    ) => {
      const delivery = await orders.context.db
        .selectFrom('deliveries')
        .select('id')
        .where('order_id', '=', id)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      const taken = takenAt === undefined ? {} : { takenAt: new Date(takenAt) };
      await deliveryHandlers(orders.context)[name]({ caller: orders.duber(), params: delivery, ...taken } as never);
    };
    // Timers run only when a worker is up: sometimes hours after they were due.
    const at = async (time: number) => {
      orders.pass(Math.max(0, time - now()));
      if (random() < 0.5) await orders.runTimers();
    };
    await at(begins);
    await step('accept-delivery');
    await step('way-to-pickup');
    // The phone sends what it did once it has a network again.
    await at(sent);
    await step('collected', toDuber);
    await step('way-to-drop', toDuber);
    await step('delivered', toScrub);
    await orders.press('start-order', id);
    await orders.press('complete-order', id);
    await step('accept-delivery');
    await step('way-to-pickup');
    await at(back + hours(3));
    await step('collected', toDuberAgain);
    await step('way-to-drop', toDuberAgain);
    await step('delivered', back);
    return [toDuber, toScrub, toDuberAgain, back];
  }
});
