import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { weighDelivery, weighOrder } from '../../contract/weighing.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { toGrams } from '../../domain/weighing.ts';
import { AT_THE_DOOR, OPERATOR } from '../../testing/deliveries.ts';
import { storePhoto } from '../../testing/sentPhotos.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { failureOf, openWeighings, type Weighings } from '../../testing/weighings.ts';
import { queryRows } from '../db/database.ts';
import { readOrderTemplateData } from '../notifications/templateData.sql.ts';
import { ORDER_TEMPLATES } from '../notifications/templates.ts';

const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
const [SMALL, MEDIUM, LARGE, WAYS] = [1792, 2683, 3574, 1198];
const UP_TO_LARGE = { ceilingSize: 'Large' };

test.each([weighOrder, weighDelivery])('$path asks for one or two photos of the scale', ({ body }) => {
  const photo = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
  for (const [fileIds, isTaken] of [
    [undefined, false],
    [[], false],
    [[photo], true],
    [[photo, photo, photo], false],
  ] as const)
    expect(body.safeParse({ grams: 1900, fileIds }).success).toBe(isTaken);
});

describe.each(RULE_DATABASES)('whose weight counts, on %s', (kind) => {
  let town: Weighings;
  beforeAll(async () => {
    town = await openWeighings(kind);
    await town.sell('XL', 15);
  });
  afterAll(() => town?.close());

  const collect = async (id: string, duber = 0) => town.carry(id, DELIVERY.slice(0, 3), { duber });
  const arrive = async (id: string, duber = 0) => town.carry(id, DELIVERY.slice(3), { duber });
  /** A Duber who has said that the laundry is delivered has it after all, and brings it back. */
  const bringBack = async (id: string, status: 'Collected' | 'Delivered') => {
    const [duber] = [town.duber()];
    if (status === 'Collected') await town.carry(id, ['way-to-drop']);
    else await town.stray(id, duber, 'correct');
    await town.stray(id, duber, 'drop-failed', { reason: 'unsafe' });
    for (const action of ['bring-back', 'brought-back'] as const) await town.stray(id, duber, action);
    town.pass(31 * MINUTE_MS);
  };
  const settle = async (id: string, cents: number, scrub = 0) => {
    if ((await town.stateOf(id)).status === 'Accepted') await town.press('start-order', id, scrub);
    await town.press('complete-order', id, scrub);
    await town.runPayments();
    expect([await town.priceOf(id), town.paid(id)]).toEqual([[expect.any(String), cents], cents]);
    expect(await town.problemsOf(id)).toEqual([]);
  };

  test('a Duber weighs with a photo, and others read the weight once it is delivered', async () => {
    const id = await town.accept(UP_TO_LARGE);
    await collect(id);
    await town.weighOnTheWay(id, 4.2);
    expect((await town.read(id, 'Scrub')).weighings).toEqual([]);
    await arrive(id);
    expect((await town.read(id, 'Scrub')).weighings).toMatchObject([
      { scale: 'duber', grams: toGrams(4.2), fileIds: [expect.any(String)] },
    ]);
    await town.weigh(id, 4.3);
    expect((await town.read(id)).weighings).toHaveLength(2);
    await settle(id, MEDIUM);
  });

  test('the weight of a Duber who could not continue does not count, and the next one may weigh', async () => {
    const id = await town.accept(UP_TO_LARGE);
    await collect(id);
    await town.weighOnTheWay(id, 4);
    await town.stray(id, OPERATOR, 'relay', { reason: 'ill', place: AT_THE_DOOR });
    await collect(id, 1);
    await town.weighOnTheWay(id, 7, { duber: 1 });
    expect(await failureOf(town.weighOnTheWay(id, 7, { duber: 1 }))).toBe('alreadyWeighed');
    await arrive(id, 1);
    expect((await town.read(id, 'Scrub')).weighings).toMatchObject([{ scale: 'duber', grams: toGrams(7) }]);
    await town.weigh(id, 7);
    expect(await town.casesOf(id)).not.toContain('scales');
    await settle(id, LARGE);
  });

  test('a weight from before the laundry went back does not count later', async () => {
    const id = await town.accept(UP_TO_LARGE);
    await collect(id);
    await town.weighOnTheWay(id, 4);
    await bringBack(id, 'Collected');
    await town.stray(id, town.bud, 're-offer');
    await collect(id);
    await arrive(id);
    expect((await town.read(id, 'Scrub')).weighings).toEqual([]);
    const weighed = await town.weigh(id, 7);
    expect(weighed).toMatchObject({ weighings: [{ scale: 'scrub', grams: toGrams(7) }] });
    expect(await town.casesOf(id)).not.toContain('scales');
    await settle(id, LARGE);
  });

  test('nobody weighs laundry that is not here, also when they have begun', async () => {
    const id = await town.accept(UP_TO_LARGE);
    await town.press('start-order', id);
    expect(await town.read(id, 'Scrub')).toMatchObject({ canWeigh: false });
    expect(await failureOf(town.weigh(id, 7))).toBe('laundryNotHere');
    await collect(id);
    await town.weighOnTheWay(id, 4);
    expect(await failureOf(town.weigh(id, 7))).toBe('laundryNotHere');
    await arrive(id);
    await town.weigh(id, 4);
    await settle(id, MEDIUM);
    // Without a Duber, the start says that it is here.
    const brought = await town.start({ ...UP_TO_LARGE, selfDelivery: true });
    expect(await town.read(brought, 'Scrub')).toMatchObject({ canWeigh: true });
  });

  test('a Scrub who gives the order back takes their question along, and the next one weighs', async () => {
    const id = await town.accept(UP_TO_LARGE);
    await town.carry(id, DELIVERY);
    await town.weigh(id, 12);
    await bringBack(id, 'Delivered');
    await town.change('give-back', id, { reason: 'ill' });
    expect((await town.stateOf(id)).timers).toEqual(['charge-estimate', 'expire-given-back']);
    expect(await town.read(id)).toMatchObject({ correction: null, weighings: [] });
    await town.change('choose-scrub', id, { scrubId: town.scrub(1).id });
    await town.press('accept-order', id, 1);
    town.pass(2 * HOUR_MS);
    await town.runTimers();
    expect(await failureOf(town.answer(id, { answer: 'send-back' }))).toBe('nothingAsked');
    await town.carry(id, DELIVERY, { round: 2 });
    await town.weigh(id, 12, { by: 1, splits: true });
    expect((await town.stateOf(id)).timers).toContain('unanswered');
    await town.answer(id, { answer: 'keep' });
    await settle(id, LARGE, 1);
  });

  const findNobody = async () => {
    const id = await town.accept(UP_TO_LARGE);
    await town.carry(id, DELIVERY.slice(0, 2));
    const duber = town.duber();
    await town.stray(id, duber, 'arrived-at-pickup', { place: AT_THE_DOOR });
    town.pass(5 * MINUTE_MS);
    const fileIds = [await storePhoto(town.context.db, duber.id, town.context.now())];
    await town.stray(id, duber, 'pickup-failed', { reason: 'nobody-home', fileIds });
    return id;
  };

  test('a Bud whose Duber found nobody can ask another one for nothing, and reads what cancelling costs instead', async () => {
    const id = await findNobody();
    expect(await town.cancellation(id)).toMatchObject({ fee: 0, refund: (MEDIUM - 599) / 100 });
    await town.stray(id, town.bud, 're-offer');
    await town.carry(id, DELIVERY, { duber: 1 });
    await town.weigh(id, 4);
    await settle(id, MEDIUM);
    const undone = await findNobody();
    await town.stray(undone, town.duber(), 'correct');
    expect(await town.cancellation(undone)).toMatchObject({ fee: 599 / 100, refund: (MEDIUM - 599) / 100 });
    await town.change('cancel-accepted', undone, { reason: 'changed-mind' });
  });

  test.each(['cancel-order', 'reject-order'] as const)(
    'a Bud whose Duber found nobody reads that they pay for that trip, before and after a %s',
    async (end) => {
      const id = await findNobody();
      await town.change('give-back', id, { reason: 'ill' });
      const readMail = async (kind: 'given-back' | 'cancelled' | 'rejected') => {
        const data = await readOrderTemplateData(town.context.db, id, town.context.now());
        return data && ORDER_TEMPLATES[kind](data, 'Bud').lines.join(' ');
      };
      expect(await readMail('given-back')).toContain('or cancel it and pay only for the Duber who came.');
      await town.change('choose-scrub', id, { scrubId: town.scrub(1).id });
      await town.press(end, id, 1);
      await town.runPayments();
      expect(town.paid(id)).toBe(599);
      const charged = 'You are charged $5.99 for the Duber. The rest of the hold is released.';
      expect(await readMail(end === 'reject-order' ? 'rejected' : 'cancelled')).toContain(charged);
      expect(await town.problemsOf(id)).toEqual([]);
    },
  );

  test('a card is never charged more than what is held', async () => {
    const id = await town.start(UP_TO_LARGE);
    await queryRows(town.context.db, sql`update payments set held = 3000 where order_id = ${id}`);
    await town.weigh(id, 7);
    await settle(id, 3000);
    expect(await town.earned(id)).toMatchObject({ scrub: 2000 - (LARGE - 3000) });
  });

  test('a repeated weight or answer gets its answer also when the order has gone on', async () => {
    const id = await town.accept(UP_TO_LARGE);
    await town.carry(id, DELIVERY);
    await town.weigh(id, 12, { key: 'weight' });
    await town.press('start-order', id);
    expect(await town.weigh(id, 12, { key: 'weight' })).toMatchObject({ correction: { state: 'asked' } });
    const paid = { answer: 'pay', price: 56.53, paymentSourceId: 'cnon:ok' } as const;
    await town.answer(id, paid, 'answer');
    await settle(id, 5653);
    expect(await town.answer(id, paid, 'answer')).toMatchObject({ correction: { state: 'paid' } });
    const sent = await town.accept(UP_TO_LARGE);
    await town.carry(sent, DELIVERY);
    await town.weigh(sent, 12);
    await town.answer(sent, { answer: 'send-back' }, 'other answer');
    await town.press('start-order', sent);
    expect(await town.answer(sent, { answer: 'send-back' }, 'other answer')).toMatchObject({
      correction: { state: 'sent-back' },
    });
    await settle(sent, WAYS);
  });

  test('the words of a contest are the words of its Bud', async () => {
    const id = await town.start(UP_TO_LARGE);
    await town.weigh(id, 7);
    await town.answer(id, { answer: 'contest', words: 'There was a stone on the scale.' });
    const events = sql`select e.actor_role as by, e.actor_id as id, e.words from steps e join cases c on c.id = e.subject_id
      where c.order_id = ${id}`;
    expect(await queryRows(town.context.db, events)).toEqual([
      { by: 'Bud', id: town.bud.id, words: 'There was a stone on the scale.' },
    ]);
    await settle(id, LARGE);
  });

  test.each([
    ['the Scrub’s, when the scales agree', 6.8, 7, 7],
    ['the lower one, when they do not', 6, 7, 6],
  ])('a notification names the weight that counts: %s', async (_what, duber, scrub, pounds) => {
    const id = await town.accept(UP_TO_LARGE);
    await collect(id);
    await town.weighOnTheWay(id, duber);
    await arrive(id);
    await town.weigh(id, scrub);
    expect(await town.detailsOf(id)).toMatchObject({ grams: toGrams(pounds), state: 'auto' });
    await settle(id, LARGE);
  });

  // The price list of this town sells it from now on.
  test('a limit that costs less than the size does not lower what is held', async () => {
    await town.sell('Family', 1);
    const body = { loadSize: 'Medium', ceilingSize: 'Family' };
    expect(await town.quote(body)).toMatchObject({ totalPrice: MEDIUM / 100, atMost: MEDIUM / 100 });
    const id = await town.start(body);
    expect(await town.read(id)).toMatchObject({ atMost: MEDIUM / 100 });
    await town.weigh(id, 2);
    await settle(id, SMALL);
  });
});
