import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { SETTLE_PROMISE_MS } from '../../domain/promises.ts';
import { windowAt } from '../../testing/orderTimes.ts';
import { CREDIT, openPromisedOrders, type PromisedOrders } from '../../testing/promisedOrders.ts';
import { createPromo } from '../../testing/promos.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { composeNotification } from '../notifications/composeNotification.ts';
import type { DueNotification } from '../notifications/outbox.sql.ts';
import { requestRefund } from '../payments/refunds/refunds.ts';

const AGAIN = { reason: 'not-clean', waysPaidBy: 'platform' };

describe.each(DATABASE_KINDS)('the promised time on %s', (kind) => {
  let orders: PromisedOrders;
  beforeAll(async () => {
    orders = await openPromisedOrders(kind);
  });
  beforeEach(() => orders.setCredit('holder'));
  afterAll(() => orders?.close());

  /** An order whose laundry is with its Scrub in time, who does not wash it until the promised time. */
  const missedByScrub = async (more?: object) => {
    const order = await orders.accept(more);
    await orders.bring(order.id, order);
    await orders.press('start-order', order.id);
    await orders.passUntil(order.promisedAt);
    return order;
  };
  const columnsOf = (id: string) =>
    orders.context.db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('owes nothing when the laundry is back in time, however late its timers run', async () => {
    const { id, promisedAt, ...order } = await orders.accept();
    await orders.bring(id, order);
    await orders.wash(id);
    await orders.bringHome(id);
    await orders.passUntil(promisedAt + orders.LATE_MS);
    expect(await orders.missed(id)).toBeUndefined();
  });

  test('is missed when the laundry never left its Bud, also when its Scrub says that it is done: the town is told, and nobody pays', async () => {
    const { id, promisedAt } = await orders.accept();
    await orders.wash(id);
    await orders.passUntil(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'owed' });
    expect(await orders.notices(id)).toContain('promise-missed Bud');
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', reason: 'with-bud' });
    expect((await orders.casesOf(id)).map(({ kind: opened }) => opened)).toContain('late');
  });

  test('is paid by the Scrub who had the laundry then: once, to the card', async () => {
    const { id, promisedAt } = await missedByScrub();
    const paidBefore = orders.paid(id);
    expect(await orders.missed(id)).toMatchObject({ state: 'owed', cents: CREDIT });
    // The laundry moves on afterwards: that changes nothing.
    orders.pass(10 * MINUTE_MS);
    await orders.press('complete-order', id);
    await orders.bringHome(id);
    const backAt = orders.context.now();
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({
      ...{ state: 'paid', liable: 'scrub', liable_user: orders.scrub().id },
      ...{ holder_role: 'Scrub', back_at: backAt, reason: null },
    });
    expect(orders.paid(id)).toBe(paidBefore - CREDIT);
    await orders.settle(promisedAt + 3 * HOUR_MS);
    expect(orders.paid(id)).toBe(paidBefore - CREDIT);
  });

  test('is paid by the Duber who was on the way with it, and the town looks at the order two hours later', async () => {
    const { id, promisedAt, ...order } = await orders.accept();
    await orders.bring(id, order);
    await orders.wash(id);
    await orders.bringHome(id, 'way-to-drop');
    await orders.passUntil(promisedAt + 3 * HOUR_MS);
    expect((await orders.casesOf(id)).map(({ kind: of }) => of)).toContain('late');
    await orders.carry(id, ['delivered']);
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({
      ...{ state: 'paid', liable: 'duber', liable_user: orders.duber().id, holder_role: 'Duber' },
    });
  });

  test('was kept when a phone without a network says later that the laundry was back in time', async () => {
    const { id, promisedAt, ...order } = await orders.accept();
    await orders.bring(id, order);
    await orders.wash(id);
    await orders.passUntil(promisedAt - 30 * MINUTE_MS);
    await orders.bringHome(id, 'way-to-drop');
    await orders.passUntil(promisedAt + 20 * MINUTE_MS);
    expect((await orders.missed(id))?.state).toBe('owed');
    await orders.step(id, 'delivered', { takenAt: promisedAt - 5 * MINUTE_MS });
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'kept', refund_id: null });
  });

  test('was not kept by a hand-over that its Duber took back', async () => {
    const { id, promisedAt, ...order } = await orders.accept();
    await orders.bring(id, order);
    await orders.wash(id);
    await orders.passUntil(promisedAt - 5 * MINUTE_MS);
    await orders.bringHome(id);
    await orders.passUntil(promisedAt + MINUTE_MS);
    await orders.step(id, 'correct');
    await orders.passUntil(promisedAt + 20 * MINUTE_MS);
    await orders.step(id, 'delivered');
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'paid', liable: 'duber' });
  });

  test('of an order that is cleaned again is over: nothing watches it any more, and what was kept stays kept', async () => {
    const { id, promisedAt, ...order } = await orders.accept();
    await orders.bring(id, order);
    await orders.wash(id);
    await orders.bringHome(id);
    await orders.passUntil(promisedAt - HOUR_MS);
    await orders.asTown('reopen', id, AGAIN);
    expect(await columnsOf(id)).toMatchObject({ promised_at: null, pickup_from: null, turnaround: null });
    const [outbound] = await orders.context.db
      .selectFrom('deliveries')
      .select(['due_from', 'due_until'])
      .where('order_id', '=', id)
      .where('round', '=', 2)
      .execute();
    expect(outbound).toEqual({ due_from: null, due_until: null });
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toBeUndefined();
    expect((await orders.stateOf(id)).steps).not.toContain('2 promise-missed System');
  });

  test('is paid once for an order that was late and is cleaned again before the credit is paid', async () => {
    const { id, promisedAt } = await missedByScrub();
    const paidBefore = orders.paid(id);
    orders.pass(10 * MINUTE_MS);
    await orders.press('complete-order', id);
    await orders.bringHome(id);
    await orders.asTown('reopen', id, AGAIN);
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'paid', liable: 'scrub' });
    await orders.carry(id, ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'], { round: 2 });
    await orders.press('complete-order', id);
    await orders.bringHome(id, 'delivered', 2);
    await orders.settle(promisedAt + 3 * SETTLE_PROMISE_MS);
    expect(orders.paid(id)).toBe(paidBefore - CREDIT);
  });

  test('is not paid to a Bud who has given the laundry to nobody', async () => {
    const { id, promisedAt } = await orders.accept({ selfDelivery: true });
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', reason: 'with-bud', refund_id: null });
  });

  test.each([
    { what: 'who brought it themselves', selfDelivery: true },
    { what: 'whose Duber got it then', selfDelivery: false },
  ])('is not paid to a Bud who gave the laundry later than agreed, and $what', async ({ selfDelivery }) => {
    const { id, promisedAt, pickup } = await orders.accept({ selfDelivery });
    await orders.passUntil(pickup.until.getTime() + MINUTE_MS);
    if (!selfDelivery) await orders.bringHome(id);
    await orders.press('start-order', id);
    await orders.settle(promisedAt);
    expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', reason: 'late-pickup', holder_role: 'Scrub' });
  });

  describe('and a Duber at the door', () => {
    /** A Duber arrives at the door of the Bud in the window of the return, or `before` it. */
    const atDoor = async ({ before = 0, wait = 6 * MINUTE_MS } = {}) => {
      const { id, promisedAt, back, ...order } = await orders.accept();
      await orders.bring(id, order);
      await orders.wash(id);
      await orders.passUntil(back.from.getTime() + 10 * MINUTE_MS - before);
      await orders.bringHome(id, 'way-to-drop');
      orders.pass(MINUTE_MS);
      await orders.arrive(id);
      orders.pass(wait);
      return { id, promisedAt };
    };
    const tryAgainLate = async ({ id, promisedAt }: { id: string; promisedAt: number }) => {
      await orders.step(id, 'try-again');
      await orders.passUntil(promisedAt + 10 * MINUTE_MS);
      await orders.step(id, 'delivered');
      await orders.settle(promisedAt);
      return orders.missed(id);
    };

    test('is not paid for when nobody opened in the window of the return, and a photo says so', async () => {
      const order = await atDoor();
      await orders.failDrop(order.id);
      expect(await tryAgainLate(order)).toMatchObject({ state: 'unpaid', reason: 'not-home' });
    });

    test('is paid for when the failure was a mistake that was corrected', async () => {
      const { id, promisedAt } = await atDoor();
      await orders.failDrop(id);
      await orders.step(id, 'correct');
      await orders.passUntil(promisedAt + 10 * MINUTE_MS);
      await orders.step(id, 'delivered');
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'paid', liable: 'duber' });
    });

    test('is paid for when the Duber came before the window, in which nobody has to be at home', async () => {
      const order = await atDoor({ before: HOUR_MS });
      await orders.failDrop(order.id);
      expect(await tryAgainLate(order)).toMatchObject({ state: 'paid', liable: 'duber' });
    });

    test('is paid for when the Duber only said so, and brought the laundry hours later', async () => {
      const { id, promisedAt } = await atDoor();
      await orders.passUntil(promisedAt + 30 * MINUTE_MS);
      await orders.step(id, 'delivered');
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'paid', liable: 'duber' });
    });

    test('is not paid for when the Bud took the laundry while the Duber waited', async () => {
      const { id, promisedAt, ...order } = await orders.accept();
      await orders.bring(id, order);
      await orders.wash(id);
      await orders.passUntil(promisedAt - 3 * MINUTE_MS);
      await orders.bringHome(id, 'way-to-drop');
      await orders.passUntil(promisedAt - MINUTE_MS);
      await orders.arrive(id);
      await orders.passUntil(promisedAt + MINUTE_MS);
      await orders.step(id, 'delivered');
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', reason: 'not-home' });
    });
  });

  describe('of a town', () => {
    test('costs the town at most its own fee, so that friends who are late on purpose earn nothing', async () => {
      await orders.setCredit('town');
      const { id, promisedAt } = await missedByScrub();
      const fee = await orders.feeOf(id);
      expect(fee).toBeLessThan(CREDIT);
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'paid', liable: 'platform', cents: fee });
      expect(await orders.casesOf(id)).not.toContainEqual(expect.objectContaining({ kind: 'refund' }));
    });

    test('costs the town no more than what earlier refunds have left of its fee', async () => {
      await orders.setCredit('town');
      const { id, promisedAt } = await missedByScrub();
      const fee = await orders.feeOf(id);
      const refund = { orderId: id, amount: 100, liable: 'platform', reason: 'a stain' } as const;
      expect(await requestRefund(orders.context, refund)).toMatchObject({ ok: true });
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'paid', cents: fee - 100 });
    });

    test('costs the town nothing where a promo code has paid its fee', async () => {
      await orders.setCredit('town');
      const { code } = await createPromo(orders.context, { value: 600 });
      const { id, promisedAt } = await missedByScrub({ promoCode: code });
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', reason: 'nothing-left' });
    });

    test('owes nothing where it does not pay for that, and everybody is told all the same', async () => {
      await orders.setCredit(null);
      const { id } = await missedByScrub();
      expect(await orders.missed(id)).toBeUndefined();
      expect(await orders.notices(id)).toEqual(expect.arrayContaining(['promise-missed Bud', 'promise-missed Scrub']));
    });

    test('is what the town had promised when the order was placed, whatever it sets later', async () => {
      orders.pass(MINUTE_MS);
      await orders.setCredit(null);
      const before = await orders.accept();
      orders.pass(MINUTE_MS);
      await orders.setCredit('holder');
      const after = await orders.accept();
      await orders.bring(before.id, before);
      await orders.carry(after.id, ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered']);
      await orders.setCredit(null);
      await orders.settle(after.promisedAt);
      expect(await orders.missed(before.id)).toBeUndefined();
      expect(await orders.missed(after.id)).toMatchObject({ state: 'paid', liable: 'scrub', cents: CREDIT });
    });
  });

  describe('of an order that the town cancels', () => {
    const cancel = (id: string) => orders.asTown('cancel-by-operator', id, { reason: 'nobody-can', wayHome: 'fetch' });

    test('owes nothing more once the credit was owed: the money goes back anyway', async () => {
      const { id, promisedAt } = await missedByScrub();
      await cancel(id);
      expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', reason: 'cancelled' });
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toMatchObject({ state: 'unpaid', refund_id: null });
    });

    test('owes nothing when the timer has not run yet', async () => {
      const { id, promisedAt, ...order } = await orders.accept();
      await orders.bring(id, order);
      await orders.press('start-order', id);
      orders.pass(promisedAt + HOUR_MS - orders.now());
      await cancel(id);
      await orders.settle(promisedAt);
      expect(await orders.missed(id)).toBeUndefined();
    });
  });

  describe('and the one who pays', () => {
    const refundCase = async (id: string) =>
      (await orders.casesOf(id)).find(({ kind: of }) => of === 'refund') ?? expect.fail('there is no case');
    /** What the refunds of an order have taken from a side, in cents. */
    const borne = (id: string) => orders.earned(id);

    test('contests it once; the town decides, and bears what it upholds', async () => {
      const { id, promisedAt } = await missedByScrub();
      orders.pass(10 * MINUTE_MS);
      await orders.press('complete-order', id);
      await orders.bringHome(id);
      await orders.runPayments();
      const earnedBefore = await borne(id);
      const paidBefore = orders.paid(id);
      await orders.settle(promisedAt);
      const { scrub: earned } = await borne(id);
      expect(earned).toBeLessThan(earnedBefore.scrub ?? 0);
      const found = await refundCase(id);
      expect(found.about).toBe(orders.scrub().id);
      expect((await orders.readCase(orders.scrub(), found.id)).actions).toContain('contest');
      await expect(orders.contest(orders.duber(), found.id)).rejects.toThrow();
      expect(await orders.contest(orders.scrub(), found.id)).toMatchObject({ status: 'with-town' });
      expect(await orders.decide(found.id, CREDIT, 'platform')).toMatchObject({ ok: true });
      await orders.settle(promisedAt + HOUR_MS);
      expect((await borne(id)).scrub).toBe(earnedBefore.scrub);
      expect(orders.paid(id)).toBe(paidBefore - CREDIT);
      await expect(orders.contest(orders.scrub(), found.id)).rejects.toThrow();
    });

    test('still pays when the town decides against them', async () => {
      const { id, promisedAt } = await missedByScrub();
      orders.pass(10 * MINUTE_MS);
      await orders.press('complete-order', id);
      await orders.bringHome(id);
      await orders.settle(promisedAt);
      const before = [await borne(id), orders.paid(id)];
      const found = await refundCase(id);
      await orders.contest(orders.scrub(), found.id);
      expect(await orders.decide(found.id, CREDIT, 'scrub')).toMatchObject({ ok: true });
      await orders.settle(promisedAt + HOUR_MS);
      expect([await borne(id), orders.paid(id)]).toEqual(before);
    });
  });

  describe('is told', () => {
    /** What a person reads in the mail about an order; why it is not sent. */
    const textOf = async (of: 'promise-near' | 'promise-missed', id: string, { id: userId, role }: Caller) => {
      const notice = { kind: of, about: id, userId } as unknown as DueNotification;
      const content = await composeNotification(orders.context.db, notice, role, orders.context.now());
      return 'lines' in content ? [content.title, content.path, ...content.lines].join(' | ') : content;
    };
    /** A Duber has had the laundry since before the promised time. */
    const onTheWay = async () => {
      const { id, promisedAt, ...order } = await orders.accept();
      await orders.bring(id, order);
      await orders.wash(id);
      await orders.bringHome(id, 'way-to-drop');
      return { id, promisedAt };
    };

    test('to the Duber who has the laundry, before and after', async () => {
      const { id, promisedAt } = await onTheWay();
      await orders.passUntil(promisedAt - 30 * MINUTE_MS);
      const { duber, scrub } = orders;
      expect(await textOf('promise-near', id, duber())).toMatch(/^A delivery is due \| \/duber\/deliveries\//);
      expect(await textOf('promise-near', id, scrub())).toEqual({ dropped: 'it went on before this was sent' });
      await orders.passUntil(promisedAt);
      expect(await orders.notices(id)).toContain('promise-missed Duber');
      expect(await textOf('promise-missed', id, duber())).toContain('Who had the laundry then bears it');
      await orders.step(id, 'delivered');
      expect(await textOf('promise-missed', id, duber())).toEqual({ dropped: 'it went on before this was sent' });
    });

    test('to the Duber who has accepted the way back and has not come yet', async () => {
      const { id, promisedAt, ...order } = await orders.accept();
      await orders.bring(id, order);
      await orders.wash(id);
      await orders.bringHome(id, 'accept-delivery');
      await orders.passUntil(promisedAt);
      expect(await orders.notices(id)).toContain('promise-missed Duber');
      expect(await textOf('promise-missed', id, orders.duber())).toMatch(/^A delivery is late \| \/duber/);
      await orders.carry(id, ['way-to-pickup', 'collected', 'way-to-drop', 'delivered']);
    });

    test('to the Bud whose laundry never left, although its Scrub says that it is done and the town pays nothing', async () => {
      await orders.setCredit(null);
      const { id, promisedAt } = await orders.accept();
      await orders.wash(id);
      await orders.passUntil(promisedAt);
      expect(await textOf('promise-missed', id, orders.bud)).toMatch(/^Your laundry is late/);
    });

    test('without a word about who can contest it where the town bears it', async () => {
      await orders.setCredit('town');
      const { id } = await missedByScrub();
      const text = await textOf('promise-missed', id, orders.scrub());
      expect(text).toContain('The town bears it.');
      expect(text).not.toContain('contest');
      expect(await textOf('promise-missed', id, orders.bud)).not.toContain('contest');
    });

    test('once more to a Bud to whom nothing goes back, and not to one who reads of the refund anyway', async () => {
      const { id, promisedAt, pickup } = await orders.accept();
      await orders.passUntil(pickup.until.getTime() + MINUTE_MS);
      await orders.bringHome(id);
      await orders.passUntil(promisedAt);
      expect(await textOf('promise-missed', id, orders.bud)).toContain('unless you gave the laundry away late');
      await orders.settle(promisedAt);
      const [last] = await orders.context.db
        .selectFrom('notifications')
        .select(['user_id', 'created_at'])
        .where('about', '=', id)
        .where('kind', '=', 'promise-missed')
        .execute();
      expect(last?.user_id).toBe(orders.bud.id);
      expect(last?.created_at.getTime()).toBeGreaterThan(promisedAt + 24 * HOUR_MS);
      const text = await textOf('promise-missed', id, orders.bud);
      expect(text).toMatch(/^Nothing goes back for the late return/);
      expect(text).toContain('the laundry left you later than agreed');
      const paid = await missedByScrub();
      await orders.settle(paid.promisedAt);
      expect(await textOf('promise-missed', paid.id, orders.bud)).toHaveProperty('dropped');
    });

    test('on the pages of both sides, with the times and who had the laundry', async () => {
      const { id, promisedAt } = await onTheWay();
      await orders.passUntil(promisedAt);
      const missed = { amount: CREDIT / 100, promisedAt: new Date(promisedAt).toISOString(), borneBy: 'holder' };
      expect((await orders.readAsScrub(id))?.missedPromise).toEqual({ ...missed, state: 'owed' });
      orders.pass(20 * MINUTE_MS);
      await orders.step(id, 'delivered');
      const backAt = orders.context.now().toISOString();
      await orders.settle(promisedAt);
      expect((await orders.readAsScrub(id))?.missedPromise).toEqual({
        ...{ ...missed, state: 'paid', backAt, holder: 'Duber' },
      });
    });
  });

  test('moves with the windows of the order', async () => {
    const { id, promisedAt } = await orders.accept();
    const returnFrom = windowAt(orders.context.now(), 4, 17).from.toISOString();
    await orders.change('move-window', id, { returnFrom });
    await orders.passUntil(promisedAt + HOUR_MS);
    expect(await orders.missed(id)).toBeUndefined();
    await orders.passUntil(Date.parse(returnFrom) + 2 * HOUR_MS);
    expect((await orders.missed(id))?.state).toBe('owed');
  });

  describe('and a request that no Scrub has accepted', () => {
    const statusOf = async (id: string) => (await orders.stateOf(id)).status;

    test('ends when its window begins', async () => {
      const first = windowAt(orders.context.now(), 1, 8);
      const times = { pickupFrom: first.from.toISOString() };
      const returnFrom = windowAt(first.from, 1, 17).from.toISOString();
      const id = await orders.place({ ...times, returnFrom });
      await orders.passUntil(first.from.getTime() - MINUTE_MS);
      expect(await statusOf(id)).toBe('Requested');
      await orders.passUntil(first.from.getTime() + MINUTE_MS);
      expect(await statusOf(id)).toBe('Cancelled');
    });

    const timesIn = (days: number) => {
      const [pickup, back] = [windowAt(orders.context.now(), days, 17), windowAt(orders.context.now(), days + 2, 17)];
      return { pickupFrom: pickup.from.toISOString(), returnFrom: back.from.toISOString() };
    };
    /** An order that its Scrub gives back so long before the pickup, and for which the Bud chooses another Scrub. */
    const askSecond = async (days: number, hoursBefore: number) => {
      const times = timesIn(days);
      const id = await orders.harness.createOrder('Accepted', times);
      const pickupFrom = Date.parse(times.pickupFrom);
      await orders.passUntil(pickupFrom - hoursBefore * HOUR_MS);
      await orders.change('give-back', id, { reason: 'ill' });
      await orders.change('choose-scrub', id, { scrubId: orders.scrub(1).id });
      return { id, pickupFrom, askedAt: orders.now() };
    };

    test('gives the second Scrub their 24 hours, also when the Bud moves the order meanwhile', async () => {
      const { id, askedAt } = await askSecond(5, 60);
      await orders.change('move-window', id, timesIn(5));
      await orders.passUntil(askedAt + 24 * HOUR_MS - MINUTE_MS);
      expect(await statusOf(id)).toBe('Requested');
      await orders.passUntil(askedAt + 24 * HOUR_MS + MINUTE_MS);
      expect(await statusOf(id)).toBe('Cancelled');
    });

    test('of a second Scrub ends when the window begins, too', async () => {
      const { id, pickupFrom } = await askSecond(1, 10);
      await orders.passUntil(pickupFrom - MINUTE_MS);
      expect(await statusOf(id)).toBe('Requested');
      await orders.passUntil(pickupFrom + MINUTE_MS);
      expect(await statusOf(id)).toBe('Cancelled');
    });
  });
});
