import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, operatorClient, type TestOperator } from '../../testing/operators.ts';
import { openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

const REASON = 'Because of the test';

describe('a town with one operator', () => {
  let testServer: TestServer;
  let ada: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer('embedded');
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

  async function signInAgain({ email, nextCode }: TestOperator) {
    const body = { email, password: PASSWORD, code: nextCode() };
    return operatorClient(testServer, (await operatorClient(testServer).operatorSignIn({ body })).authToken);
  }

  /** Asks to invite somebody, and waits until the mail that can stop it has left. */
  async function ask(email: string): Promise<{ id: string; text: string }> {
    const api = await signInAgain(ada);
    const { approvalId } = await api.inviteOperator({ body: { email, caps: ['see'], reason: REASON } });
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
    await later.inviteOperator({ body });
    const { items } = await later.listApprovals({ query: {} });
    expect(items.map(({ ripens }) => ripens)).toEqual([false, false]);
  });

  test('keeps somebody who can change rights', async () => {
    const api = await signInAgain(ada);
    const { id, caps } = ada.session.operator;
    const without = caps.filter((permission) => permission !== 'admin');
    const change = { params: { id }, body: { before: [...caps], caps: without, reason: REASON } };
    expect(await messageOf(api.changeRights(change))).toBe('Somebody must stay who has the right Admin');
  });
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
