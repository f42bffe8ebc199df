import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallFailed } from '../../contract/callClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createOrderInStatus, createParticipants } from '../../testing/orderSteps.ts';
import { openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow, queryRows } from '../db/database.ts';

// The embedded database has one session, which hides races.
describe('operators who give money back at once', () => {
  let testServer: TestServer;
  let operators: TestOperator[];
  beforeAll(async () => {
    testServer = await openTestServer('postgres');
    const caps = ['see', 'money'] as const;
    operators = [await createOperator(testServer, { caps }), await createOperator(testServer, { caps })];
    for (const { api, nextCode } of operators) await api.enterCode({ body: { code: nextCode() } });
  });
  afterAll(() => testServer?.close());

  const createCharged = async (loadSize: 'Small' | 'Large') => {
    const { id } = await createOrderInStatus(await createParticipants(testServer), 'Accepted', { loadSize });
    const isCharged = sql`select order_id from payments where order_id = ${id} and state = 'captured'`;
    await waitFor(async () => {
      if (!(await queryRow(testServer.server.db, isCharged))) throw new Error('not yet');
    });
    return id;
  };

  test('and have looked at the same amount give it back once', async () => {
    const { db } = testServer.server;
    const id = await createCharged('Small');
    const terms = { amount: 5, liable: 'platform' } as const;
    const { left } =
      (await operators[0]?.api.previewRefund({ params: { id }, query: { ...terms, amount: '5' } })) ?? {};
    const press = ({ api }: TestOperator) =>
      api.refundOrder({ params: { id }, body: { ...terms, left, reason: 'It came back late' } });
    const pressed = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => press(operators[index % 2] as TestOperator)),
    );
    const refused = pressed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(7);
    for (const error of refused) {
      expect(error).toBeInstanceOf(CallFailed);
      expect(error).toMatchObject({ statusCode: 409, code: 'refundedSince' });
    }
    expect(await queryRows(db, sql`select amount from refunds where order_id = ${id}`)).toEqual([{ amount: 500 }]);
  });

  test('ask for approval with what is left now, and what is approved is made as it was asked for', async () => {
    const [ada, grace] = operators as [TestOperator, TestOperator];
    const id = await createCharged('Large');
    const findLeft = async () => (await ada.api.previewRefund({ params: { id }, query: { liable: 'platform' } })).left;
    const give = ({ api }: TestOperator, amount: number, left: number) =>
      api.refundOrder({ params: { id }, body: { amount, left, liable: 'platform', reason: 'It came back late' } });
    const before = await findLeft();
    expect(await give(ada, 25, before)).toEqual({ approvalId: null });
    await expect(give(grace, 5.01, before)).rejects.toMatchObject({ statusCode: 409, code: 'refundedSince' });
    const left = await findLeft();
    const { approvalId } = await give(grace, 5.01, left);
    expect(await give(ada, 1, left)).toEqual({ approvalId: null });
    await ada.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    const audit = sql`select action, cents from audit where subject_id = ${id} order by id`;
    expect(await queryRows(testServer.server.db, audit)).toEqual([
      { action: 'refundOrder', cents: 2500 },
      { action: 'ask', cents: 501 },
      { action: 'refundOrder', cents: 100 },
      { action: 'refundOrder', cents: 501 },
    ]);
  });
});
