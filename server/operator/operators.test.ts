import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
import { PERMISSIONS } from '../../domain/operators.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { codeAt, createOperator, operatorClient, type TestOperator, tokenOf } from '../../testing/operators.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { verifyAuditChain } from './audit.ts';

const REASON = 'Because of the test';

const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

describe.each(RULE_DATABASES)('operators, on %s', (kind) => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
  });
  afterAll(() => testServer?.close());

  const signIn = ({ email }: Pick<TestOperator, 'email'>, code?: string, password = PASSWORD) =>
    operatorClient(testServer).operatorSignIn({ body: { email, password, ...(code ? { code } : {}) } });

  describe('signing in', () => {
    test('takes the password and a code of the authenticator app, and each code once', async () => {
      const ada = await createOperator(testServer);
      expect(await messageOf(signIn(ada))).toBe('Enter the code of your authenticator app');
      const code = ada.nextCode();
      expect((await signIn(ada, code)).session.operator).toMatchObject({ email: ada.email, caps: PERMISSIONS });
      expect(await messageOf(signIn(ada, code))).toBe('This code is wrong, or was used before. Wait for the next one');
      expect(await messageOf(signIn(ada, ada.nextCode(), 'Wrong-1!'))).toBe('Invalid email or password');
    });

    test('is over after some wrong codes, also for somebody who knows the password', async () => {
      const ada = await createOperator(testServer);
      const wrong = async () => (await messageOf(signIn(ada, '000000'))).split('.')[0];
      const messages = [];
      for (let tries = 0; tries < 7; tries += 1) messages.push(await wrong());
      expect(messages.at(-1)).toBe('Too many wrong tries');
      expect(await messageOf(signIn(ada, ada.currentCode()))).toContain('Too many wrong tries');
    });

    test('lasts 12 hours, and 30 minutes without use', async () => {
      const [ada, idle] = [await createOperator(testServer), await createOperator(testServer)];
      for (let minutes = 0; minutes < 11.5 * 60; minutes += 20) {
        testServer.advanceClock(20 * 60_000);
        await ada.api.readOperatorSession();
        if (minutes === 20) expect((await expectFailure(idle.api.readOperatorSession())).status).toBe(401);
      }
      testServer.advanceClock(29 * 60_000);
      expect((await expectFailure(ada.api.readOperatorSession())).status).toBe(401);
    });

    test('ends when the operator signs out, or leaves', async () => {
      const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
      const { authToken } = await signIn(ada, ada.nextCode());
      const other = operatorClient(testServer, authToken);
      await other.operatorSignOut({ body: {} });
      expect((await expectFailure(other.readOperatorSession())).status).toBe(401);
      await grace.api.enterCode({ body: { code: grace.nextCode() } });
      await grace.api.endOperator({ params: { id: ada.session.operator.id }, body: { reason: REASON } });
      expect((await expectFailure(ada.api.readOperatorSession())).status).toBe(401);
      expect(await messageOf(signIn(ada, ada.nextCode()))).toBe('Invalid email or password');
    });
  });

  test('an invitation works once, for its address, and for seven days', async () => {
    const invite = async () => {
      const link = await testServer.server.inviteOperator({ email: 'new@rubadub.test', caps: ['see'] });
      return new URLSearchParams(link.split('?')[1]).get('token') ?? '';
    };
    const visitor = operatorClient(testServer);
    const earlier = await invite();
    const token = await invite();
    expect(await messageOf(visitor.readInvitation({ body: { token: earlier } }))).toContain('was used, or has expired');
    const { secret, setup, caps } = await visitor.readInvitation({ body: { token } });
    expect(caps).toEqual(['see']);
    const account = () => ({
      ...{ token, setup, email: 'new@rubadub.test', fullname: 'Newton', password: PASSWORD },
      code: codeAt(secret, testServer.now()),
    });
    const refused = { ...account(), email: 'other@rubadub.test' };
    expect(await messageOf(visitor.acceptInvitation({ body: refused }))).toContain('was used, or has expired');
    expect(await messageOf(visitor.acceptInvitation({ body: { ...account(), code: '000000' } }))).toContain('wrong');
    const [first, second] = await Promise.allSettled([
      visitor.acceptInvitation({ body: account() }),
      visitor.acceptInvitation({ body: account() }),
    ]);
    expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const late = await invite();
    testServer.advanceClock(7 * 24 * HOUR_MS);
    expect(await messageOf(visitor.readInvitation({ body: { token: late } }))).toContain('was used, or has expired');
  });

  test('a lost phone: a second operator agrees, the old phone and sessions end, and a link brings the operator back', async () => {
    const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    const lost = await createOperator(testServer, { caps: ['see'], fullname: 'Lost Phone' });
    const params = { id: lost.session.operator.id };
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    const { approvalId } = await ada.api.resetFactor({ params, body: { reason: REASON } });
    expect((await lost.api.readOperatorSession()).operator.fullname).toBe('Lost Phone');
    await grace.api.enterCode({ body: { code: grace.nextCode() } });
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'They called me' } });
    expect((await expectFailure(lost.api.readOperatorSession())).status).toBe(401);
    expect(await messageOf(signIn(lost, lost.nextCode()))).toContain('This code is wrong');
    const token = tokenOf(
      /http\S+token=\S+/.exec((await testServer.waitForMail(lost.email, 'way back')).text)?.[0] ?? '',
    );
    const visitor = operatorClient(testServer);
    const { secret, setup, fullname, caps } = await visitor.readInvitation({ body: { token } });
    expect([fullname, caps]).toEqual(['Lost Phone', ['see']]);
    // The rights of now are theirs, whatever they were when the link was made.
    await grace.api.changeRights({ params, body: { before: ['see'], caps: [], reason: REASON } });
    const back = { token, setup, email: lost.email, fullname: 'Another Name', password: 'Another-1!' };
    const join = () => visitor.acceptInvitation({ body: { ...back, code: codeAt(secret, testServer.now()) } });
    const { session } = await join();
    expect(session.operator).toEqual({ ...lost.session.operator, caps: [] });
    expect(await messageOf(join())).toContain('was used');
    testServer.advanceClock(30_000);
    await signIn(lost, codeAt(secret, testServer.now()), 'Another-1!');
    const { items } = await grace.api.listAudit({ query: { subjectId: params.id } });
    expect(items.map(({ action }) => action)).toEqual(['comeBack', 'changeRights', 'resetFactor', 'ask', 'join']);
  });

  test('the link of an operator who has left meanwhile brings nobody back', async () => {
    const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    const lost = await createOperator(testServer);
    const params = { id: lost.session.operator.id };
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    await grace.api.enterCode({ body: { code: grace.nextCode() } });
    const { approvalId } = await ada.api.resetFactor({ params, body: { reason: REASON } });
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: REASON } });
    const mail = await testServer.waitForMail(lost.email, 'way back');
    const token = tokenOf(/http\S+token=\S+/.exec(mail.text)?.[0] ?? '');
    await grace.api.endOperator({ params, body: { reason: REASON } });
    expect(await messageOf(operatorClient(testServer).readInvitation({ body: { token } }))).toContain('was used');
    expect((await expectFailure(ada.api.resetFactor({ params, body: { reason: REASON } }))).status).toBe(404);
  });

  describe('an approval', () => {
    const askForInvitation = async (asker: TestOperator, email: string) => {
      await asker.api.enterCode({ body: { code: asker.nextCode() } });
      const body = { email, caps: ['see' as const], reason: REASON };
      const { approvalId } = await asker.api.inviteOperator({ body });
      if (approvalId === null) throw new Error('nobody had to approve it');
      return { approvalId, decide: { params: { id: approvalId }, body: { reason: 'I agree' } } };
    };
    const waits = async ({ api }: TestOperator, id: string) =>
      (await api.listApprovals({ query: {} })).items.find((approval) => approval.id === id);

    test('comes from another operator with the right, and only once', async () => {
      const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
      const clerk = await createOperator(testServer, { caps: ['see'] });
      const { approvalId, decide } = await askForInvitation(ada, 'second@rubadub.test');
      expect(await waits(ada, approvalId)).toMatchObject({ canDecide: false, reason: REASON });
      expect(await waits(grace, approvalId)).toMatchObject({ canDecide: true });
      expect(await messageOf(ada.api.approve(decide))).toBe(
        'Another operator must decide about what you have asked for',
      );
      expect((await expectFailure(clerk.api.approve(decide))).status).toBe(403);
      await grace.api.enterCode({ body: { code: grace.nextCode() } });
      const results = await Promise.allSettled([grace.api.approve(decide), grace.api.approve(decide)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await testServer.waitForMail('second@rubadub.test')).subject).toBe('Run the town on Rubadub');
      const { items } = await grace.api.listAudit({ query: { q: 'inviteOperator' } });
      expect(items[0]).toMatchObject({
        by: { id: ada.session.operator.id },
        approvedBy: { id: grace.session.operator.id },
      });
    });

    test('is not asked for twice, can be declined and withdrawn, and expires after three days', async () => {
      const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
      const { approvalId, decide } = await askForInvitation(ada, 'third@rubadub.test');
      expect(await messageOf(askForInvitation(grace, 'third@rubadub.test'))).toBe(
        'This waits for another operator already',
      );
      const other = await askForInvitation(grace, 'fourth@rubadub.test');
      await ada.api.decline(other.decide);
      await grace.api.decline(decide);
      expect(await messageOf(ada.api.withdraw(decide))).toBe('This no longer waits for a decision');
      const next = await askForInvitation(ada, 'third@rubadub.test');
      expect((await expectFailure(grace.api.withdraw(next.decide))).status).toBe(404);
      await ada.api.withdraw(next.decide);
      const last = await askForInvitation(ada, 'third@rubadub.test');
      testServer.advanceClock(72 * HOUR_MS);
      testServer.server.wakeTimers();
      const again = { api: operatorClient(testServer, (await signIn(ada, ada.nextCode())).authToken) };
      await waitFor(async () => {
        const { items } = await again.api.listApprovals({ query: { state: 'all' } });
        expect(items.find(({ id }) => id === last.approvalId)?.state).toBe('expired');
        expect(items.find(({ id }) => id === approvalId)?.state).toBe('declined');
      });
    });
  });

  describe('an operator who has left, or has fewer rights', () => {
    test('has asked for nothing that still happens, and has invited nobody who still can come', async () => {
      const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
      await ada.api.enterCode({ body: { code: ada.nextCode() } });
      const body = { email: 'of-ada@rubadub.test', caps: ['see' as const], reason: REASON };
      const { approvalId } = await ada.api.inviteOperator({ body });
      await grace.api.enterCode({ body: { code: grace.nextCode() } });
      await grace.api.endOperator({ params: { id: ada.session.operator.id }, body: { reason: REASON } });
      const decide = { params: { id: approvalId ?? '' }, body: { reason: 'I agree' } };
      expect(await messageOf(grace.api.approve(decide))).toBe('This no longer waits for a decision');
      await waitFor(async () => {
        const { text } = await testServer.waitForMail(ada.email, 'have changed');
        expect(text).toContain('no operator any more');
      });
    });

    test('asks in vain once the right is gone, and a right that was taken does not come back by an old request', async () => {
      const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
      const clerk = await createOperator(testServer, { caps: ['see', 'help'] });
      const params = { id: clerk.session.operator.id };
      for (const { api, nextCode } of [ada, grace]) await api.enterCode({ body: { code: nextCode() } });
      const before = clerk.session.operator.caps;
      const { approvalId } = await ada.api.changeRights({
        ...{ params, body: { before, caps: ['see', 'help', 'dispatch'], reason: REASON } },
      });
      await grace.api.changeRights({ params, body: { before, caps: ['see'], reason: REASON } });
      const decide = { params: { id: approvalId ?? '' }, body: { reason: 'I agree' } };
      expect(await messageOf(grace.api.approve(decide))).toBe('The rights have changed since. Look at them again');
      await grace.api.decline(decide);
    });

    test('cannot approve a request about themselves', async () => {
      const [ada, grace] = [await createOperator(testServer), await createOperator(testServer, { caps: ['admin'] })];
      const params = { id: grace.session.operator.id };
      await ada.api.enterCode({ body: { code: ada.nextCode() } });
      const { approvalId } = await ada.api.changeRights({
        ...{ params, body: { before: ['admin'], caps: ['money', 'admin'], reason: REASON } },
      });
      await grace.api.enterCode({ body: { code: grace.nextCode() } });
      const decide = { params: { id: approvalId ?? '' }, body: { reason: 'Thank you' } };
      expect((await expectFailure(grace.api.approve(decide))).status).toBe(403);
      await ada.api.withdraw(decide);
    });
  });

  test('a call that is sent again with the same key is done once', async () => {
    const ada = await createOperator(testServer, { caps: ['dispatch', 'admin'] });
    const until = new Date(testServer.now().getTime() + HOUR_MS).toISOString();
    const pause = { body: { until, words: 'A storm', reason: REASON }, idempotencyKey: 'the-storm' };
    await Promise.all([ada.api.pauseTown(pause), ada.api.pauseTown(pause), ada.api.pauseTown(pause)]);
    const { items } = await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } });
    expect(items.map(({ action }) => action)).toEqual(['pauseTown', 'join']);
    const other = ada.api.openTown({ body: { reason: REASON }, idempotencyKey: 'the-storm' });
    expect((await expectFailure(other)).status).toBe(409);
    await ada.api.openTown({ body: { reason: REASON } });
  });

  test('the town takes no orders while it is paused, and says why', async () => {
    const ada = await createOperator(testServer, { caps: ['dispatch'] });
    const until = new Date(testServer.now().getTime() + HOUR_MS).toISOString();
    await ada.api.pauseTown({ body: { until, words: 'There is a storm', reason: REASON } });
    expect((await ada.api.readTown()).pause).toEqual({ until, words: 'There is a storm' });
    await ada.api.openTown({ body: { reason: REASON } });
    expect((await ada.api.readTown()).pause).toBeNull();
    expect(await messageOf(ada.api.openTown({ body: { reason: REASON } }))).toBe('The town is open');
  });

  test('each act leaves one row in the audit, which nobody can change without it being noticed', async () => {
    const { db } = testServer.server;
    const ada = await createOperator(testServer);
    const before = await verifyAuditChain(db);
    const until = (ms: number) => new Date(testServer.now().getTime() + ms).toISOString();
    const pause = (ms: number) => ada.api.pauseTown({ body: { until: until(ms), words: 'A storm', reason: REASON } });
    await Promise.all(Array.from({ length: 8 }, (_, n) => pause((n + 1) * HOUR_MS)));
    await expectFailure(pause(-HOUR_MS));
    expect(await ada.api.verifyAudit()).toMatchObject({ rows: before.rows + 8, brokenAt: null });
    const { items } = await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } });
    expect(items.map(({ action }) => action)).toEqual([...Array(8).fill('pauseTown'), 'join']);
    await expect(db.deleteFrom('audit').execute()).rejects.toThrow('the rows of the audit are never changed');
    await expect(db.updateTable('audit').set({ reason: 'another' }).execute()).rejects.toThrow('never changed');
    await db
      .updateTable('audit_head')
      .set({ hash: Buffer.alloc(32) })
      .execute();
    expect(await verifyAuditChain(db)).toMatchObject({ brokenAt: before.rows + 8 });
  });
});
