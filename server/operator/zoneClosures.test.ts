import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { circleAround } from '../../domain/zones.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { planWindows, windowAt } from '../../testing/orderTimes.ts';
import { DATABASE_KINDS, openTestServer, pointAt, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { insertZone, setZoneArea } from '../payments/prices/prices.ts';

const REASON = 'The river is high';
const WORDS = 'The bridge is closed.';
const RIVERSIDE = '0192f0c1-7a3b-7c4d-8e5f-00000000a001';
const ASKS = { status: 409, message: expect.stringContaining('a window then. Say what becomes of') };
const NOBODY = '0192f0c1-7a3b-7c4d-8e5f-00000000a002';

describe.each(DATABASE_KINDS)('closures of one zone, on %s', (kind) => {
  let testServer: TestServer;
  let scrub: TestUser;
  let inside: TestUser;
  let outside: TestUser;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { stoppedAt: new Date('2026-12-01T09:00:00Z') });
    const { db } = testServer.server;
    await planWindows(db, testServer.now());
    await insertZone(db, { id: RIVERSIDE, name: 'Riverside' }, testServer.now());
    const area = { zoneId: RIVERSIDE, corners: circleAround(pointAt(2000, 0), 0.5), setBy: 'the test' };
    await setZoneArea(db, { ...area, validFrom: testServer.now() });
    scrub = await testServer.createUser('Scrub', { north: 1200 });
    inside = await testServer.createUser('Bud', { north: 2000 });
    outside = await testServer.createUser('Bud', { north: 300 });
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  const startOf = (days: number) => windowAt(testServer.now(), days, 17).from.toISOString();
  const dayAt = (days: number) => startOf(days).slice(0, 10);
  const book = async (bud: TestUser, days = 3) => {
    const people: Pick<Participants, 'bud' | 'scrub'> = { bud, scrub };
    const { id } = await placeOrder(people, { pickupFrom: startOf(days), returnFrom: startOf(days + 1) });
    await scrub.api['accept-order']({ params: { id } });
    return id;
  };
  const cancel = (bud: TestUser, id: string) =>
    bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
  const daysOffered = async (bud: TestUser) => {
    const { pickup } = await bud.api.listWindows({ query: { budAddressId: bud.user.addresses[0]?.id ?? '' } });
    return new Set(pickup.map(({ from }) => from.slice(0, 10)));
  };
  const closure = (days: number) => ({
    ...{ from: `${dayAt(days)}T00:00`, until: `${dayAt(days + 1)}T00:00`, words: WORDS, reason: REASON },
    zone: RIVERSIDE,
  });
  const touchedIn = async (zone?: string) => {
    const span = { from: `${dayAt(3)}T00:00:00.000Z`, until: `${dayAt(4)}T00:00:00.000Z` };
    return (await ada.api.listTouched({ query: { ...span, ...(zone ? { zone } : {}) } })).items.map(({ id }) => id);
  };
  const openAgain = async () => {
    for (const { id } of (await ada.api.readHours()).closures)
      await ada.api.takeBackClosure({ params: { id }, body: { reason: REASON } });
  };
  const lastDetails = async () => (await ada.api.listAudit({ query: {} })).items[0]?.details;

  test('a closed zone touches its own orders, and its windows are no longer offered', async () => {
    const [there, elsewhere] = [await book(inside), await book(outside)];
    expect(await touchedIn(RIVERSIDE)).toEqual([there]);
    expect((await touchedIn()).toSorted()).toEqual([there, elsewhere].toSorted());
    expect(await expectFailure(ada.api.addClosure({ body: closure(3) }))).toMatchObject(ASKS);
    await ada.api.addClosure({ body: { ...closure(3), touched: 'offer' } });
    expect((await inside.api.readOrder({ params: { id: there } })).proposal).toMatchObject({
      ...{ by: 'Operator', words: WORDS },
      pickup: { from: windowAt(testServer.now(), 4, 8).from.toISOString() },
    });
    expect(await outside.api.readOrder({ params: { id: elsewhere } })).not.toHaveProperty('proposal');
    expect((await daysOffered(inside)).has(dayAt(3))).toBe(false);
    expect((await daysOffered(outside)).has(dayAt(3))).toBe(true);
    await inside.api['accept-window']({ params: { id: there }, body: {} });
    const back = { pickupFrom: startOf(3), returnFrom: startOf(5) };
    expect(await expectFailure(inside.api['move-window']({ params: { id: there }, body: back }))).toMatchObject({
      message: 'This time is no longer offered. Please choose another one',
    });
    expect((await ada.api.readHours()).closures).toMatchObject([{ zone: { id: RIVERSIDE, name: 'Riverside' } }]);
    expect(await lastDetails()).toMatchObject({ zone: 'Riverside', touched: 'offer' });
    await openAgain();
    await Promise.all([cancel(inside, there), cancel(outside, elsewhere)]);
  });

  test('an unknown zone is not closed, nor a zone that is closed already', async () => {
    expect(await expectFailure(ada.api.addClosure({ body: { ...closure(3), zone: NOBODY } }))).toMatchObject({
      status: 404,
    });
    const { zone: _zone, ...ofTown } = closure(3);
    await ada.api.addClosure({ body: ofTown });
    expect(await expectFailure(ada.api.addClosure({ body: closure(3) }))).toMatchObject({
      message: expect.stringContaining('The town is closed then already'),
    });
    await openAgain();
  });

  test('a zone that is paused takes no orders for as soon as possible, and those for a later window', async () => {
    const until = `${dayAt(1)}T00:00:00.000Z`;
    await ada.api.pauseTown({ body: { until, words: WORDS, zone: RIVERSIDE, reason: REASON } });
    expect((await ada.api.readTown()).pause).toBeNull();
    expect(await expectFailure(placeOrder({ bud: inside, scrub }))).toMatchObject({
      status: 409,
      message: `${WORDS} We take orders again on Wednesday, December 2 at 12:00 am.`,
    });
    const offered = async (bud: TestUser) =>
      (await bud.api.listWindows({ query: { budAddressId: bud.user.addresses[0]?.id ?? '' } })).closed;
    expect([await offered(inside), await offered(outside)]).toEqual([
      { until, words: `${WORDS} We take orders again on Wednesday, December 2 at 12:00 am.` },
      undefined,
    ]);
    await cancel(inside, await book(inside));
    const { id } = await placeOrder({ bud: outside, scrub });
    await outside.api['cancel-order']({ params: { id } });
    await ada.api.openTown({ body: { zone: RIVERSIDE, reason: REASON } });
    expect(await lastDetails()).toMatchObject({ zone: 'Riverside', before: { until, words: WORDS } });
    expect(await expectFailure(ada.api.openTown({ body: { zone: RIVERSIDE, reason: REASON } }))).toMatchObject({
      message: 'Riverside is open',
    });
    const again = await placeOrder({ bud: inside, scrub });
    await inside.api['cancel-order']({ params: { id: again.id } });
  });

  test('a dispatcher pauses a zone for tonight, and a clerk for prices does not', async () => {
    const dispatcher = await createOperator(testServer, { caps: ['see', 'dispatch'] });
    const clerk = await createOperator(testServer, { caps: ['see', 'prices'] });
    const body = { until: `${dayAt(1)}T00:00:00.000Z`, words: WORDS, zone: RIVERSIDE, reason: REASON };
    expect(await expectFailure(clerk.api.pauseTown({ body }))).toMatchObject({ status: 403 });
    await dispatcher.api.pauseTown({ body });
    await dispatcher.api.openTown({ body: { zone: RIVERSIDE, reason: REASON } });
  });

  test('a zone ends only once somebody says what becomes of its orders, before another operator is asked', async () => {
    const grace = await createOperator(testServer);
    const [there, elsewhere] = [await book(inside), await book(outside)];
    const end = (touched?: 'keep' | 'cancel') =>
      ada.api.drawZone({
        params: { id: RIVERSIDE },
        body: { corners: null, reason: REASON, ...(touched ? { touched } : {}) },
      });
    expect(await expectFailure(end())).toMatchObject(ASKS);
    const { approvalId } = await end('cancel');
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    expect((await inside.api.readOrder({ params: { id: there } })).status).toBe('Cancelled');
    expect((await outside.api.readOrder({ params: { id: elsewhere } })).status).toBe('Accepted');
    expect((await ada.api.listAudit({ query: {} })).items[0]).toMatchObject({ action: 'drawZone', amount: 26.83 });
  });
});
