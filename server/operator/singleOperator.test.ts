import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTO_APPROVAL_AFTER_MS } from '../../domain/approvals.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { codeAt, createOperator, operatorClient, type TestOperator, tokenOf } from '../../testing/operators.ts';
import { createOrderInStatus, createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { writeSetting } from '../town/settings.sql.ts';

const REASON = 'Because of the test';

const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

/** A new session of an operator, with a new code. */
async function signInAt(testServer: TestServer, { email, nextCode }: TestOperator) {
  const body = { email, password: PASSWORD, code: nextCode() };
  return operatorClient(testServer, (await operatorClient(testServer).operatorSignIn({ body })).authToken);
}

describe('what waits for a day in a town with one operator', () => {
  let testServer: TestServer;
  let ada: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer('embedded');
    ada = await createOperator(testServer);
    await placeOrder(await createParticipants(testServer));
  });
  afterAll(() => testServer?.close());

  const signInAgain = (operator: TestOperator) => signInAt(testServer, operator);

  /** Asks to invite somebody, and waits until the mail that can stop it has left. */
  async function ask(email: string): Promise<{ id: string; text: string }> {
    const api = await signInAgain(ada);
    const { approvalId, ripensAt } = await api.inviteOperator({ body: { email, caps: ['see'], reason: REASON } });
    expect(Date.parse(ripensAt ?? '') - testServer.now().getTime()).toBeGreaterThan(AUTO_APPROVAL_AFTER_MS - MINUTE_MS);
    const { text } = await waitFor(async () => {
      const mail = await testServer.waitForMail('support@rubadub.test', 'you can stop');
      expect(mail.text).toContain(email);
      const due = await testServer.server.db.selectFrom('notifications').where('state', '=', 'due').execute();
      expect(due).toEqual([]);
      return mail;
    });
    return { id: approvalId ?? '', text };
  }

  async function passOneDay(): Promise<void> {
    testServer.advanceClock(DAY_MS);
    testServer.server.wakeTimers();
  }

  const stateOf = async (id: string) => {
    const row = testServer.server.db.selectFrom('approvals').select('status').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).status;
  };

  test('is approved automatically after a day, and the owner gets a mail and can stop it', async () => {
    const stopped = await ask('stopped@rubadub.test');
    expect(stopped.text).toContain('caps: see');
    expect(stopped.text).toContain('A second operator could approve it before');
    const token = /token=([\w-]+)/.exec(stopped.text)?.[1] ?? '';
    await operatorClient(testServer).stopApproval({ body: { token } });
    expect(await messageOf(operatorClient(testServer).stopApproval({ body: { token } }))).toContain('no longer waits');
    const { id } = await ask('ripe@rubadub.test');
    await passOneDay();
    expect((await testServer.waitForMail('ripe@rubadub.test')).subject).toBe('Run the town on Rubadub');
    expect([await stateOf(stopped.id), await stateOf(id)]).toEqual(['declined', 'approved']);
  });

  test('is not approved automatically when there was another operator recently', async () => {
    const { id } = await ask('evil@rubadub.test');
    const grace = await createOperator(testServer);
    const api = await signInAgain(ada);
    await api.endOperator({ params: { id: grace.session.operator.id }, body: { reason: REASON } });
    await passOneDay();
    await waitFor(async () => {
      const timers = await testServer.server.db
        .selectFrom('timers')
        .select('action')
        .where('subject_id', '=', id)
        .execute();
      expect(timers).toEqual([{ action: 'expire' }]);
    });
    expect(await stateOf(id)).toBe('waiting');
    // Nor what is asked for in the days after it.
    const later = await signInAgain(ada);
    const body = { email: 'next@rubadub.test', caps: ['see' as const], reason: REASON };
    expect(await later.inviteOperator({ body })).toEqual({ approvalId: expect.any(String) });
    // And nothing happens at once: one operator could remove the others, and then do everything alone.
    const price = { params: { id: 'pickup' as const }, body: { value: 99, reason: REASON } };
    expect(await later.setPrice(price)).toEqual({ approvalId: expect.any(String) });
    expect((await later.readTown()).runsAlone).toBe(false);
    const { items } = await later.listApprovals({ query: {} });
    expect(items.map(({ ripens }) => ripens)).toEqual([false, false, false]);
  });

  test('keeps somebody who can change rights', async () => {
    const api = await signInAgain(ada);
    const { id, caps } = ada.session.operator;
    const without = caps.filter((permission) => permission !== 'admin');
    const change = { params: { id }, body: { before: [...caps], caps: without, reason: REASON } };
    expect(await messageOf(api.changeRights(change))).toBe('Somebody must stay who has the right Admin');
  });
});

