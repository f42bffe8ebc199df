import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { parseSerializedJson } from '../../db/json.sql.ts';
import { Refusal } from '../../http/refusals.ts';
import { orderHandlers } from '../../orders/orders.ts';

type Bud = PaymentHarness['users']['buds'][number];
const START = Date.parse('2026-11-18T12:00:00Z');
const MINUTE_S = 60;
const HOUR_S = 3_600;

describe.each(RULE_DATABASES)('the limits on placing orders on %s', (kind) => {
  let harness: PaymentHarness;
  let tries: string[] = [];
  const released: (string | null)[] = [];
  let seconds = 0;

  const together = Promise.withResolvers<void>();
  let waiting = 0;
  const waitForThree = () => {
    waiting += 1;
    if (waiting === 3) together.resolve();
    return together.promise;
  };

  beforeAll(async () => {
    const accepting = createAcceptingCards();
    // The card's token is its number and, behind a dash, whether it is declined.
    harness = await openPaymentHarness(kind, {
      ...accepting,
      hold: async (request) => {
        const [cardFingerprint = ''] = request.sourceId.split(/-(?=ok$|declined$)/);
        tries.push(cardFingerprint);
        if (cardFingerprint === 'together') await waitForThree();
        if (request.sourceId.endsWith('-declined')) {
          return { kind: 'declined', reason: 'The card was declined.', code: 'GENERIC_DECLINE', cardFingerprint };
        }
        const hold = await accepting.hold(request);
        return hold.kind === 'held' ? { ...hold, cardFingerprint } : hold;
      },
      release: async (payment) => {
        released.push(payment.squareId);
        return accepting.release(payment);
      },
    });
  });
  afterAll(() => harness?.close());

  const wait = (more: number) => {
    seconds += more;
    harness.setClock(new Date(START + seconds * 1000).toISOString());
  };
  type Placing = { card?: string; key?: string; from?: string; scale?: number };
  let cardNumber = 0;
  async function place(bud: Bud | undefined, { card, key, from = '127.0.0.1', scale = 1_000 }: Placing = {}) {
    cardNumber += 1;
    const body = {
      budAddressId: bud?.addressId,
      scrubId: harness.users.scrubs[0]?.id,
      loadSize: 'Medium',
      paymentSourceId: card ?? `card${cardNumber}-ok`,
      selfDelivery: false,
      selfPickup: false,
    };
    const context = { ...harness.context, config: { ...harness.context.config, rateLimitScale: scale } };
    try {
      const request = { caller: bud, body, idempotencyKey: key ?? newId(), from };
      return parseSerializedJson(await orderHandlers(context).placeOrder(request as never));
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }
  const step = (action: 'accept-order' | 'cancel-order', caller: unknown, id: string) =>
    orderHandlers(harness.context)[action]({ caller, params: { id } } as never);
  const cancel = (bud: Bud | undefined, order: unknown) => step('cancel-order', bud, (order as { id: string }).id);
  const declined = () => `card${cardNumber + 1}-declined`;
  const refusalOf = (result: unknown) =>
    result instanceof Refusal ? [result.failure, result.message, result.retryAfter] : ['none'];

  test('the card network sees only a few of many simultaneous declined cards of one account, and then few after each growing wait', async () => {
    const [bud] = harness.users.buds;
    tries = [];
    const first = await Promise.all(
      Array.from({ length: 40 }, (_, index) => place(bud, { card: `c${index}-declined` })),
    );
    // Fifteen, and those that were at the card network at the same time as the fifteenth.
    expect(tries.length).toBeGreaterThanOrEqual(15);
    expect(tries.length).toBeLessThanOrEqual(17);
    expect(first.filter((one) => refusalOf(one)[0] === 'cardDeclined')).toHaveLength(tries.length);
    const refused = first.filter((one) => refusalOf(one)[0] !== 'cardDeclined').map(refusalOf);
    const words = ['tooManyDeclines', 'Too many declined cards. Please wait 1 minute and try again', 60];
    expect(refused).toEqual(refused.map(() => words));
    for (const waitS of [60, 120, 240]) {
      wait(waitS - 1);
      expect(refusalOf(await place(bud))[0]).toBe('tooManyDeclines');
      wait(1);
      expect(refusalOf(await place(bud, { card: declined() }))[0]).toBe('cardDeclined');
      const parallel = await Promise.all([1, 2, 3].map(() => place(bud, { card: declined() })));
      expect(parallel.map((one) => refusalOf(one)[0])).toEqual(parallel.map(() => 'tooManyDeclines'));
    }
    wait(8 * MINUTE_S);
    // A card that is not declined neither counts nor makes the next order wait.
    for (const order of [await place(bud), await place(bud)]) {
      expect(order).toMatchObject({ status: 'Requested' });
      await cancel(bud, order);
    }
    wait(24 * HOUR_S);
    for (let count = 0; count < 15; count += 1) {
      expect(refusalOf(await place(bud, { card: declined() }))[0]).toBe('cardDeclined');
    }
  });

  test('a request that repeats an Idempotency-Key counts no second time and is not refused', async () => {
    const [, bud] = harness.users.buds;
    const order = await place(bud, { key: 'kept' });
    for (let count = 0; count < 15; count += 1) await place(bud, { card: declined() });
    expect(refusalOf(await place(bud))[0]).toBe('tooManyDeclines');
    expect(await place(bud, { key: 'kept' })).toEqual(order);
    wait(24 * HOUR_S);
    // All three ask the card network before it answers one of them.
    const same = await Promise.all([1, 2, 3].map(() => place(bud, { key: 'same', card: 'together-declined' })));
    const others: Awaited<ReturnType<typeof place>>[] = [];
    for (let count = 0; count < 14; count += 1) others.push(await place(bud, { card: declined() }));
    const results = [...same, ...others];
    expect(results.map((one) => refusalOf(one)[0])).toEqual(Array(17).fill('cardDeclined'));
    expect(refusalOf(await place(bud))[0]).toBe('tooManyDeclines');
    await cancel(bud, order);
  });

  test('requests that repeat the keys of others do not get around the limit', async () => {
    wait(24 * HOUR_S);
    const [, bud] = harness.users.buds;
    tries = [];
    const keys = Array.from({ length: 40 }, () => newId());
    await Promise.all(keys.flatMap((key) => [1, 2].map(() => place(bud, { key, card: `${key}-declined` }))));
    expect(new Set(tries).size).toBeLessThanOrEqual(17);
    for (const key of keys) await place(bud, { key, card: `${key}-declined` });
    expect(new Set(tries).size).toBeLessThanOrEqual(17);
  });

  test('a card that was declined five times is refused for every account, its hold is released, and another card is taken', async () => {
    wait(24 * HOUR_S);
    const [first, second] = harness.users.buds;
    for (let count = 0; count < 5; count += 1) {
      expect(refusalOf(await place(count < 3 ? first : second, { card: 'stolen-declined' }))[0]).toBe('cardDeclined');
    }
    const words = [
      'tooManyDeclines',
      'This card was declined too often. Please wait 1 minute, or use another card',
      60,
    ];
    expect(refusalOf(await place(second, { card: 'stolen-declined' }))).toEqual(words);
    await harness.runPaymentJobs();
    released.length = 0;
    expect(refusalOf(await place(first, { card: 'stolen-ok', key: 'stolen' }))).toEqual(words);
    await harness.runPaymentJobs();
    expect(released).toHaveLength(1);
    const other = await place(first, { key: 'stolen' });
    expect(other).toMatchObject({ status: 'Requested' });
    wait(MINUTE_S);
    const later = await place(first, { card: 'stolen-ok' });
    expect(later).toMatchObject({ status: 'Requested' });
    for (const order of [other, later]) await cancel(first, order);
  });

  test('a network may have a hundred declines in all accounts together, times RATE_LIMIT_SCALE', async () => {
    wait(24 * HOUR_S);
    const { buds } = harness.users;
    const from = '198.51.100.7';
    for (let count = 0; count < 4; count += 1) {
      const result = await place(buds[count % 3], { card: declined(), from, scale: 0.04 });
      expect(refusalOf(result)[0]).toBe('cardDeclined');
    }
    expect(refusalOf(await place(buds[0], { from, scale: 0.04 }))[0]).toBe('tooManyDeclines');
    const elsewhere = await place(buds[0], { from: '198.51.100.8', scale: 0.04 });
    expect(elsewhere).toMatchObject({ status: 'Requested' });
    await cancel(buds[0], elsewhere);
  });

  test('many orders can be placed at once, also with one key, and thirty of them cancelled', async () => {
    wait(24 * HOUR_S);
    const [, , bud] = harness.users.buds;
    const orders = await Promise.all(Array.from({ length: 35 }, () => place(bud)));
    expect(orders.filter((one) => one instanceof Refusal)).toEqual([]);
    const same = await Promise.all(Array.from({ length: 20 }, () => place(bud, { key: 'at-once', card: 'one-ok' })));
    expect(same).toEqual(same.map(() => same[0]));
    for (const order of orders.slice(0, 29)) await cancel(bud, order);
    orders.push(await place(bud));
    for (const order of orders.slice(29)) await cancel(bud, order);
    const message = 'You have cancelled many orders. Please wait 1 minute and try again';
    expect(refusalOf(await place(bud))).toEqual(['tooManyOrders', message, 60]);
    wait(MINUTE_S);
    const order = await place(bud);
    expect(order).toMatchObject({ status: 'Requested' });
    await cancel(bud, order);
    expect(refusalOf(await place(bud))[2]).toBe(120);
  });

  test('two hundred orders can wait for a Scrub, and accepted ones do not count', async () => {
    wait(24 * HOUR_S);
    const [, , bud] = harness.users.buds;
    const [scrub] = harness.users.scrubs;
    const accepted = (await place(bud)) as { id: string };
    await step('accept-order', scrub, accepted.id);
    // The clock of another server may be behind.
    wait(-1);
    const early = (await place(bud)) as { id: string };
    await step('accept-order', scrub, early.id);
    wait(1);
    const orders = await Promise.all(Array.from({ length: 200 }, () => place(bud)));
    expect(orders.filter((one) => one instanceof Refusal)).toEqual([]);
    const message = 'You have placed many orders that no Scrub has accepted. Please wait 1 minute and try again';
    expect(refusalOf(await place(bud))).toEqual(['tooManyOrders', message, 60]);
  });
});
