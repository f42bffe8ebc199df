import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallFailed } from '../../contract/callClient.ts';
import type { Order } from '../../contract/orders.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { firstAddressId, orderBody, placeOrder } from '../../testing/orderSteps.ts';
import { createPromo } from '../../testing/promos.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import type { NewPromo } from './promos.sql.ts';
import { findPromo } from './promos.sql.ts';

const [TOTAL, OFF] = [26.83, 5];

describe.each(RULE_DATABASES)('promo codes, on %s', (kind) => {
  let testServer: TestServer;
  let scrub: TestUser;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    scrub = await testServer.createUser('Scrub', { north: 500 });
  });
  afterAll(() => testServer?.close());

  let buds = 0;
  /** With a phone of their own. */
  const createBud = async (phone = `+1202555${String(1000 + buds)}`) => {
    buds += 1;
    const bud = await testServer.createUser('Bud');
    await bud.api.updateProfile({ body: { fullname: 'Ada Byron', phone } });
    return bud;
  };
  const create = async (terms: Partial<NewPromo> = {}) => (await createPromo(testServer, terms)).code;
  const check = (bud: TestUser, code: string, more: object = {}) =>
    bud.api.checkPromo({ body: { code, loadSize: 'Medium', ...more } });
  const place = (bud: TestUser, promoCode: string, more: object = {}) =>
    placeOrder({ bud, scrub }, { promoCode, paymentSourceId: `cnon:own-card-${bud.user.id}`, ...more });
  const usesOf = async (code: string) => (await findPromo(testServer.server.db, code))?.uses;
  const failureOf = async (failing: Promise<unknown>): Promise<CallFailed> =>
    failing.then(
      () => expect.unreachable('the call should have failed'),
      (error: CallFailed) => error,
    );
  const codeOf = async (failing: Promise<unknown>) => (await failureOf(failing)).code;
  const cancel = (bud: TestUser, { id }: Pick<Order, 'id'>) => bud.api['cancel-order']({ params: { id } });

  test('a Bud sees what a code takes off, and pays that much less', async () => {
    const bud = await createBud();
    const code = await create();
    const budAddressId = firstAddressId(bud);
    const typed = ` ${code.toLowerCase()} `;
    expect(await check(bud, typed, { budAddressId })).toEqual({ code, discount: OFF, total: TOTAL - OFF });
    const order = await place(bud, typed, { shownTotal: TOTAL - OFF });
    expect(order.price.totalPrice).toBe(TOTAL);
    expect(order.promo).toEqual({ code, discount: OFF });
    const { movements } = await bud.api.readReceipt({ params: { id: order.id } });
    expect(movements).toMatchObject([{ kind: 'held', amount: TOTAL - OFF }]);
    const mail = await testServer.waitForMail(bud.user.email, 'is placed');
    expect(mail.text).toContain(`We hold $${(TOTAL - OFF).toFixed(2)} on your card`);
    expect(mail.text).toContain(`Promo ${code}`);
    // What a Scrub earns does not depend on it, so they do not read it.
    expect(await scrub.api.readOrder({ params: { id: order.id } })).not.toHaveProperty('promo');
    expect(await usesOf(code)).toBe(1);
  });

  test('an order without a code is as before', async () => {
    const bud = await createBud();
    const order = await placeOrder({ bud, scrub });
    expect(order).not.toHaveProperty('promo');
    expect((await bud.api.readReceipt({ params: { id: order.id } })).movements).toMatchObject([{ amount: TOTAL }]);
  });

  test('nobody pays what they have not seen: another total is refused, and takes no use', async () => {
    const bud = await createBud();
    const code = await create({ maxUses: 1 });
    expect(await codeOf(place(bud, code, { shownTotal: TOTAL }))).toBe('priceChanged');
    expect(await usesOf(code)).toBe(0);
    expect((await place(bud, code, { shownTotal: TOTAL - OFF })).promo?.discount).toBe(OFF);
  });

  test('a code says why it takes nothing off, when it is checked and when an order is placed', async () => {
    const bud = await createBud();
    const ordered = await createBud();
    await placeOrder({ bud: ordered, scrub });
    const now = testServer.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    const cases = [
      [bud, 'promoUnknown', 'NO-SUCH-CODE'],
      [bud, 'promoUnknown', await create({ startsAt: later(HOUR_MS) })],
      [bud, 'promoOver', await create({ startsAt: later(-HOUR_MS), endsAt: now })],
      [bud, 'promoTotalTooLow', await create({ minTotal: 2684 })],
      [ordered, 'promoFirstOrder', await create({ firstOrderOnly: true })],
    ] as const;
    for (const [who, why, code] of cases) {
      expect(await codeOf(check(who, code))).toBe(why);
      expect(await codeOf(place(who, code))).toBe(why);
    }
    expect((await failureOf(check(bud, 'ÄÖ'))).statusCode).toBe(400);
  });

  test('a code has as many uses as it says, for all and for each Bud, and a cancelled order gives its use back', async () => {
    const [ada, bea] = [await createBud(), await createBud()];
    const code = await create({ maxUses: 2, maxUsesPerBud: 1 });
    const first = await place(ada, code);
    expect(await codeOf(place(ada, code))).toBe('promoUsedByYou');
    await place(bea, code);
    expect(await codeOf(place(await createBud(), code))).toBe('promoUsedUp');
    await cancel(ada, first);
    expect(await usesOf(code)).toBe(1);
    await place(ada, code);
    expect(await usesOf(code)).toBe(2);
  });

  test('a declined card gives its use back, and so does a rejected order', async () => {
    const bud = await createBud();
    const code = await create({ maxUses: 1 });
    expect(await codeOf(place(bud, code, { paymentSourceId: 'cnon:card-nonce-declined' }))).toBe('cardDeclined');
    expect(await usesOf(code)).toBe(0);
    const rejected = await place(bud, code);
    await scrub.api['reject-order']({ params: { id: rejected.id } });
    expect(await usesOf(code)).toBe(0);
  });

  test('an order that was charged keeps its use when it is cancelled afterwards', async () => {
    const bud = await createBud();
    const code = await create({ maxUsesPerBud: 1 });
    const { id } = await place(bud, code);
    await scrub.api['accept-order']({ params: { id } });
    await waitFor(async () => {
      const { movements } = await bud.api.readReceipt({ params: { id } });
      expect(movements.at(-1)).toMatchObject({ kind: 'charged', amount: TOTAL - OFF });
    });
    await bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
    expect(await codeOf(place(bud, code))).toBe('promoUsedByYou');
  });

  test('a request that is sent again with its key uses a code once', async () => {
    const bud = await createBud();
    const code = await create();
    const request = { body: { ...orderBody({ bud, scrub }), promoCode: code }, idempotencyKey: newId() };
    const orders = await Promise.all([bud.api.placeOrder(request), bud.api.placeOrder(request)]);
    expect(orders[0]?.id).toBe(orders[1]?.id);
    expect(await usesOf(code)).toBe(1);
    const other = { ...request, body: { ...request.body, promoCode: await create() } };
    expect(await codeOf(bud.api.placeOrder(other))).toBe('keyReused');
  });

  test('a code for first orders is for one account of a phone', async () => {
    const code = await create({ firstOrderOnly: true });
    const phone = '+12025550177';
    const [ada, twin, bea] = [await createBud(phone), await createBud(phone), await createBud()];
    const order = await place(ada, code);
    expect(await codeOf(place(twin, code))).toBe('promoFirstOrder');
    expect((await place(bea, code)).promo?.code).toBe(code);
    await cancel(ada, order);
    expect((await place(twin, code)).promo?.code).toBe(code);
    expect(await usesOf(code)).toBe(2);
  });

  test('a card that cannot be told from others pays with no code for first orders, and the use is given back', async () => {
    const bud = await createBud();
    const code = await create({ firstOrderOnly: true });
    for (const paymentSourceId of ['cnon:gift-card-nonce-ok', 'cnon:card-nonce-ok']) {
      const refused = await failureOf(place(bud, code, { paymentSourceId }));
      expect([refused.code, refused.message]).toEqual([
        'promoFirstOrder',
        expect.stringMatching(/credit or debit card/),
      ]);
      await waitFor(async () => expect(await usesOf(code)).toBe(0));
    }
    expect((await place(bud, code)).promo?.code).toBe(code);
    const other = await create();
    expect((await place(bud, other, { paymentSourceId: 'cnon:gift-card-nonce-ok' })).promo?.code).toBe(other);
  });

  test('an operator who ends a code keeps nobody from what they have ordered', async () => {
    const bud = await createBud();
    const code = await create({ maxUses: 5 });
    const { id } = await place(bud, code);
    await testServer.server.db
      .updateTable('promos')
      .set({ ended_at: testServer.now() })
      .where('code', '=', code)
      .execute();
    expect(await codeOf(check(bud, code))).toBe('promoOver');
    expect((await bud.api.readOrder({ params: { id } })).promo).toEqual({ code, discount: OFF });
  });

  test('guessing codes has to wait after ten, with the right one too', async () => {
    const bud = await createBud();
    const code = await create();
    for (let guess = 0; guess < 10; guess += 1) expect(await codeOf(check(bud, `GUESS-${guess}`))).toBe('promoUnknown');
    const failure = await failureOf(check(bud, code));
    expect([failure.statusCode, failure.code]).toEqual([429, 'tooManyCodes']);
    expect(await codeOf(place(bud, code))).toBe('tooManyCodes');
    expect((await check(await createBud(), code)).discount).toBe(OFF);
    testServer.advanceClock(60_000);
    expect((await check(bud, code)).discount).toBe(OFF);
  });

  test('of thirty guesses at once, ten are answered', async () => {
    const bud = await createBud();
    const code = await create();
    const guesses = Array.from({ length: 30 }, (_, n) => codeOf(check(bud, `AT-ONCE-${n}`)));
    const answers = await Promise.all(guesses);
    expect(answers.filter((one) => one === 'promoUnknown')).toHaveLength(10);
    expect(answers.filter((one) => one === 'tooManyCodes')).toHaveLength(20);
    expect(await codeOf(check(bud, code))).toBe('tooManyCodes');
  });

  test.runIf(kind === 'postgres')(
    'of two codes for first orders at once, one account and one phone get one',
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const phone = `+1202556${String(1000 + round)}`;
        const [ada, twin] = [await createBud(phone), await createBud(phone)];
        const codes = await Promise.all(Array.from({ length: 4 }, () => create({ firstOrderOnly: true })));
        const placed = await Promise.allSettled(codes.map((code, n) => place(n % 2 === 0 ? ada : twin, code)));
        expect(placed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    },
  );

  test.runIf(kind === 'postgres')('of eight who use the last three uses at once, three get them', async () => {
    for (let round = 0; round < 3; round += 1) {
      const code = await create({ maxUses: 3 });
      const buds = await Promise.all(Array.from({ length: 8 }, () => createBud()));
      const placed = await Promise.allSettled(buds.map((bud) => place(bud, code)));
      const failures = await Promise.all(
        placed
          .filter(({ status }) => status === 'rejected')
          .map(async (one) => (one as PromiseRejectedResult).reason.code),
      );
      expect(failures).toEqual(Array.from({ length: 5 }, () => 'promoUsedUp'));
      expect(await usesOf(code)).toBe(3);
    }
  });

  test.runIf(kind === 'postgres')('a Bud who uses their last use eight times at once gets it once', async () => {
    for (const terms of [{ maxUsesPerBud: 1 }, { firstOrderOnly: true }]) {
      const [bud, code] = [await createBud(), await create(terms)];
      const placed = await Promise.allSettled(Array.from({ length: 8 }, () => place(bud, code)));
      expect(placed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await usesOf(code)).toBe(1);
    }
  });
});
