import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

const REASON = 'A new street';

type Promo = Parameters<TestOperator['api']['addPromo']>[0]['body'];

describe.each(RULE_DATABASES)('promo codes of operators, on %s', (kind) => {
  let testServer: TestServer;
  let scrub: TestUser;
  let bud: TestUser;
  let codes = 0;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    [bud, scrub] = [await testServer.createUser('Bud'), await testServer.createUser('Scrub', { north: 500 })];
  });
  afterAll(() => testServer?.close());

  const bodyOf = (more: Partial<Promo> = {}): Promo => {
    codes += 1;
    return { code: `STREET-${codes}`, kind: 'amount', value: 5, maxUses: 10, reason: REASON, ...more };
  };
  const add = async ({ api }: TestOperator, more: Partial<Promo> = {}) => {
    const body = bodyOf(more);
    const { approvalId } = await api.addPromo({ body });
    return { code: body.code.toUpperCase(), approvalId };
  };
  const find = async ({ api }: TestOperator, code: string) =>
    (await api.listPromos({ query: {} })).items.find((promo) => promo.code === code);
  const messageOf = async (failing: Promise<unknown>) => (await expectFailure(failing)).message;

  test('a code that an operator makes works at once, and says what it has cost and who has used it', async () => {
    const ada = await createOperator(testServer);
    const { code, approvalId } = await add(ada, { code: 'street-one', maxUsesPerBud: 1 });
    expect(approvalId).toBeNull();
    const made = await find(ada, code);
    expect(made).toMatchObject({ code: 'STREET-ONE', value: 5, uses: 0, cost: 0, atMost: 50, endsAt: null });
    const order = await placeOrder({ bud, scrub }, { promoCode: code });
    expect(order.promo).toEqual({ code, discount: 5 });
    expect(await find(ada, code)).toMatchObject({ uses: 1, cost: 0 });
    await scrub.api['accept-order']({ params: { id: order.id } });
    await waitFor(async () => expect(await find(ada, code)).toMatchObject({ uses: 1, cost: 5 }));
    const { promo, items, hasMore } = await ada.api.listPromoUses({ params: { id: made?.id ?? '' }, query: {} });
    expect(promo.code).toBe(code);
    expect(hasMore).toBe(false);
    expect(items).toMatchObject([
      { orderId: order.id, orderNumber: order.number, bud: { id: bud.user.id }, discount: 5, cost: 5, counts: true },
    ]);
    const { weeks } = await ada.api.listMoneyWeeks({ query: {} });
    expect(weeks[0]?.promotions).toBeGreaterThanOrEqual(5);
    expect((await ada.api.readTownOrder({ params: { id: order.id } })).promo).toEqual({ code, discount: 5 });
    const [audit] = (await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } })).items;
    expect(audit).toMatchObject({ action: 'addPromo', reason: REASON, details: { code, value: 5 } });
  });

  test('a code that may cost more than the limit of a day needs a second operator', async () => {
    const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    // The limit of a new installation is 150 dollars.
    const large = await add(ada, { maxUses: 31 });
    expect(large.approvalId).not.toBeNull();
    expect(await find(ada, large.code)).toBeUndefined();
    expect(
      (await expectFailure(ada.api.approve({ params: { id: large.approvalId ?? '' }, body: { reason: 'Me' } }))).status,
    ).toBe(403);
    await grace.api.approve({ params: { id: large.approvalId ?? '' }, body: { reason: 'I agree' } });
    expect(await find(ada, large.code)).toMatchObject({ atMost: 155, createdBy: ada.session.operator.fullname });
    for (const unlimited of [{ maxUses: undefined }, { kind: 'percent', value: 10 }] as const)
      expect((await add(grace, unlimited)).approvalId).not.toBeNull();
    expect((await add(grace, { kind: 'percent', value: 100, maxDiscount: 5 })).approvalId).toBeNull();
  });

  test('small codes add up: what one operator puts at stake in a day stays within the limit', async () => {
    const ada = await createOperator(testServer);
    for (let times = 0; times < 3; times += 1) expect((await add(ada)).approvalId).toBeNull();
    const one = { value: 0.01, maxUses: 1 };
    expect((await add(ada, one)).approvalId).not.toBeNull();
    // Another operator has a day of their own.
    expect((await add(await createOperator(testServer), one)).approvalId).toBeNull();
  });

  test('a code that has ended takes nothing off, can end once, and is never made again', async () => {
    const ada = await createOperator(testServer);
    const { code } = await add(ada);
    const id = (await find(ada, code))?.id ?? '';
    const end = () => ada.api.endPromo({ params: { id }, body: { reason: 'Posted on a site for codes' } });
    await end();
    expect((await find(ada, code))?.endedAt).not.toBeNull();
    expect(await messageOf(bud.api.checkPromo({ body: { code, loadSize: 'Medium' } }))).toBe('This code is over');
    expect(await messageOf(end())).toBe(`${code} has ended already`);
    expect(await messageOf(add(ada, { code }))).toBe(`There is or was a code ${code}. Choose another one`);
    const [audit] = (await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } })).items;
    expect(audit).toMatchObject({ action: 'endPromo', details: { code, uses: 0 } });
  });

  test.each<[string, Partial<Promo>]>([
    ['More than 0, and at most 100', { kind: 'percent', value: 100.5 }],
    ['More than 0, and at most 1000', { value: 0 }],
    ['At most 2 decimals', { value: 1.005 }],
    ['Only a percentage has a highest amount', { maxDiscount: 3 }],
    ['From 0 to 1000 dollars', { minTotal: -1 }],
    ['A code has 3 to 20 letters, digits and hyphens', { code: 'TEN %' }],
    ['This day is over', { until: '2020-01-01' }],
    ['The last day is before the first', { from: '2999-01-02', until: '2999-01-01' }],
    ['maxUses must be at least 1', { maxUses: 0 }],
    ['All uses together cost $10000000.00 at most: allow fewer', { value: 1000, maxUses: 1_000_000 }],
    ['Choose a day before the year 3000', { until: '9999-12-31' }],
  ])('"%s" is said of %j', async (words, more) => {
    const ada = await createOperator(testServer);
    expect(await messageOf(add(ada, more))).toBe(words);
  });

  test('a code holds from its first day of the town until its last one is over', async () => {
    const ada = await createOperator(testServer);
    const today = testServer.now().toISOString().slice(0, 10);
    const { code } = await add(ada, { until: today });
    const endsAt = new Date(Date.parse(`${today}T00:00:00Z`) + 24 * HOUR_MS).toISOString();
    expect(await find(ada, code)).toMatchObject({ endsAt });
    const { code: later } = await add(ada, { from: '2999-01-01' });
    expect(await messageOf(bud.api.checkPromo({ body: { code: later, loadSize: 'Medium' } }))).toBe(
      'There is no such code. Please check it',
    );
  });

  test('a first day of long ago is now', async () => {
    const ada = await createOperator(testServer);
    const { code } = await add(ada, { from: '0001-01-01' });
    expect(Date.parse((await find(ada, code))?.startsAt ?? '')).toBeLessThanOrEqual(testServer.now().getTime());
  });

  test('only operators with the right to prices make codes', async () => {
    const sam = await createOperator(testServer, { caps: ['see', 'money', 'help'] });
    expect((await expectFailure(add(sam))).status).toBe(403);
    expect((await sam.api.listPromos({ query: {} })).items.length).toBeGreaterThan(0);
  });

  test('the list of codes is in pages', async () => {
    const ada = await createOperator(testServer);
    for (let made = 0; made < 21; made += 1) await add(ada, { value: 0.01, maxUses: 1 });
    const first = await ada.api.listPromos({ query: {} });
    const second = await ada.api.listPromos({ query: { page: '2' } });
    expect([first.items.length, first.hasMore]).toEqual([20, true]);
    expect(second.items.length).toBeGreaterThan(0);
    expect(second.items.some(({ id }) => first.items.some((one) => one.id === id))).toBe(false);
  });
});
