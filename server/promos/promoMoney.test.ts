import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEarningTests } from '../../testing/earningTests.ts';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { createPromo } from '../../testing/promos.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { priceOf, setPrice, WAYS } from '../../testing/weighedOrders.ts';
import { queryRow } from '../db/database.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { orderExceptionHandlers } from '../orders/orderExceptions.ts';
import { orderHandlers } from '../orders/orders.ts';
import type { Cards } from '../payments/card/cards.ts';
import { dropRefund } from '../payments/refunds/dropRefund.ts';
import { requestRefund } from '../payments/refunds/refunds.ts';
import { setPolicy } from '../town/policies.sql.ts';

const [TOTAL, FEE, OFF] = [2683, 599, 500];
const CARD = TOTAL - OFF;
/** What everybody has earned of a Medium, with or without a code. */
const EARNED = { scrub: -1250, duber: -2 * FEE, 'platform-revenue': -125, 'taxes-payable': -110 };

describe.each(RULE_DATABASES)('the money of orders with a promo code, on %s', (kind) => {
  let harness: PaymentHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  let refundOutcome: 'refunded' | 'refused' = 'refunded';
  const held: number[] = [];
  let cardFingerprint: string | null = null;
  beforeAll(async () => {
    const cards = createAcceptingCards();
    const hold: Cards['hold'] = async (request) => {
      held.push(request.amount);
      const answer = await cards.hold(request);
      return answer.kind === 'held' ? { ...answer, cardFingerprint } : answer;
    };
    const refund: Cards['refund'] = async (asked) =>
      refundOutcome === 'refused' ? { kind: 'refused', reason: 'the account is closed' } : cards.refund(asked);
    harness = await openPaymentHarness(kind, { ...cards, hold, refund });
    earnings = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  const place = async (
    until: 'Requested' | 'Accepted' | 'Completed' | 'Delivered' = 'Accepted',
    terms: object = {},
  ) => {
    const { code } = await createPromo(harness.context, { value: OFF, ...terms });
    const id = await harness.createOrder(until, { promoCode: code });
    await harness.runPaymentJobs();
    return id;
  };
  /** As another Bud, who has not ordered before. */
  const placeAs = async (promoCode: string, index: 1 | 2, more: object = {}) => {
    const bud = harness.users.buds[index];
    const scrubId = harness.users.scrubs[0]?.id;
    const body = { budAddressId: bud?.addressId, scrubId, loadSize: 'Medium', paymentSourceId: 'cnon:ok', promoCode };
    const request = { caller: bud, body: { ...body, selfDelivery: false, selfPickup: false, ...more } };
    const order = await orderHandlers(harness.context).placeOrder({ ...request, from: '127.0.0.1' } as never);
    return { id: parseSerializedJson(order).id, bud };
  };
  const usesOf = async (id: string) =>
    (
      await queryRow<{ uses: number }>(
        harness.context.db,
        sql`select p.uses from promos p join promo_uses u on u.promo_id = p.id where u.order_id = ${id}`,
      )
    )?.uses;
  const refund = async (orderId: string, liable: 'platform' | 'scrub', amount?: number) => {
    const asked = { orderId, liable, reason: 'late', ...(amount === undefined ? {} : { amount }) } as const;
    expect(await requestRefund(harness.context, asked)).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
  };

  test('the card is held and charged less, the platform pays the rest, and everybody earns the same', async () => {
    const id = await place('Requested');
    expect(held.at(-1)).toBe(CARD);
    const accepted = await place('Accepted');
    expect(await earnings.sumsOf(accepted)).toEqual({ 'card-clearing': CARD, promotions: OFF, unearned: -TOTAL });
    const delivered = await place('Delivered');
    expect(await earnings.sumsOf(delivered)).toEqual({ ...EARNED, 'card-clearing': CARD, promotions: OFF });
    for (const one of [id, accepted, delivered]) expect(await earnings.problemsOf(one)).toEqual([]);
  });

  test.each(['platform', 'scrub'] as const)(
    'of a refunded order the card gets back what it paid and no cent more, and nobody gains, when the %s bears it',
    async (liable) => {
      const id = await place('Delivered');
      await refund(id, liable);
      const bearer =
        liable === 'scrub' ? { scrub: -1250 + TOTAL - 110 } : { scrub: -1250, 'refund-costs': TOTAL - 110 };
      const { 'taxes-payable': _back, ...rest } = EARNED;
      expect(await earnings.sumsOf(id)).toEqual({ ...rest, ...bearer });
      expect(await earnings.problemsOf(id)).toEqual([]);
      const again = { orderId: id, liable, reason: 'once more', amount: 1 } as const;
      expect(await requestRefund(harness.context, again)).toMatchObject({ ok: false });
    },
  );

  test('refunds take the share of the code back, and all of it with the last cent', async () => {
    const id = await place('Delivered');
    await refund(id, 'platform', 1000);
    // 1000 of the 2183 cents that the card paid.
    const share = Math.floor((1000 * OFF) / CARD);
    expect(await earnings.sumsOf(id)).toMatchObject({ 'card-clearing': CARD - 1000, promotions: OFF - share });
    await refund(id, 'scrub');
    const sums = await earnings.sumsOf(id);
    expect([sums['card-clearing'], sums.promotions, sums['taxes-payable']]).toEqual([undefined, undefined, undefined]);
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a refund before anybody has earned leaves nothing behind', async () => {
    const id = await place('Accepted');
    await refund(id, 'platform');
    expect(await earnings.sumsOf(id)).toEqual({});
    await earnings.complete(id);
    await earnings.carryAll(id);
    expect(await earnings.sumsOf(id)).toEqual({});
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('an order that is called off gives back the card and the code, and keeps the share of a trip', async () => {
    const { code } = await createPromo(harness.context, { value: OFF });
    const id = await harness.createOrder('Accepted', { promoCode: code });
    await harness.runPaymentJobs();
    const bud = harness.users.buds[0];
    const delivery = await queryRow<{ id: string }>(
      harness.context.db,
      sql`select id from deliveries where order_id = ${id}`,
    );
    await earnings.carry(delivery?.id ?? '', 0, ['accept-delivery', 'way-to-pickup']);
    const handlers = orderExceptionHandlers(harness.context);
    const shown = await handlers.readCancellation({ caller: bud, params: { id } } as never);
    const share = Math.floor((FEE * OFF) / TOTAL);
    expect(shown).toMatchObject({ fee: (FEE - share) / 100, refund: (CARD - FEE + share) / 100 });
    const body = { reason: 'changed-mind', fee: shown.fee };
    await handlers['cancel-accepted']({ caller: bud, params: { id }, body } as never);
    await harness.runPaymentJobs();
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': FEE - share, promotions: share, duber: -FEE });
    expect(await earnings.problemsOf(id)).toEqual([]);
    // The card has paid, so the use counts.
    expect(await usesOf(id)).toBe(1);
  });

  test('money that a card does not take back stays with the platform, and the code is not paid for', async () => {
    const id = await place('Accepted');
    refundOutcome = 'refused';
    await earnings.callOff(id);
    await harness.runPaymentJobs();
    refundOutcome = 'refunded';
    const stuck = await queryRow<{ id: string }>(
      harness.context.db,
      sql`select id from refunds where order_id = ${id} and state = 'stuck'`,
    );
    expect(await dropRefund(harness.context.db, stuck?.id ?? '', harness.context.now())).toBe(true);
    expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': CARD, 'platform-revenue': -CARD });
    expect(await earnings.problemsOf(id)).toEqual([]);
  });

  test('a code for first orders is for one account of a card, and another one may use it once that order is called off', async () => {
    const { code } = await createPromo(harness.context, { firstOrderOnly: true });
    cardFingerprint = 'a card';
    const { id, bud } = await placeAs(code, 1);
    await expect(placeAs(code, 2)).rejects.toThrow('This code is for a first order, and this card has used it before');
    await harness.runPaymentJobs();
    expect(await usesOf(id)).toBe(1);
    await orderHandlers(harness.context)['cancel-order']({ caller: bud, params: { id } } as never);
    await placeAs(code, 2);
    expect(await usesOf(id)).toBe(1);
    cardFingerprint = null;
  });

  describe('that are weighed', () => {
    beforeAll(async () => {
      const { db, now } = harness.context;
      await setPolicy(db, { name: 'weighing', value: 'careful', setBy: 'a test' }, now());
    });
    const placeWeighed = async (terms: object = {}) => {
      const { code } = await createPromo(harness.context, { value: OFF, ...terms });
      return harness.createOrder('Accepted', { promoCode: code, ceilingSize: 'Large' });
    };
    const weigh = async (id: string, price: ReturnType<typeof priceOf>) => {
      await setPrice(harness.context, id, price);
      await harness.runPaymentJobs();
    };
    const [SMALL, LARGE] = [priceOf('Small'), priceOf('Large')];

    test('hold their limit less the code, and are charged less when they weigh less', async () => {
      const id = await placeWeighed();
      expect(held.at(-1)).toBe(LARGE.totalPrice - OFF);
      await weigh(id, SMALL);
      const share = Math.floor((SMALL.totalPrice * OFF) / TOTAL);
      expect(await earnings.sumsOf(id)).toEqual({
        ...{ 'card-clearing': SMALL.totalPrice - share, promotions: share, unearned: -SMALL.totalPrice },
      });
      expect(await earnings.problemsOf(id)).toEqual([]);
    });

    test('cost the platform no more when they weigh more', async () => {
      const id = await placeWeighed({ kind: 'percent', value: 2000 });
      const discount = Math.round(TOTAL * 0.2);
      await weigh(id, LARGE);
      expect(await earnings.sumsOf(id)).toMatchObject({
        ...{ 'card-clearing': LARGE.totalPrice - discount, promotions: discount },
      });
      expect(await earnings.problemsOf(id)).toEqual([]);
    });

    test('give back both shares when a weight is lower than what was charged', async () => {
      const id = await placeWeighed();
      await weigh(id, LARGE);
      await weigh(id, WAYS);
      const share = Math.floor((WAYS.totalPrice * OFF) / LARGE.totalPrice);
      expect(await earnings.sumsOf(id)).toEqual({
        ...{ 'card-clearing': WAYS.totalPrice - share, promotions: share, unearned: -WAYS.totalPrice },
      });
      await refund(id, 'platform');
      expect(await earnings.sumsOf(id)).toEqual({});
      expect(await earnings.problemsOf(id)).toEqual([]);
    });

    test('give the use back when they cost nothing', async () => {
      const id = await placeWeighed();
      const nothing = { ...WAYS, pickup: 0, delivery: 0, totalPrice: 0 };
      await weigh(id, nothing);
      expect(await usesOf(id)).toBe(0);
      expect(await earnings.problemsOf(id)).toEqual([]);
    });

    test('keep the card of their use when the share of a trip is charged after they are called off', async () => {
      const { code } = await createPromo(harness.context, { value: OFF, firstOrderOnly: true });
      cardFingerprint = 'a card of a trip';
      const { id } = await placeAs(code, 1, { ceilingSize: 'Large' });
      cardFingerprint = null;
      const accept = { caller: harness.users.scrubs[0], params: { id } } as never;
      await orderHandlers(harness.context)['accept-order'](accept);
      const delivery = await queryRow<{ id: string }>(
        harness.context.db,
        sql`select id from deliveries where order_id = ${id}`,
      );
      await earnings.pay(delivery?.id ?? '', { kind: 'trip', cents: FEE, borneBy: 'order' });
      await earnings.callOff(id);
      await harness.runPaymentJobs();
      expect(await usesOf(id)).toBe(1);
      const use = sql`select returned_at is null as counts, card is not null as "hasCard" from promo_uses where order_id = ${id}`;
      expect(await queryRow(harness.context.db, use)).toEqual({ counts: true, hasCard: true });
      expect(await earnings.problemsOf(id)).toEqual([]);
    });

    test('are charged the share of a trip when they are called off before', async () => {
      const id = await placeWeighed();
      const delivery = await queryRow<{ id: string }>(
        harness.context.db,
        sql`select id from deliveries where order_id = ${id}`,
      );
      await earnings.pay(delivery?.id ?? '', { kind: 'trip', cents: FEE, borneBy: 'order' });
      const share = Math.floor((FEE * OFF) / TOTAL);
      const { readCancellation } = orderExceptionHandlers(harness.context);
      const shown = await readCancellation({ caller: harness.users.buds[0], params: { id } } as never);
      expect(shown).toMatchObject({ fee: 0, refund: (CARD - FEE + share) / 100 });
      await earnings.callOff(id);
      await harness.runPaymentJobs();
      expect(await earnings.sumsOf(id)).toEqual({ 'card-clearing': FEE - share, promotions: share, duber: -FEE });
      expect(await usesOf(id)).toBe(1);
      expect(await earnings.problemsOf(id)).toEqual([]);
    });
  });
});
