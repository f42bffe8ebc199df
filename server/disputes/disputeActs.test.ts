import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClaimForTown } from '../../testing/caseCalls.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { createPromo } from '../../testing/promos.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { makePollDue } from '../payments/earnings/disputeMoney.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { takeDueRefund } from '../payments/refunds/refunds.sql.ts';

describe.each(RULE_DATABASES)('chargebacks in the console, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let [ada, bo] = [] as unknown as [TestOperator, TestOperator];

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['see', 'help', 'dispatch', 'money'], fullname: 'Ada Money' });
    bo = await createOperator(testServer, { caps: ['money'], fullname: 'Bo Money' });
  });
  afterAll(() => testServer?.close());

  const accepted = async (more?: object): Promise<string> => {
    const { id } = await placeOrder(people, more);
    await people.scrub.api['accept-order']({ params: { id } });
    return id;
  };
  const atBank = (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const url = `${testServer.sandboxUrl}/sandbox/square/disputes${path}`;
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const look = async () => {
    await makePollDue(testServer.server.db, testServer.now());
    testServer.server.wakeTimers();
  };
  const contest = async (more: { orderId?: string; amount?: number } = {}): Promise<string> => {
    const { orderId = await accepted(), amount } = more;
    const { db } = testServer.server;
    const payment = await waitFor(() =>
      db
        .selectFrom('payments')
        .select('square_id as squareId')
        .where('order_id', '=', orderId)
        .where('state', '=', 'captured')
        .executeTakeFirstOrThrow(),
    );
    const money = amount === undefined ? {} : { amount_money: { amount, currency: 'USD' } };
    await atBank('', { payment_id: payment.squareId, ...money });
    await look();
    return waitFor(async () => {
      const { items } = await ada.api.listDisputes({ query: { state: 'open' } });
      return items.find((item) => item.orderId === orderId)?.id ?? expect.unreachable();
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

  /** A claim that waits for the town, on an order whose payment the bank has given back. */
  const lose = async (amount?: number) => {
    const caseId = await createClaimForTown({ testServer, participants: people });
    const { orderId, left } = await ada.api.readTownCase({ params: { id: caseId } });
    if (orderId === null) return expect.unreachable();
    const id = await contest({ orderId, ...(amount === undefined ? {} : { amount }) });
    const { squareId } = await testServer.server.db
      .selectFrom('disputes')
      .select('square_id as squareId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await atBank(`/${squareId}`, { state: 'LOST' });
    await look();
    await waitFor(async () => expect((await read(id)).status).toBe('lost'));
    return { caseId, orderId, paid: left ?? 0 };
  };
  const give = (id: string, amount: number) =>
    ada.api.decideCase({
      params: { id },
      body: { items: [{ n: 1, amount, liable: 'platform' }], words: 'The photo shows it.', reason: 'x' },
    });
  const refund = (id: string, amount: number) =>
    ada.api.refundOrder({ params: { id }, body: { amount, liable: 'platform', reason: 'late' } });
  const refundsOf = (orderId: string) =>
    testServer.server.db.selectFrom('refunds').select('amount').where('order_id', '=', orderId).execute();

  test('money that the bank has given back is not given back again, and the operator reads why', async () => {
    const { caseId, orderId, paid } = await lose();
    const taken = `the bank has taken $${paid.toFixed(2)} of it back`;
    expect((await expectFailure(give(caseId, 5))).message).toBe(
      `$0.00 of what was paid is left for this case: ${taken}`,
    );
    expect((await ada.api.readTownCase({ params: { id: caseId } })).left).toBe(0);
    const query = { liable: 'platform', amount: '5' } as const;
    const preview = await ada.api.previewRefund({ params: { id: orderId }, query });
    expect(preview).toMatchObject({ left: 0, problem: `Nothing of it is left: ${taken}` });
    expect((await expectFailure(refund(orderId, 5))).message).toBe(`Nothing of it is left: ${taken}`);
    expect(await refundsOf(orderId)).toEqual([]);
    // Without money, the case can still be decided.
    expect(await give(caseId, 0)).toEqual({ approvalId: null });
  });

  test('when the bank has given a part back, only the rest can be given back', async () => {
    const { caseId, orderId, paid } = await lose(2000);
    const left = Math.round(paid * 100) - 2000;
    expect((await expectFailure(give(caseId, left / 100 + 0.01))).message).toBe(
      `$${(left / 100).toFixed(2)} of what was paid is left for this case: the bank has taken $20.00 of it back`,
    );
    expect((await expectFailure(refund(orderId, left / 100 + 0.01))).message).toBe(
      `The amount must be from 1 to ${left} cents: the bank has taken $20.00 of it back`,
    );
    expect(await give(caseId, left / 100)).toEqual({ approvalId: null });
    expect(await refundsOf(orderId)).toEqual([{ amount: left }]);
  });

  const cancel = {
    Bud: (id: string) => people.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } }),
    operator: (id: string) =>
      ada.api['order-cancel-by-operator']({ params: { id }, body: { why: 'fraud', reason: 'The card was stolen' } }),
  };
  const decideAtBank = async (disputeId: string, state: 'LOST' | 'WON') => {
    const { db } = testServer.server;
    const disputes = db.selectFrom('disputes').select('square_id as squareId').where('id', '=', disputeId);
    await atBank(`/${(await disputes.executeTakeFirstOrThrow()).squareId}`, { state });
    await look();
    await waitFor(async () => expect((await read(disputeId)).status).toBe(state.toLowerCase()));
  };
  const waitForRefund = (orderId: string, wanted: { state: string; why?: string }) =>
    waitFor(async () => {
      const { db } = testServer.server;
      const refunds = db.selectFrom('refunds').where('order_id', '=', orderId).select(['id', 'state', 'failure']);
      const { id, state, failure } = await refunds.executeTakeFirstOrThrow();
      expect(state).toBe(wanted.state);
      if (wanted.why !== undefined) expect(failure).toContain(wanted.why);
      return id;
    });

  const sumsOf = async (orderId: string): Promise<Record<string, number>> => {
    const { rows } = await sql<{ account: string; cents: number }>`select l.account, sum(l.amount)::int as cents
      from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where e.order_id = ${orderId} and l.kind <> 'card-fee' group by l.account having sum(l.amount) <> 0`.execute(
      testServer.server.db,
    );
    return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
  };
  /** The platform bears the lost chargeback, and keeps what nobody had earned of it. */
  const lostAndKept = (cents: number) => ({ 'refund-costs': cents, 'platform-revenue': -cents });

  test.each(['Bud', 'operator'] as const)(
    'an order that its %s cancels after the bank gave the money back gives it back no second time',
    async (who) => {
      const orderId = await accepted();
      await decideAtBank(await contest({ orderId }), 'LOST');
      expect(await people.bud.api.readCancellation({ params: { id: orderId } })).toMatchObject({ refund: 0 });
      await cancel[who](orderId);
      const refundId = await waitForRefund(orderId, { state: 'stuck', why: 'The bank has taken' });
      await ada.api.dropRefund({ params: { id: refundId }, body: { reason: 'The bank has paid them' } });
      expect(await sumsOf(orderId), 'the platform neither keeps nor pays anything').toEqual(lostAndKept(2683));
      expect(await findAuditProblems(testServer.server.db)).toEqual([]);
    },
  );

  test.each([
    ['LOST', 'is not made by trying again', 'stuck'],
    ['WON', 'is made by trying again', 'pending'],
  ] as const)(
    'once a chargeback is %s, a refund of an order that was cancelled meanwhile %s',
    async (state, _, then) => {
      const orderId = await accepted();
      const disputeId = await contest({ orderId });
      await cancel.operator(orderId);
      const refundId = await waitForRefund(orderId, { state: 'stuck', why: 'The bank has taken' });
      await decideAtBank(disputeId, state);
      await ada.api.retryProblem({ params: { id: refundId }, body: { reason: 'The bank has decided' } });
      await waitForRefund(orderId, { state: then });
    },
  );

  /** A server takes the refund and dies before it has asked the card network. */
  const takeAndDie = (refundId: string) =>
    holdTransaction(testServer.server.db, async (tx) => {
      const now = testServer.now();
      const before = { state: 'asking', tries: 0, due_at: new Date(0) } as const;
      await tx.updateTable('refunds').set(before).where('id', '=', refundId).execute();
      expect(await takeDueRefund(tx, now)).toMatchObject({ id: refundId });
      await tx.updateTable('refunds').set({ due_at: now }).where('id', '=', refundId).execute();
    });

  test('a server that dies before it has said that a refund needs a person does not make the next one send it', async () => {
    const orderId = await accepted();
    await decideAtBank(await contest({ orderId }), 'LOST');
    await cancel.Bud(orderId);
    const refundId = await waitForRefund(orderId, { state: 'stuck', why: 'The bank has taken' });
    await takeAndDie(refundId);
    testServer.server.wakeTimers();
    await waitForRefund(orderId, { state: 'stuck', why: 'The bank has taken' });
  });

  const refundsInParts = (orderId: string, wanted: readonly string[]) =>
    waitFor(async () => {
      const { db } = testServer.server;
      const refunds = db.selectFrom('refunds').where('order_id', '=', orderId).select(['id', 'amount', 'state']);
      const rows = await refunds.orderBy('created_at').orderBy('id').execute();
      expect(rows.map(({ amount, state }) => `${amount} ${state}`)).toEqual(wanted);
      return rows.map(({ id }) => id);
    });

  test.each([
    ['the whole price', 0, { page: 16.83, refunds: ['1683 refunded', '1000 stuck'] }],
    ['a part of the price, and a promo code the rest', 5, { page: 11.83, refunds: ['1183 refunded', '1000 stuck'] }],
    ['less than the bank gave back', 17, { page: 0, refunds: ['0 refunded', '983 stuck'] }],
  ] as const)(
    'a Bud who cancels after the bank gave a part back gets the rest, as the page said, when the card paid %s',
    async (_, off, { page, refunds }) => {
      const promo = off === 0 ? undefined : await createPromo(testServer, { kind: 'amount', value: off * 100 });
      const orderId = await accepted(promo && { promoCode: promo.code });
      await decideAtBank(await contest({ orderId, amount: 1000 }), 'LOST');
      expect(await people.bud.api.readCancellation({ params: { id: orderId } })).toMatchObject({ refund: page });
      await cancel.Bud(orderId);
      const [, ofBank = ''] = await refundsInParts(orderId, refunds);
      await ada.api.dropRefund({ params: { id: ofBank }, body: { reason: 'The bank has paid it' } });
      expect(await sumsOf(orderId)).toEqual(lostAndKept(Math.min(1000, 2683 - off * 100)));
      expect(await findAuditProblems(testServer.server.db)).toEqual([]);
    },
  );

  test.each([
    ['LOST', '1000 stuck'],
    ['WON', '1000 refunded'],
  ] as const)(
    'once a chargeback of a part is %s, the part of an order that was cancelled meanwhile is %s',
    async (state, then) => {
      const orderId = await accepted();
      const disputeId = await contest({ orderId, amount: 1000 });
      await cancel.Bud(orderId);
      const [ofCard = '', ofBank = ''] = await refundsInParts(orderId, ['1683 stuck', '1000 stuck']);
      await decideAtBank(disputeId, state);
      const retry = (id: string) => ada.api.retryProblem({ params: { id }, body: { reason: 'The bank has decided' } });
      await retry(ofBank);
      await refundsInParts(orderId, ['1683 stuck', then]);
      await retry(ofCard);
      await refundsInParts(orderId, ['1683 refunded', then]);
    },
  );
});
