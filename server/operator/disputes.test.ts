import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { makePollDue } from '../payments/disputeMoney.ts';

describe.each(RULE_DATABASES)('chargebacks in the console, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let [ada, bo] = [] as unknown as [TestOperator, TestOperator];

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['money'], fullname: 'Ada Money' });
    bo = await createOperator(testServer, { caps: ['money'], fullname: 'Bo Money' });
  });
  afterAll(() => testServer?.close());

  const contest = async (): Promise<string> => {
    const order = await placeOrder(people);
    await people.scrub.api['accept-order']({ params: { id: order.id } });
    const { db } = testServer.server;
    const payment = await waitFor(() =>
      db
        .selectFrom('payments')
        .select('square_id as squareId')
        .where('order_id', '=', order.id)
        .where('state', '=', 'captured')
        .executeTakeFirstOrThrow(),
    );
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ payment_id: payment.squareId });
    await fetch(`${testServer.sandboxUrl}/sandbox/square/disputes`, { method: 'POST', headers, body });
    await makePollDue(db, testServer.now());
    testServer.server.wakeTimers();
    return waitFor(async () => {
      const { items } = await ada.api.listDisputes({ query: { state: 'open' } });
      return items.find(({ orderId }) => orderId === order.id)?.id ?? expect.unreachable();
    });
  };
  const read = (id: string) => ada.api.readDispute({ params: { id } });
  const approve = async (approvalId: string | null) => {
    await bo.api.approve({ params: { id: approvalId ?? expect.unreachable() }, body: { reason: 'I have checked it' } });
  };

  test('nothing is sent before it is kept, and giving up names somebody of the order', async () => {
    const id = await contest();
    const { daysLeft, ...opened } = await read(id);
    expect(opened).toMatchObject({ status: 'open', reason: 'NOT_RECEIVED', onItsWay: null });
    expect([13, 14]).toContain(daysLeft);
    const refused = { statusCode: 409 };
    await expect(ada.api.sendDispute({ params: { id }, body: { reason: 'x' } })).rejects.toMatchObject(refused);
    const accept = (liable: 'platform' | 'scrub' | 'duber') =>
      ada.api.acceptDispute({ params: { id }, body: { liable, reason: 'It never came back' } });
    // Nobody has carried it.
    await expect(accept('duber')).rejects.toMatchObject({ statusCode: 400 });
    const { approvalId } = await accept('scrub');
    expect(await read(id)).toMatchObject({ status: 'open', onItsWay: null });
    await approve(approvalId);
    await waitFor(async () => expect(await read(id)).toMatchObject({ status: 'lost', bears: 'scrub' }));
    const { items } = await ada.api.listDisputes({ query: { state: 'ended' } });
    expect(items.map((item) => item.id)).toContain(id);
  });

  test('evidence that is kept stays as it was kept, and is sent once', async () => {
    const id = await contest();
    const evidence = () => ada.api.readDisputeEvidence({ params: { id } });
    expect(await evidence()).toMatchObject({ isPrepared: false });
    await ada.api.prepareDispute({ params: { id }, body: { reason: 'The Scrub has it' } });
    const kept = await evidence();
    expect(kept.isPrepared).toBe(true);
    expect(kept.pieces.join('\n')).toContain('order Accepted by Scrub');
    const { orderId } = await read(id);
    await people.scrub.api['start-order']({ params: { id: orderId } });
    expect(await evidence()).toEqual(kept);
    const send = () => ada.api.sendDispute({ params: { id }, body: { reason: 'It is under way' } });
    const { approvalId } = await send();
    await expect(send()).rejects.toMatchObject({ statusCode: 409 });
    await approve(approvalId);
    await waitFor(async () => expect(await read(id)).toMatchObject({ status: 'sent', networkState: 'PROCESSING' }));
    await expect(send()).rejects.toMatchObject({ statusCode: 409 });
    expect((await read(id)).daysLeft).toBe(null);
  });
});