describe('an operator who runs the town alone', () => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer('embedded', { isClockStopped: true });
    people = await createParticipants(testServer);
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  const enterCode = () => ada.api.enterCode({ body: { code: ada.nextCode() } });
  const loseCode = () => testServer.advanceClock(16 * MINUTE_MS);
  const db = () => testServer.server.db;
  const countAudit = async () =>
    Number((await db().selectFrom('audit_head').select('id').executeTakeFirstOrThrow()).id);
  const mailOf = (words: string) => testServer.waitForMail('support@rubadub.test', words);
  const town = () => ada.api.readTown();
  const idOf = { params: { id: 'pickup' as const } };
  const priceOf = async () => (await ada.api.listPrices()).items.find(({ item }) => item === 'pickup');
  /** An order whose card was charged. */
  const createCharged = async () => {
    const { id } = await createOrderInStatus(people, 'Accepted', { loadSize: 'Large' });
    await waitFor(async () => {
      const row = db().selectFrom('payments').select('state').where('order_id', '=', id);
      expect((await row.executeTakeFirst())?.state).toBe('captured');
    });
    return id;
  };
  const refund = (id: string, amount: number) =>
    ada.api.refundOrder({ params: { id }, body: { amount, liable: 'platform', reason: REASON } });

  // First: the town has no order yet.
  test('sets prices and rules at once and invites a second operator at once before the first order', async () => {
    expect(await town()).toMatchObject({ runsAlone: true, hasOrders: false });
    expect(await ada.api.setPrice({ ...idOf, body: { value: 7, reason: REASON } })).toEqual({ approvalId: null });
    expect(await priceOf()).toMatchObject({ value: 7, next: [] });
    await ada.api.setPreset({ body: { preset: 'careful', reason: REASON } });
    expect((await ada.api.listPolicies()).preset).toBe('careful');
    await ada.api.setPreset({ body: { preset: 'open', reason: REASON } });
    const invitation = { email: 'early@rubadub.test', caps: ['see' as const], reason: REASON };
    expect(await ada.api.inviteOperator({ body: invitation })).toEqual({ approvalId: null });
    expect((await testServer.waitForMail('early@rubadub.test')).subject).toBe('Run the town on Rubadub');
    await ada.api.revokeInvitation({ body: { email: invitation.email, reason: REASON } });
    await placeOrder(people);
    expect(await town()).toMatchObject({ hasOrders: true });
  });

  test('needs a new code for what another operator would have to approve, and a stolen session without one changes nothing', async () => {
    loseCode();
    const before = [await countAudit(), await priceOf(), await ada.api.listPolicies(), await town()];
    const { id } = people.duber.user;
    const steps = [
      () => ada.api.setPrice({ ...idOf, body: { value: 9, reason: REASON } }),
      () => ada.api.setPolicy({ params: { id: 'proof' }, body: { value: 'careful', reason: REASON } }),
      () => ada.api.setLimits({ body: { refundLimitOrder: 9000, refundLimitDay: 9000, reason: REASON } }),
      () => ada.api.setTimeZone({ body: { timeZone: 'Asia/Karachi', reason: REASON } }),
    ];
    for (const step of steps) expect(await messageOf(step())).toContain('code');
    await ada.api.suspend({ params: { id }, body: { choices: [], reason: REASON } });
    // A suspension takes no code, and ending one's own does.
    expect(await messageOf(ada.api.reinstate({ params: { id }, body: { reason: REASON } }))).toContain('code');
    const until = new Date(testServer.now().getTime() + 30 * DAY_MS).toISOString();
    expect(await messageOf(ada.api.extendSuspension({ params: { id }, body: { until, reason: REASON } }))).toContain(
      'code',
    );
    const after = [(await countAudit()) - 1, await priceOf(), await ada.api.listPolicies(), await town()];
    expect(after).toEqual(before);
    await enterCode();
    expect(await ada.api.extendSuspension({ params: { id }, body: { until, reason: REASON } })).toEqual({
      approvalId: null,
    });
    expect(await ada.api.reinstate({ params: { id }, body: { reason: REASON } })).toEqual({ approvalId: null });
    expect((await mailOf('has done this: End a suspension')).text).toContain('Suspend them again');
    expect((await ada.api.readPerson({ params: { id } })).suspension).toBeNull();
  });

  test('changes prices, zones, rules and codes at once, and the town reads who it was and how to undo it', async () => {
    await enterCode();
    const corners = [
      { latitude: 24.8, longitude: 67 },
      { latitude: 24.9, longitude: 67 },
      { latitude: 24.9, longitude: 67.1 },
    ];
    const code = { code: 'FOREVER', kind: 'amount' as const, value: 5, firstOrderOnly: false };
    const answers = [
      await ada.api.setPrice({ ...idOf, body: { value: 8, reason: 'Fuel costs more' } }),
      await ada.api.setPolicy({ params: { id: 'proof' }, body: { value: 'careful', reason: REASON } }),
      await ada.api.setPreset({ body: { preset: 'careful', reason: REASON } }),
      await ada.api.addZone({ body: { name: 'Riverside', corners, reason: REASON } }),
      await ada.api.setHours({ body: { before: [], hours: [], reason: REASON } }),
      await ada.api.addPromo({ body: { ...code, reason: REASON } }),
      await ada.api.addPromo({ body: { ...code, code: 'DEAR', maxUses: 500, reason: REASON } }),
    ];
    expect(answers).toEqual(answers.map(() => ({ approvalId: null })));
    // An earlier price was set as well.
    const text = await waitFor(async () => {
      const { text: newest } = await mailOf('has done this: Set a price');
      expect(newest).toContain('Fuel costs more');
      return newest;
    });
    for (const words of [
      ada.session.operator.fullname,
      'Fuel costs more',
      'About: pickup',
      'value: 8',
      'before: 7',
      'To undo it: Set the price again',
    ])
      expect(text).toContain(words);
    expect(text).toContain(`If it was not ${ada.session.operator.fullname}: sign out everywhere`);
    expect((await mailOf('has done this: Make a promo code')).text).toContain('value: 5');
    const { items } = await ada.api.listApprovals({ query: { state: 'all' } });
    expect(items).toEqual([]);
  });

  test('gives money back at once up to the limit of the day, which codes and payouts do not use up', async () => {
    await enterCode();
    const [first, second] = [await createCharged(), await createCharged()];
    const dear = { code: 'DEARER', kind: 'amount' as const, value: 5, maxUses: 500, firstOrderOnly: false };
    expect(await ada.api.addPromo({ body: { ...dear, reason: REASON } })).toEqual({ approvalId: null });
    // Whoever could raise the limit or begin a new day at once would have no limit.
    for (const asked of [
      await ada.api.setLimits({ body: { refundLimitOrder: 9000, refundLimitDay: 9000, reason: REASON } }),
      await ada.api.setTimeZone({ body: { timeZone: 'Asia/Karachi', reason: REASON } }),
    ]) {
      expect(asked.approvalId).not.toBeNull();
      await ada.api.withdraw({ params: { id: asked.approvalId ?? '' }, body: { reason: REASON } });
    }
    expect(
      await messageOf(ada.api.setUpTown({ body: { answered: ['town'], timeZone: 'Asia/Karachi', reason: REASON } })),
    ).toContain('Operators & settings');
    const limits = { refundLimitOrder: 500, refundLimitDay: 5_000 } as const;
    for (const name of ['refundLimitOrder', 'refundLimitDay'] as const)
      await writeSetting(testServer.server.db, {
        ...{ name, value: limits[name], setBy: 'A test', from: testServer.now() },
      });
    // Above the limit of an order, below that of a day.
    expect(
      (await ada.api.previewRefund({ params: { id: first }, query: { amount: '30', liable: 'platform' } }))
        .needsApproval,
    ).toBe(false);
    // Of two presses at once that are too much together, one waits.
    const pressed = await Promise.all([refund(first, 30), refund(second, 30)]);
    const waiting = pressed.filter(({ approvalId }) => approvalId !== null);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.ripensAt).toBe(new Date(testServer.now().getTime() + AUTO_APPROVAL_AFTER_MS).toISOString());
    expect((await mailOf('has done this: Give money back')).text).toContain('cannot be called back');
    expect(await refund(pressed[0]?.approvalId === null ? first : second, 5)).toEqual({ approvalId: null });
  });

  test('waits for a day for payout accounts, rights, corrections and exports alone', async () => {
    await enterCode();
    const { id } = people.scrub.user;
    await ada.api.holdPerson({ params: { id }, body: { kind: 'payout', reason: REASON } });
    await ada.api.holdPerson({ params: { id }, body: { kind: 'new-work', reason: REASON } });
    const self = { params: { id: ada.session.operator.id } };
    const ripensAt = new Date(testServer.now().getTime() + AUTO_APPROVAL_AFTER_MS).toISOString();
    const waits = { approvalId: expect.any(String), ripensAt };
    expect(await ada.api.liftHold({ params: { id }, body: { kind: 'payout', reason: REASON } })).toEqual(waits);
    expect(await ada.api.inviteOperator({ body: { email: 'x@rubadub.test', caps: ['see'], reason: REASON } })).toEqual(
      waits,
    );
    expect(await ada.api.resetFactor({ ...self, body: { reason: REASON } })).toEqual(waits);
    expect(await ada.api.exportTaxWorkers({ body: { year: 2026, reason: REASON } })).toEqual(waits);
    expect(await ada.api.liftHold({ params: { id }, body: { kind: 'new-work', reason: REASON } })).toEqual({
      approvalId: null,
    });
    // The row in the audit says until when, and the list that it happens by itself.
    const { items } = await ada.api.listApprovals({ query: {} });
    expect(items.filter(({ ripens, goesOnAt }) => ripens && goesOnAt === ripensAt)).toHaveLength(4);
  });

  test('corrects a price at once for orders that are not placed yet, and what a Bud has read does not change in silence', async () => {
    await enterCode();
    const quote = async () => (await people.bud.api.calculatePrice({ body: { loadSize: 'Medium' } })).totalPrice;
    const shownTotal = await quote();
    const placed = await placeOrder(people, { shownTotal });
    expect(await ada.api.setPrice({ ...idOf, body: { value: 2, atOnce: true, reason: 'A slip' } })).toEqual({
      approvalId: null,
    });
    // Until it holds, an order has the price from before, and so it has after weighing.
    const from = new Date(testServer.now().getTime() + MINUTE_MS).toISOString();
    expect((await priceOf())?.next).toContainEqual({ value: 2, from });
    await placeOrder(people, { shownTotal });
    testServer.advanceClock(MINUTE_MS);
    const corrected = await quote();
    expect(corrected).toBeLessThan(shownTotal);
    expect((await expectFailure(placeOrder(people, { shownTotal }))).message).toContain('The price has changed');
    expect((await placeOrder(people, { shownTotal: corrected })).price.totalPrice).toBe(corrected);
    const { price } = await people.bud.api.readOrder({ params: { id: placed.id } });
    expect(price.totalPrice).toBe(shownTotal);
    const both = { value: 3, atOnce: true, from: '2030-01-01', reason: REASON };
    expect(await messageOf(ada.api.setPrice({ ...idOf, body: both }))).toContain('Choose a day, or correct it at once');
  });

  // Last: the town has a second operator then.
  test('asks the second operator as soon as there is one, who also approves what was to happen by itself', async () => {
    await enterCode();
    const { approvalId } = await ada.api.exportTaxWorkers({ body: { year: 2025, reason: REASON } });
    const grace = await createOperator(testServer);
    expect((await town()).runsAlone).toBe(false);
    expect(await ada.api.setPrice({ ...idOf, body: { value: 5, reason: REASON } })).toEqual({
      approvalId: expect.any(String),
    });
    const { id } = people.duber.user;
    await ada.api.suspend({ params: { id }, body: { choices: [], reason: REASON } });
    const own = await expectFailure(ada.api.reinstate({ params: { id }, body: { reason: REASON } }));
    expect(own.message).toBe('Another operator must end the suspension that you have imposed');
    testServer.advanceClock(AUTO_APPROVAL_AFTER_MS);
    testServer.server.wakeTimers();
    const late = await signInAt(testServer, grace);
    const state = async () =>
      (await late.listApprovals({ query: { state: 'all' } })).items.find((one) => one.id === approvalId)?.state;
    await waitFor(async () => {
      const timers = db().selectFrom('timers').select('action').where('subject_id', '=', approvalId);
      expect(await timers.execute()).toEqual([{ action: 'expire' }]);
    });
    expect(await state()).toBe('waiting');
    await late.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    expect(await state()).toBe('approved');
  });
});

