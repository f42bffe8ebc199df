import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { failureOf, openWeighings, type Weighings } from '../../testing/weighings.ts';
import { insertZone, setZoneArea, setZonePrices } from '../payments/prices/prices.ts';

const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
/** With both ways, as a new installation charges them. */
const [SMALL, MEDIUM, LARGE] = [1792, 2683, 3574];
const [XL, WAYS] = [5653, 1198];
const UP_TO_LARGE = { ceilingSize: 'Large' };

describe.each(RULE_DATABASES)('laundry that is weighed, on %s', (kind) => {
  let town: Weighings;
  beforeAll(async () => {
    town = await openWeighings(kind);
    await town.sell('XL', 15);
  });
  afterAll(() => town?.close());

  /** The order ends as usual: what is paid is what it costs, and the ledger agrees. */
  const finish = async (id: string, cents: number) => {
    const { status } = await town.stateOf(id);
    if (status === 'Accepted') await town.press('start-order', id);
    await town.press('complete-order', id);
    await town.runPayments();
    expect([await town.priceOf(id), town.paid(id)]).toEqual([[expect.any(String), cents], cents]);
    expect(await town.problemsOf(id)).toEqual([]);
  };

  test('an order that fits its size costs its estimate, and is completed only once it is weighed', async () => {
    const id = await town.start();
    await town.runPayments();
    expect(town.paid(id)).toBe(0);
    expect(await failureOf(town.press('complete-order', id))).toBe('weighFirst');
    expect(await town.read(id, 'Scrub')).toMatchObject({ isWeighed: true, canWeigh: true, atMost: MEDIUM / 100 });
    const weighed = await town.weigh(id, 5.4);
    expect(weighed).toMatchObject({ canWeigh: false, correction: null, weighings: [{ scale: 'scrub' }] });
    expect(weighed).toMatchObject({ weighings: [{ grams: 2449, fileIds: [expect.any(String)] }] });
    expect(await failureOf(town.weigh(id, 5.4))).toBe('alreadyWeighed');
    await finish(id, MEDIUM);
  });

  test('lighter laundry costs less, also for its list, its Scrub and its ledger', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 2);
    expect(await town.read(id)).toMatchObject({
      ...{ size: 'Small', estimate: MEDIUM / 100, atMost: LARGE / 100 },
      correction: { state: 'lighter', fromSize: 'Medium', toSize: 'Small', price: SMALL / 100, answers: [] },
    });
    await finish(id, SMALL);
    expect(await town.earned(id)).toMatchObject({ scrub: 500 });
  });

  test('heavier laundry within the limit costs more without asking; the Bud is notified, and contests it once', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 7);
    expect(await town.notices(id)).toContain('weighed Bud');
    expect((await town.read(id)).correction).toMatchObject({ state: 'auto', answers: [{ answer: 'contest' }] });
    expect((await town.read(id, 'Scrub')).correction).toMatchObject({ answers: [] });
    expect(await failureOf(town.answer(id, { answer: 'keep' }))).toBe('nothingAsked');
    await finish(id, LARGE);
    await town.answer(id, { answer: 'contest', words: 'There was a stone on the scale.' });
    expect(await town.casesOf(id)).toEqual(['weighing']);
    expect(await failureOf(town.answer(id, { answer: 'contest' }))).toBe('weightContested');
  });

  test('a weight is contested for a day', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 7);
    town.pass(DAY_MS);
    expect(await failureOf(town.answer(id, { answer: 'contest' }))).toBe('contestWeightOver');
    await finish(id, LARGE);
  });

  test('laundry heavier than the limit waits for the Bud, who pays for its size', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 12);
    expect((await town.read(id)).correction).toMatchObject({
      ...{ state: 'asked', toSize: 'XL', price: XL / 100, splits: false },
      answers: [
        { answer: 'pay', price: XL / 100 },
        { answer: 'send-back', price: WAYS / 100 },
      ],
    });
    expect(await failureOf(town.press('complete-order', id))).toBe('waitsForBud');
    const card = { paymentSourceId: 'cnon:ok' };
    expect(await failureOf(town.answer(id, { answer: 'pay', price: 50, ...card }))).toBe('priceChanged');
    expect(await failureOf(town.answer(id, { answer: 'pay', price: XL / 100 }))).toBe('invalid');
    const paid = await town.answer(id, { answer: 'pay', price: XL / 100, ...card }, 'pay once');
    expect(paid).toMatchObject({ size: 'XL', correction: { state: 'paid', answeredBy: 'Bud', answers: [] } });
    // A repeat gets the same answer, and no second hold.
    expect(await town.answer(id, { answer: 'pay', price: XL / 100, ...card }, 'pay once')).toEqual(paid);
    expect(await failureOf(town.answer(id, { answer: 'send-back' }))).toBe('nothingAsked');
    expect(await town.notices(id)).toContain('weigh-answered Scrub');
    await finish(id, XL);
  });

  test.each([
    ['keep', true, ['Large', LARGE]],
    ['send-back', false, ['Medium', WAYS]],
  ] as const)('the Bud answers %s', async (answer, splits, [size, cents]) => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 12, { splits });
    if (!splits) expect(await failureOf(town.answer(id, { answer: 'keep' }))).toBe('notSplit');
    await town.answer(id, { answer, price: cents / 100 });
    expect(await town.priceOf(id)).toEqual([size, cents]);
    await finish(id, cents);
    expect(await town.earned(id)).toEqual(
      answer === 'keep' ? expect.objectContaining({ scrub: 2000 }) : { duber: 599 },
    );
  });

  test.each([
    ['what fits the limit is washed', true, 'kept', LARGE],
    ['it goes back unwashed', false, 'sent-back', WAYS],
  ] as const)('without an answer %s after 2 hours, and the town looks at it', async (_what, splits, state, cents) => {
    const id = await town.accept(UP_TO_LARGE);
    await town.carry(id, DELIVERY);
    await town.weigh(id, 41, { splits });
    expect((await town.read(id)).correction).toMatchObject({ toSize: null, price: null });
    expect(await failureOf(town.answer(id, { answer: 'pay', price: 1, paymentSourceId: 'x' }))).toBe('sizeNotSold');
    await town.press('start-order', id);
    town.pass(2 * HOUR_MS - 1_000);
    await town.runTimers();
    expect((await town.read(id)).correction).toMatchObject({ state: 'asked' });
    town.pass(1_000);
    await town.runTimers();
    expect((await town.read(id)).correction).toMatchObject({ state, answeredBy: 'System' });
    expect(await town.casesOf(id)).toEqual(['weighing']);
    expect(await town.notices(id)).toEqual(expect.arrayContaining(['weigh-answered Bud', 'weigh-answered Scrub']));
    expect(await failureOf(town.answer(id, { answer: 'send-back' }))).toBe('nothingAsked');
    await finish(id, cents);
  });

  test('when two scales disagree the lower weight counts, and a case is opened', async () => {
    const id = await town.accept(UP_TO_LARGE);
    expect(await failureOf(town.weigh(id, 4))).toBe('laundryNotHere');
    await town.carry(id, DELIVERY.slice(0, 2));
    expect(await failureOf(town.weighOnTheWay(id, 4))).toBe('wrongStatus');
    await town.carry(id, ['collected']);
    const weight = await town.weighOnTheWay(id, 4, { key: 'once' });
    expect(await town.weighOnTheWay(id, 4, { key: 'once' })).toEqual(weight);
    expect(await failureOf(town.weighOnTheWay(id, 4))).toBe('alreadyWeighed');
    await town.carry(id, DELIVERY.slice(3));
    await town.weigh(id, 7);
    expect(await town.casesOf(id)).toEqual(['scales']);
    await finish(id, MEDIUM);
  });

  test('an order that nobody weighs is charged its estimate after 6 days, and then only costs less', async () => {
    const [light, heavy] = [await town.start(UP_TO_LARGE), await town.start(UP_TO_LARGE)];
    const givenBack = await town.accept();
    await town.change('give-back', givenBack, { reason: 'ill' });
    town.pass(6 * DAY_MS - HOUR_MS);
    await town.runPayments();
    expect([town.paid(light), town.paid(heavy), town.paid(givenBack)]).toEqual([0, 0, 0]);
    await town.change('choose-scrub', givenBack, { scrubId: town.scrub(1).id });
    town.pass(HOUR_MS);
    await town.runTimers();
    await town.runPayments();
    expect([town.paid(light), town.paid(heavy), town.paid(givenBack)]).toEqual([MEDIUM, MEDIUM, MEDIUM]);
    await town.weigh(light, 2);
    await town.weigh(heavy, 12);
    expect((await town.read(heavy)).correction).toBeNull();
    await town.runPayments();
    await finish(light, SMALL);
    await finish(heavy, MEDIUM);
    await town.press('cancel-order', givenBack);
    await town.runPayments();
    expect(town.paid(givenBack)).toBe(0);
  });

  test('a repeated weight gets the same answer, and an order that has ended is not weighed', async () => {
    const id = await town.start(UP_TO_LARGE);
    const weighed = await town.weigh(id, 2, { key: 'once' });
    expect(await town.weigh(id, 3, { key: 'once' })).toEqual(weighed);
    await finish(id, SMALL);
    const cancelled = await town.accept();
    await town.change('cancel-accepted', cancelled, { reason: 'changed-mind' });
    expect(await failureOf(town.weigh(cancelled, 2))).toBe('wrongStatus');
    await town.runPayments();
    expect(town.paid(cancelled)).toBe(0);
  });

  test('an order keeps the rules that it was placed under', async () => {
    const weighed = await town.start();
    await town.setWeighing('open');
    const unweighed = await town.start();
    await town.runPayments();
    expect([town.paid(weighed), town.paid(unweighed)]).toEqual([0, MEDIUM]);
    expect(await failureOf(town.press('complete-order', weighed))).toBe('weighFirst');
    expect(await failureOf(town.weigh(unweighed, 2))).toBe('notWeighed');
    expect(await town.read(unweighed)).toMatchObject({ isWeighed: false, canWeigh: false, atMost: MEDIUM / 100 });
    expect(await town.readAsScrub(unweighed)).not.toHaveProperty('ceilingSize');
    expect(await town.readAsScrub(weighed)).toMatchObject({ ceilingSize: 'Medium' });
    expect(await failureOf(town.place(UP_TO_LARGE))).toBe('invalid');
    expect(await failureOf(town.quote(UP_TO_LARGE))).toBe('invalid');
    await town.setWeighing('careful');
    await town.weigh(weighed, 4);
    await finish(weighed, MEDIUM);
    await finish(unweighed, MEDIUM);
  });

  test('sizes are sold as the price list says, and a limit is at least the size', async () => {
    expect(await town.quote({ loadSize: 'Medium', ceilingSize: 'XL' })).toMatchObject({
      ...{ totalPrice: MEDIUM / 100, atMost: XL / 100 },
    });
    expect(await town.quote({})).not.toHaveProperty('atMost');
    for (const body of [{ loadSize: 'XXL' }, { ceilingSize: 'Family' }, { ceilingSize: 'Small' }]) {
      expect(await failureOf(town.quote(body))).toBe('invalid');
      expect(await failureOf(town.place(body))).toBe('invalid');
    }
    const id = await town.start({ loadSize: 'XL' });
    await town.weigh(id, 15);
    await finish(id, XL);
  });

  test('an order of a zone keeps the prices of the zone when it is weighed, also once the zone has ended', async () => {
    const { context } = town;
    const zoneId = context.newId();
    const corners = [
      { latitude: 23, longitude: 66 },
      { latitude: 25, longitude: 66 },
      { latitude: 25, longitude: 68 },
      { latitude: 23, longitude: 68 },
    ];
    const setArea = (area: typeof corners | null) =>
      setZoneArea(context.db, { zoneId, validFrom: context.now(), corners: area, setBy: 'a test' });
    await insertZone(context.db, { id: zoneId, name: 'Far' }, context.now());
    await setArea(corners);
    await setZonePrices(context.db, zoneId, context.now(), [{ item: 'pickup', value: 999 }]);
    const order = await town.start(UP_TO_LARGE);
    expect((await town.read(order)).atMost).toBe((LARGE + 400) / 100);
    town.pass(1_000);
    await setArea(null);
    await town.weigh(order, 2);
    expect((await town.read(order)).correction).toMatchObject({ toSize: 'Small', price: (SMALL + 400) / 100 });
    await finish(order, SMALL + 400);
  });
});
