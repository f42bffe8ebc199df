import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import type { WorkChoice } from '../../domain/restrictions.ts';
import { SUSPENDED_FOR_MS } from '../../domain/restrictions.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { listenToEvents } from '../../testing/eventListener.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  findDeliveryId,
  firstAddressId,
  orderBody,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { runPayouts } from '../payments/payouts/payouts.ts';

const REASON = 'Three stains in a week.';
const NEVER_MS = 3_600_000;
const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

describe.each(RULE_DATABASES)('suspending people, on %s', (kind) => {
  let testServer: TestServer;
  let second: TestServer;
  let ada: TestOperator;
  let grace: TestOperator;
  let bud: TestUser;

  beforeAll(async () => {
    // So rarely that a stream which ends here was ended by the act.
    testServer = await openTestServer(kind, { streamCheckMs: NEVER_MS });
    second =
      kind === 'postgres' ? await openTestServer(kind, { beside: testServer, streamCheckMs: NEVER_MS }) : testServer;
    ada = await createOperator(testServer);
    grace = await createOperator(testServer, { fullname: 'Grace Operator' });
    bud = await testServer.createUser('Bud', { north: 300 });
  });
  afterAll(async () => {
    if (second && second !== testServer) await second.close();
    await testServer?.close();
  });

  const idOf = ({ user }: TestUser) => ({ id: user.id });
  const read = (person: TestUser) => ada.api.readPerson({ params: idOf(person) });
  /** Suspends somebody and decides the same about everything that is open. */
  const suspend = async (person: TestUser, choice: WorkChoice = 'finish', signIn = false) => {
    const { openWork } = await read(person);
    const choices = openWork.map((work) => ({ kind: work.kind, id: work.id, choice }));
    return ada.api.suspend({ params: idOf(person), body: { signIn, choices, reason: REASON } });
  };
  const reinstate = (person: TestUser, by = grace) =>
    by.api.reinstate({ params: idOf(person), body: { reason: 'It was somebody else.' } });
  const search = () =>
    bud.api.findScrubsNearby({ query: { addressId: firstAddressId(bud), maxDistanceMeters: '3000' } });
  /** What their dashboard says. */
  const heldBy = async (scrub: TestUser) => (await scrub.api.scrubDashboard({ query: { fields: ['heldBy'] } })).heldBy;
  const login = ({ user }: TestUser, at = testServer) =>
    at.api().login({ body: { email: user.email, password: PASSWORD } });

  test('a suspended token is dead on every server, its streams end, and signing in says why', async () => {
    const scrub = await testServer.createUser('Scrub', { north: 1200 });
    const stream = await listenToEvents(second.apiUrl, scrub.token);
    const elsewhere = second.api(scrub.token);
    await elsewhere.session();
    await suspend(scrub, 'finish', true);
    expect((await expectFailure(elsewhere.session())).status).toBe(401);
    expect((await expectFailure(elsewhere.scrubDashboard())).status).toBe(401);
    expect(await stream.ended).toBe('ended');
    expect(await messageOf(login(scrub, second))).toBe(
      `You cannot sign in now. The reason: ${REASON} To answer, email us at support@rubadub.test.`,
    );
    const wrong = { email: scrub.user.email, password: 'Wrong-1!aa' };
    expect(await messageOf(testServer.api().login({ body: wrong }))).toBe('Invalid email or password');
    await testServer.api().forgotPassword({ body: { email: scrub.user.email } });
    const { text } = await testServer.waitForMail(scrub.user.email, 'new Rubadub password');
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? '';
    const newPassword = 'Another-1!';
    expect(await messageOf(testServer.api().resetPassword({ body: { token, newPassword } }))).toContain(REASON);
    const mail = await testServer.waitForMail(scrub.user.email, 'suspended');
    expect(mail.text).toContain(`The reason: ${REASON}`);
    expect(mail.text).toContain('email us at support@rubadub.test');
    await reinstate(scrub);
    await login(scrub, second);
    await testServer.waitForMail(scrub.user.email, 'no longer suspended');
  });

  test('a suspended Scrub is not found and gets no order, and afterwards all is as before', async () => {
    const [scrub, hidden] = [
      await testServer.createUser('Scrub', { north: 800 }),
      await testServer.createUser('Scrub', { north: 900 }),
    ];
    await hidden.api.changeVisibility({ body: { isActive: false } });
    const waiting = await placeOrder({ bud, scrub });
    const before = await search();
    expect(before.map((found) => found.scrub.id)).toContain(scrub.user.id);
    expect(await heldBy(scrub)).toBeNull();
    for (const person of [scrub, hidden]) await suspend(person, 'cancel');
    expect(await heldBy(scrub)).toBe('town');
    expect((await search()).map((found) => found.scrub.id)).not.toContain(scrub.user.id);
    // Their own switch does not make them visible, and is remembered.
    await scrub.api.changeVisibility({ body: { isActive: false } });
    await scrub.api.changeVisibility({ body: { isActive: true } });
    expect((await search()).map((found) => found.scrub.id)).not.toContain(scrub.user.id);
    expect(await messageOf(placeOrder({ bud, scrub }))).toBe('This scrub is no longer available');
    expect((await bud.api.readOrder({ params: { id: waiting.id } })).status).toBe('Cancelled');
    for (const person of [scrub, hidden]) await reinstate(person);
    expect(await search()).toEqual(before);
    expect(await heldBy(scrub)).toBeNull();
    const { id } = await placeOrder({ bud, scrub });
    expect((await scrub.api['accept-order']({ params: { id } })).status).toBe('Accepted');
    const { suspension, holds, state } = await read(scrub);
    expect({ suspension, state }).toEqual({ suspension: null, state: 'active' });
    expect(holds.map((hold) => `${hold.kind} ${hold.liftedBy?.name}`).toSorted()).toEqual([
      'new-work Grace Operator',
      'payout Grace Operator',
    ]);
    await bud.api['cancel-accepted']({ params: { id }, body: { reason: 'too-slow' } });
  });

  test('a suspended person who is to finish work can sign in unless the operator says otherwise, and nobody else can', async () => {
    const [busy, idle] = [await testServer.createUser('Scrub', { north: 1300 }), await testServer.createUser('Scrub')];
    const { id } = await createOrderInStatus({ bud, scrub: busy }, 'In_Progress');
    const choices = [{ kind: 'order' as const, id, choice: 'finish' as const }];
    await ada.api.suspend({ params: idOf(busy), body: { choices, reason: REASON } });
    await ada.api.suspend({ params: idOf(idle), body: { choices: [], reason: REASON } });
    await login(busy);
    expect(await messageOf(login(idle))).toContain('You cannot sign in now');
    expect((await busy.api['complete-order']({ params: { id } })).status).toBe('Completed');
  });

  test('a Bud does not read that somebody is at work who is suspended, until they may work again', async () => {
    const scrub = await testServer.createUser('Scrub', { north: 1400 });
    const duber = await testServer.createUser('Duber', { north: 350 });
    const washing = await createOrderInStatus({ bud, scrub }, 'In_Progress');
    const deliveryId = findDeliveryId(washing, 'Bud_To_Scrub');
    await advanceDelivery(duber, deliveryId, 3);
    const seen = async (by: TestUser) => {
      const { isScrubAway, deliveries } = await by.api.readOrder({ params: { id: washing.id } });
      return [isScrubAway, deliveries.find((delivery) => delivery.id === deliveryId)?.isDuberAway];
    };
    expect(await seen(bud)).toEqual([false, false]);
    const news = await listenToEvents(testServer.apiUrl, bud.token);
    await suspend(scrub);
    await suspend(duber);
    await waitFor(async () => expect(news.events.filter(({ id }) => id === washing.id)).not.toEqual([]));
    news.disconnect();
    expect(await seen(bud)).toEqual([true, true]);
    expect((await bud.api.readDelivery({ params: { id: deliveryId } })).isDuberAway).toBe(true);
    // It is between them and the town.
    expect(await seen(scrub)).toEqual([false, false]);
    await reinstate(scrub);
    await reinstate(duber);
    expect(await seen(bud)).toEqual([false, false]);
    for (const step of ['way-to-drop', 'delivered'] as const) await duber.api[step]({ params: { id: deliveryId } });
  });

  test('an order whose laundry a suspended Scrub has is cancelled only with a way home', async () => {
    const [scrub, duber] = [
      await testServer.createUser('Scrub', { north: 1000 }),
      await testServer.createUser('Duber', { east: 500 }),
    ];
    const order = await createOrderInStatus({ bud, scrub }, 'Accepted');
    await advanceDelivery(duber, findDeliveryId(order, 'Bud_To_Scrub'));
    expect((await read(scrub)).openWork[0]).toMatchObject({ waysHome: ['bring', 'fetch', 'lost'] });
    const decide = (more: object) =>
      ada.api.suspend({
        params: idOf(scrub),
        body: {
          signIn: false,
          choices: [{ kind: 'order', id: order.id, choice: 'cancel', ...more }],
          reason: REASON,
        },
      });
    expect(await messageOf(decide({}))).toContain('Say how the laundry gets home');
    await decide({ wayHome: 'bring', waysPaidBy: 'platform' });
    const seen = await bud.api.readOrder({ params: { id: order.id } });
    expect(seen).toMatchObject({ status: 'Cancelled', wayHome: 'bring' });
    expect(findDeliveryId(seen, 'Scrub_To_Bud')).toBeDefined();
    await ada.api.holdPerson({ params: idOf(scrub), body: { kind: 'payout', reason: REASON } });
    await reinstate(scrub);
    const back = await testServer.waitForMail(scrub.user.email, 'no longer suspended');
    expect(back.text).toContain('You can get new work again. What you have earned still waits');
    expect(back.text).not.toMatch(/as it was before|sign in/);
  });

  test('each piece of open work is decided about: finished, given to another, or cancelled', async () => {
    const [scrub, other] = [
      await testServer.createUser('Scrub', { north: 1000, fullname: 'Sam Soap' }),
      await testServer.createUser('Scrub', { north: 1100 }),
    ];
    const [accepted, washing, requested] = [
      await createOrderInStatus({ bud, scrub }, 'Accepted'),
      await createOrderInStatus({ bud, scrub }, 'In_Progress'),
      await placeOrder({ bud, scrub }),
    ];
    const decide = (list: [id: string, choice: WorkChoice][]) =>
      ada.api.suspend({
        params: idOf(scrub),
        body: { signIn: false, choices: list.map(([id, choice]) => ({ kind: 'order', id, choice })), reason: REASON },
      });
    const { openWork } = await read(scrub);
    expect(openWork.map(({ status, choices }) => [status, choices])).toEqual([
      ['Accepted', ['finish', 'another', 'cancel']],
      ['In_Progress', ['finish', 'cancel']],
      ['Requested', ['another', 'cancel']],
    ]);
    const number = openWork[2]?.orderNumber;
    const audited = async () => (await ada.api.listAudit({ query: { subjectId: scrub.user.id } })).items.length;
    expect(await messageOf(decide([[accepted.id, 'another'], [washing.id, 'finish']]))).toBe(`Decide about ${number} too`); // biome-ignore format: one line
    expect(await messageOf(decide([[accepted.id, 'another'], [washing.id, 'another'], [requested.id, 'cancel']]))).toContain('is In Progress now'); // biome-ignore format: one line
    expect(await audited()).toBe(0);
    expect((await read(scrub)).state).toBe('active');
    await decide([
      [accepted.id, 'another'],
      [washing.id, 'finish'],
      [requested.id, 'another'],
    ]);
    expect(await audited()).toBe(1);
    const mail = await testServer.waitForMail(bud.user.email, 'Your Scrub cannot do your order');
    expect(mail.text).toContain('The town has taken it from Sam Soap.');
    expect(mail.text).toContain('The town says: They cannot do it now.');
    const { text } = await testServer.waitForMail(scrub.user.email, 'is suspended');
    const [finished, given] = [openWork[1]?.orderNumber, [openWork[0]?.orderNumber, number].join(', ')];
    expect(text).toContain(`Please finish this as planned: ${finished}.`);
    expect(text).toContain(`This is no longer yours, and somebody else can do it: ${given}.`);
    for (const { id } of [accepted, requested]) {
      const seen = await bud.api.readOrder({ params: { id } });
      expect(seen.status).toBe('Requested');
      expect(seen.exceptions.at(-1)).toMatchObject({ action: 'give-back', by: 'Operator' });
      const choose = { params: { id }, body: { scrubId: scrub.user.id } };
      expect(await messageOf(bud.api['choose-scrub'](choose))).toBe('This scrub is no longer available');
      await bud.api['choose-scrub']({ params: { id }, body: { scrubId: other.user.id } });
      expect((await other.api['accept-order']({ params: { id } })).status).toBe('Accepted');
    }
    expect((await scrub.api['complete-order']({ params: { id: washing.id } })).status).toBe('Completed');
    await reinstate(scrub);
  });

  test('a suspended Duber has no offers and accepts none, and their delivery is offered again', async () => {
    const [scrub, alan, bob] = [
      await testServer.createUser('Scrub', { north: 1300 }),
      await testServer.createUser('Duber', { east: 500 }),
      await testServer.createUser('Duber', { east: 600 }),
    ];
    const deliveries = [];
    for (let count = 0; count < 3; count += 1)
      deliveries.push(findDeliveryId(await createOrderInStatus({ bud, scrub }, 'Accepted'), 'Bud_To_Scrub'));
    const [mine = '', loaded = '', free = ''] = deliveries;
    const offers = async (duber: TestUser) => {
      const query = { addressId: firstAddressId(duber), maxDistanceMeters: '3000' };
      return (await duber.api.findDeliveriesNearby({ query })).map(({ delivery }) => delivery.id);
    };
    await advanceDelivery(alan, mine, 2);
    await suspend(alan, 'another');
    expect(await offers(alan)).toEqual([]);
    expect((await alan.api.duberDashboard()).pendingDeliveries).toEqual([]);
    expect(await messageOf(alan.api['accept-delivery']({ params: { id: free } }))).toContain('You cannot take on');
    expect(await offers(bob)).toEqual(expect.arrayContaining([mine, free]));
    await advanceDelivery(bob, loaded, 3);
    const [work] = (await read(bob)).openWork;
    expect(work).toMatchObject({ id: loaded, choices: ['finish'] });
    expect(await messageOf(suspend(bob, 'another'))).toContain('is Collected now');
    await suspend(bob);
    await bob.api['way-to-drop']({ params: { id: loaded } });
    await bob.api.delivered({ params: { id: loaded } });
    for (const person of [alan, bob]) await reinstate(person);
    await waitFor(async () => expect(await offers(bob)).toContain(mine));
    await bob.api['accept-delivery']({ params: { id: mine } });
    const { unplanned } = await read(alan);
    expect(unplanned).toEqual([]);
  });

  test('nobody is offered a choice for work that would be refused', async () => {
    const [bud, scrub, duber] = [
      await testServer.createUser('Bud', { north: 250 }),
      await testServer.createUser('Scrub', { north: 1450 }),
      await testServer.createUser('Duber', { east: 650 }),
    ];
    const choicesNow = async () => (await read(scrub)).openWork.map(({ choices }) => choices);
    const { id } = await placeOrder({ bud, scrub });
    await scrub.api['accept-order']({ params: { id } });
    const { deliveries } = await scrub.api.readOrder({ params: { id } });
    expect(await choicesNow()).toEqual([['finish', 'another', 'cancel']]);
    const outbound = deliveries.find(({ deliveryType }) => deliveryType === 'Bud_To_Scrub')?.id ?? '';
    await advanceDelivery(duber, outbound, 3);
    expect(await choicesNow(), 'a Duber has the laundry').toEqual([['finish']]);
    expect(await messageOf(suspend(scrub, 'another'))).toContain('Choose one of: finish');
    for (const step of ['way-to-drop', 'delivered'] as const) await duber.api[step]({ params: { id: outbound } });
    expect(await choicesNow(), 'the Scrub has it').toEqual([['finish', 'cancel']]);
    await suspend(scrub, 'finish');
  });

  test('a suspended Bud places no order, also not with a draft from before', async () => {
    const [person, scrub] = [
      await testServer.createUser('Bud', { north: 200 }),
      await testServer.createUser('Scrub', { north: 1400 }),
    ];
    const { id } = await placeOrder({ bud: person, scrub });
    await suspend(person, 'finish');
    expect(await messageOf(person.api.placeOrder({ body: orderBody({ bud: person, scrub }) }))).toContain(
      'cannot take',
    );
    expect((await scrub.api['accept-order']({ params: { id } })).status).toBe('Accepted');
    await reinstate(person);
    await placeOrder({ bud: person, scrub });
  });

  test('the operator who imposed it cannot end it, and nobody is suspended twice', async () => {
    const duber = await testServer.createUser('Duber');
    expect(await messageOf(reinstate(duber))).toBe('This person is not suspended');
    await suspend(duber);
    expect(await messageOf(suspend(duber))).toBe('This person is suspended already');
    expect(await messageOf(reinstate(duber, ada))).toBe(
      'Another operator must end the suspension that you have imposed',
    );
    const { items } = await grace.api.listPeople({ query: { state: 'suspended' } });
    expect(items.map(({ id }) => id)).toContain(duber.user.id);
    await reinstate(duber);
  });

  describe('after some days', () => {
    /** Waits until somebody is no longer suspended. Sessions have ended meanwhile. */
    const waitForEnd = async (person: TestUser) => {
      ada = await createOperator(testServer);
      testServer.server.wakeTimers();
      await waitFor(async () => expect((await read(person)).suspension).toBeNull());
    };

    test('a suspension ends by itself, an approval extends it, and payouts wait until then', async () => {
      const [scrub, duber] = [
        await testServer.createUser('Scrub', { north: 1500 }),
        await testServer.createUser('Duber', { east: 700 }),
      ];
      const { id } = await createOrderInStatus({ bud, scrub }, 'Completed', { selfDelivery: true, selfPickup: true });
      await suspend(scrub);
      await suspend(duber);
      const until = new Date(testServer.now().getTime() + 30 * DAY_MS).toISOString();
      const extension = { params: idOf(duber), body: { until, reason: 'The claim is still open.' } };
      const { approvalId } = await ada.api.extendSuspension(extension);
      await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree.' } });
      expect((await read(duber)).suspension?.until).toBe(until);
      testServer.advanceClock(8 * DAY_MS);
      const { db } = testServer.server;
      const payout = { db, now: testServer.now, newId: () => crypto.randomUUID() };
      await runPayouts(payout);
      const payouts = async () => (await db.selectFrom('payouts').where('user_id', '=', scrub.user.id).selectAll().execute()).length; // biome-ignore format: one line
      expect(await payouts()).toBe(0);
      const later = testServer.api((await login(scrub)).authToken);
      expect((await later.earnings()).held).toBeGreaterThan(0);
      const [line] = await later.earningLines({ query: {} });
      expect(line).toMatchObject({ orderId: id, waitsFor: 'account' });
      testServer.advanceClock(SUSPENDED_FOR_MS - 8 * DAY_MS);
      await waitForEnd(scrub);
      expect((await read(scrub)).suspensions[0]).toMatchObject({ status: 'ended', endedBy: null });
      expect((await read(duber)).state).toBe('suspended');
      await runPayouts(payout);
      expect(await payouts()).toBe(1);
      testServer.advanceClock(17 * DAY_MS);
      await waitForEnd(duber);
    });
  });
});
