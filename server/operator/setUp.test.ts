import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextLocalDate, startOfLocalDay } from '../../domain/localDays.ts';
import { PERMISSIONS } from '../../domain/operators.ts';
import { SET_UP_SECTIONS } from '../../domain/setUp.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

const reason = 'Set-up';
const ZONE = 'America/New_York';
const CAREFUL = 'careful' as const;
const ANSWERS = {
  timeZone: ZONE,
  policies: [
    { name: 'privacy' as const, value: CAREFUL },
    { name: 'weighing' as const, value: CAREFUL },
  ],
  prices: [
    { item: 'wash-and-fold' as const, value: 3 },
    { item: 'size-XL' as const, value: 15 },
  ],
  reason,
};

describe.each(RULE_DATABASES)('the set-up of a town, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  const priceOf = async (item: string) =>
    (await ada.api.listPrices()).items.find((price) => price.item === item) ?? { value: 0, next: [] };
  const answer = (by: TestOperator, body: object = {}) =>
    by.api.setUpTown({ body: { answered: ['prices'], ...ANSWERS, ...body } });

  test('refuses what makes no sense, and prices from an operator without that right', async () => {
    const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;
    expect(await messageOf(answer(ada, { timeZone: 'Atlantis/Center' }))).toContain('Choose a time zone');
    expect(await messageOf(answer(ada, { prices: [{ item: 'size-XL', value: 99 }] }))).toContain('Whole pounds');
    const twice = { item: 'pickup', value: 1 };
    expect(await messageOf(answer(ada, { prices: [twice, twice] }))).toContain('One price for each item');
    expect(await messageOf(answer(ada, { answered: ['color'] }))).toContain('A section is one of');
    expect((await ada.api.readSetUp()).answered).toEqual([]);
  });

  test('holds at once in one step while one operator runs a town without orders, and is done when they say so', async () => {
    expect((await ada.api.readTown()).needsSetUp).toBe(true);
    expect(await ada.api.readSetUp()).toMatchObject({ answered: [], done: null });
    expect(await answer(ada, { answered: ['prices', 'town'] })).toEqual({ approvalId: null });
    expect(await ada.api.readTown()).toMatchObject({ timeZone: ZONE, needsSetUp: true });
    expect(await priceOf('wash-and-fold')).toMatchObject({ value: 3, next: [] });
    expect(await testServer.api().readConfig()).toMatchObject({
      prices: { perPound: { washAndFold: 3 } },
      largerSizes: [{ size: 'XL', pounds: 15 }],
      weighsLaundry: true,
      roundsPlaces: true,
    });
    expect((await ada.api.readSetUp()).answered).toEqual(['town', 'prices']);
    await ada.api.setUpTown({ body: { answered: [...SET_UP_SECTIONS], isDone: true, reason } });
    expect((await ada.api.readTown()).needsSetUp).toBe(false);
    expect(await ada.api.readSetUp()).toMatchObject({
      answered: SET_UP_SECTIONS,
      done: { by: ada.session.operator.fullname, at: testServer.now().toISOString() },
    });
    const [last, first] = (await ada.api.listAudit({ query: {} })).items;
    expect(last).toMatchObject({ action: 'setUpTown', details: { isDone: true } });
    expect(first).toMatchObject({
      action: 'setUpTown',
      reason,
      details: {
        timeZoneBefore: 'UTC',
        policiesBefore: { privacy: 'open', weighing: 'open' },
        pricesBefore: { 'wash-and-fold': 2.5, 'size-XL': null },
      },
    });
  });

  test('waits for a second operator once there is one, but for answers that change nothing', async () => {
    const grace = await createOperator(testServer, { caps: PERMISSIONS.filter((right) => right !== 'prices') });
    expect((await expectFailure(answer(grace))).status).toBe(403);
    expect(await grace.api.setUpTown({ body: { answered: ['connections'], reason } })).toEqual({ approvalId: null });
    const { approvalId } = await answer(ada, { prices: [{ item: 'wash-and-fold', value: 4 }] });
    expect(approvalId).not.toBeNull();
    expect(await priceOf('wash-and-fold')).toMatchObject({ value: 3 });
    await ada.api.withdraw({ params: { id: approvalId ?? '' }, body: { reason } });
    // Nor does it hold at once for an operator who has just removed the others.
    await ada.api.endOperator({ params: { id: grace.session.operator.id }, body: { reason } });
    expect((await answer(ada)).approvalId).not.toBeNull();
  });

  test('holds from the next day once somebody has ordered, so that no price changes that a Bud has seen', async () => {
    await placeOrder(await createParticipants(testServer));
    const grace = await createOperator(testServer);
    const prices = [{ item: 'wash-and-fold' as const, value: 5 }];
    const { approvalId } = await ada.api.setUpTown({ body: { answered: [], prices, reason } });
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    const from = startOfLocalDay(nextLocalDate(testServer.now(), ZONE), ZONE).toISOString();
    expect(await priceOf('wash-and-fold')).toMatchObject({ value: 3, next: [{ value: 5, from }] });
  });
});
