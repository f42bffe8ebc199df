import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { localDate, nextLocalDate, startOfLocalDay } from '../../domain/localDays.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { writeSetting } from '../town/settings.sql.ts';

const REASON = 'Because of the test';
const ZONE = 'Asia/Karachi';
const WORDS = 'We open again tomorrow at 8.';

/** What operators change for everybody: a pause, prices and policies. */
describe.each(RULE_DATABASES)('the whole town, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    people = await createParticipants(testServer);
    const { db } = testServer.server;
    await writeSetting(db, { name: 'timeZone', value: ZONE, setBy: 'the test', from: new Date(0) });
  });
  afterAll(() => testServer?.close());

  /** Operators who have just signed in: hours pass in these tests. */
  const createTwo = () => Promise.all([createOperator(testServer), createOperator(testServer)]);
  const approve = (by: TestOperator, approvalId: string | null) =>
    by.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
  const priceOf = async ({ api }: TestOperator, item: string) =>
    (await api.listPrices()).items.find((price) => price.item === item);
  const startOf = (date: string) => startOfLocalDay(date, ZONE).toISOString();
  const tomorrow = () => nextLocalDate(testServer.now(), ZONE);
  const passUntil = (time: string) => testServer.advanceClock(Date.parse(time) - testServer.now().getTime());
  const validationOf = async (promise: Promise<unknown>) => {
    const { status, message } = await expectFailure(promise);
    expect(status).toBe(400);
    return message;
  };

  test('it says at once what it does not offer, and all services of the specification are offered before', async () => {
    const ada = await createOperator(testServer, { caps: ['prices'] });
    const offer = (services: ('dry-cleaning' | 'delicate' | 'specialty')[]) =>
      ada.api.setServices({ body: { services, reason: REASON } });
    expect((await ada.api.readTown()).services).toEqual(['dry-cleaning', 'delicate', 'specialty']);
    expect(await people.bud.api.readConfig()).not.toHaveProperty('notOffered');
    expect(await offer(['specialty', 'delicate', 'delicate'])).toEqual({ approvalId: null });
    expect((await ada.api.readTown()).services).toEqual(['delicate', 'specialty']);
    expect((await people.bud.api.readConfig()).notOffered).toEqual(['dry-cleaning']);
    await offer([]);
    expect((await people.bud.api.readConfig()).notOffered).toEqual(['dry-cleaning', 'delicate', 'specialty']);
    await validationOf(offer(['ironing' as never]));
    await offer(['dry-cleaning', 'delicate', 'specialty']);
    expect(await people.bud.api.readConfig()).not.toHaveProperty('notOffered');
  });

  test('no order is placed while it is paused, people read why, and open orders continue', async () => {
    const ada = await createOperator(testServer, { caps: ['dispatch'] });
    const { id } = await placeOrder(people);
    const until = new Date(testServer.now().getTime() + 2 * HOUR_MS).toISOString();
    const pause = () => ada.api.pauseTown({ body: { until, words: WORDS, reason: REASON } });
    expect(await people.bud.api.readConfig()).not.toHaveProperty('pause');
    await pause();
    const refused = await expectFailure(placeOrder(people));
    expect([refused.status, refused.message]).toEqual([409, WORDS]);
    expect((await people.bud.api.readConfig()).pause).toEqual({ until, words: WORDS });
    await people.scrub.api['accept-order']({ params: { id } });
    await ada.api.openTown({ body: { reason: REASON } });
    expect(await people.bud.api.readConfig()).not.toHaveProperty('pause');
    await placeOrder(people);
    await pause();
    passUntil(until);
    await placeOrder(people);
    expect(await people.bud.api.readConfig()).not.toHaveProperty('pause');
  });

  test('a price holds from the next day of the town, once two operators agree', async () => {
    const [ada, grace] = await createTwo();
    const before = await priceOf(ada, 'wash-and-fold');
    expect(before).toMatchObject({ unit: 'dollars', value: 2.5, next: [] });
    const { approvalId } = await ada.api.setPrice({
      params: { id: 'wash-and-fold' },
      body: { value: 3, reason: REASON },
    });
    expect(await priceOf(ada, 'wash-and-fold')).toEqual(before);
    const from = startOf(tomorrow());
    await approve(grace, approvalId);
    expect(await priceOf(ada, 'wash-and-fold')).toMatchObject({ value: 2.5, next: [{ value: 3, from }] });
    const quote = async () => (await people.bud.api.readConfig()).prices.perPound.washAndFold;
    testServer.advanceClock(Date.parse(from) - testServer.now().getTime() - 1);
    expect(await quote()).toBe(2.5);
    testServer.advanceClock(1);
    expect(await quote()).toBe(3);
    const [later] = await createTwo();
    const [row] = (await later.api.listAudit({ query: { q: 'setPrice' } })).items;
    expect(row).toMatchObject({
      approvedBy: { name: grace.session.operator.fullname },
      details: { value: 3, from, before: 2.5 },
    });
  });

  test('a price for today is refused, and one that is agreed to too late holds from the day after', async () => {
    const [ada] = await createTwo();
    const set = (body: { value: number; from?: string }, item: 'pickup' | 'taxes' | 'size-XL' = 'pickup') =>
      ada.api.setPrice({ params: { id: item }, body: { ...body, reason: REASON } });
    const today = localDate(testServer.now(), ZONE);
    expect(await validationOf(set({ value: 7, from: today }))).toContain('Choose a day in the future');
    expect(await validationOf(set({ value: 7.005 }))).toContain('At most 2 decimals');
    expect(await validationOf(set({ value: 101 }, 'taxes'))).toContain('From 0 to 100 %');
    expect(await validationOf(set({ value: 99 }, 'size-XL'))).toContain('Whole pounds');
    const { approvalId } = await set({ value: 7, from: tomorrow() });
    testServer.advanceClock(DAY_MS + HOUR_MS);
    const [, grace] = await createTwo();
    await approve(grace, approvalId);
    expect(await priceOf(grace, 'pickup')).toMatchObject({
      value: 5.99,
      next: [{ value: 7, from: startOf(tomorrow()) }],
    });
  });

  test('the preview says what orders cost before and after', async () => {
    const ada = await createOperator(testServer, { caps: ['see'] });
    const current = (await priceOf(ada, 'delivery'))?.value ?? 0;
    const preview = await ada.api.previewPrice({ query: { item: 'delivery', value: String(current + 1) } });
    expect(preview.from).toBe(startOf(tomorrow()));
    expect(preview.sizes.map(({ size }) => size)).toEqual(['Small', 'Medium', 'Large']);
    for (const { before, after } of preview.sizes) {
      expect(after.delivery).toBeCloseTo(before.delivery + 1);
      expect(after.totalPrice).toBeCloseTo(before.totalPrice + 1);
      expect(after.loadPrice).toBe(before.loadPrice);
    }
  });

  test('policies say what they mean, and change from the next day on', async () => {
    const [ada, grace] = await createTwo();
    const before = await ada.api.listPolicies();
    expect(before.preset).toBe('open');
    expect(before.policies[0]).toMatchObject({ name: 'privacy', value: 'open', from: null, next: null });
    expect(before.policies[0]?.values[1]?.words.join(' ')).toContain('Ada L.');
    const from = startOf(tomorrow());
    await approve(grace, (await ada.api.setPreset({ body: { preset: 'careful', reason: REASON } })).approvalId);
    const one = { params: { id: 'proof' as const }, body: { value: 'open' as const, reason: REASON } };
    await approve(grace, (await ada.api.setPolicy(one)).approvalId);
    const waiting = await ada.api.listPolicies();
    expect([waiting.preset, waiting.policies.map(({ next }) => next?.value)]).toEqual([
      'open',
      ['careful', 'careful', 'careful', 'careful', 'open', 'careful'],
    ]);
    passUntil(from);
    const after = await (await createOperator(testServer, { caps: ['see'] })).api.listPolicies();
    expect(after.preset).toBeNull();
    expect(after.policies[0]).toMatchObject({
      value: 'careful',
      from,
      setBy: ada.session.operator.fullname,
      next: null,
    });
    expect(after.policies.map(({ value }) => value)).toEqual([
      'careful',
      'careful',
      'careful',
      'careful',
      'open',
      'careful',
    ]);
  });
});