test('a price that is set while a second operator joins is set at once before, and waits after', async () => {
  const testServer = await openTestServer('postgres');
  const ada = await createOperator(testServer);
  const { db } = testServer.server;
  const link = await testServer.server.inviteOperator({ email: 'grace@rubadub.test', caps: ['prices'] });
  const token = tokenOf(link);
  const { secret, setup } = await operatorClient(testServer).readInvitation({ body: { token } });
  const account = { email: 'grace@rubadub.test', fullname: 'Grace', password: PASSWORD };
  const code = codeAt(secret, testServer.now());
  const items = ['wash-and-fold', 'dry-cleaning', 'delicate', 'pickup', 'delivery', 'taxes'] as const;
  const press = (id: (typeof items)[number]) =>
    ada.api.setPrice({ params: { id }, body: { value: 7, reason: REASON } });
  const [, ...answers] = await Promise.all([
    operatorClient(testServer).acceptInvitation({ body: { token, setup, code, ...account } }),
    ...items.map(press),
  ]);
  const rows = await db.selectFrom('audit').select(['action']).orderBy('id').execute();
  const actions = rows.map(({ action }) => action).slice(rows.findIndex(({ action }) => action !== 'inviteOperator'));
  const joined = actions.lastIndexOf('join');
  expect(actions.slice(0, joined).filter((action) => action === 'ask')).toEqual([]);
  expect(actions.slice(joined).filter((action) => action === 'setPrice')).toEqual([]);
  const waiting = answers.filter(({ approvalId }) => approvalId !== null).length;
  expect(actions.filter((action) => action === 'ask')).toHaveLength(waiting);
  await testServer.close();
});

test('of two operators who end each other at once, one stays', async () => {
  const testServer = await openTestServer('postgres');
  for (let round = 0; round < 5; round += 1) {
    const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    const end = (by: TestOperator, other: TestOperator) =>
      by.api.endOperator({ params: { id: other.session.operator.id }, body: { reason: REASON } });
    const results = await Promise.allSettled([end(ada, grace), end(grace, ada)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  }
  await testServer.close();
});

test('strangers who guess make the operator wait neither at home nor in a session', async () => {
  const testServer = await openTestServer('embedded', { env: { TRUST_PROXY: 'loopback' } });
  const ada = await createOperator(testServer);
  const guess = (n: number) =>
    fetch(`${testServer.apiUrl}/operator/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` },
      body: JSON.stringify({ email: ada.email, password: 'Wrong-1!' }),
    });
  let status = 0;
  for (let n = 0; n < 80 && status !== 429; n += 1) status = (await guess(n % 20)).status;
  expect(status).toBe(429);
  await ada.api.enterCode({ body: { code: ada.nextCode() } });
  const body = { email: ada.email, password: PASSWORD, code: ada.nextCode() };
  expect((await operatorClient(testServer).operatorSignIn({ body })).session.operator.email).toBe(ada.email);
  await testServer.close();
});
