import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';

const REASON = 'The account is closed';
const WEEK_MS = 7 * 24 * 60 * 60_000;

describe.each(RULE_DATABASES)('a payout that the bank sends back, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  let grace: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    await earn();
    await sendPayouts();
  });
  afterAll(() => testServer?.close());

  /** Both carry and wash an order, and its card is charged. */
  async function earn() {
    const { id } = await createOrderInStatus(people, 'Completed');
    const { deliveries } = await people.scrub.api.readOrder({ params: { id } });
    for (const delivery of deliveries) await advanceDelivery(people.duber, delivery.id);
    const { db } = testServer.server;
    await waitFor(async () => {
      const isCharged = sql`select order_id from payments where order_id = ${id} and state = 'captured'`;
      expect(await queryRow(db, isCharged)).toBeDefined();
    });
  }

  const approve = (approvalId: string | null) =>
    grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });

  /** A week later, everything that is due is sent. */
  async function sendPayouts() {
    testServer.advanceClock(WEEK_MS);
    const caps = ['see', 'help', 'money'] as const;
    [ada, grace] = [await createOperator(testServer, { caps }), await createOperator(testServer, { caps })];
    await ada.api.runPayouts({ body: { reason: 'It is Monday' } });
    const { due } = await ada.api.listPayouts({ query: {} });
    if (due.amount === 0) return;
    const { approvalId } = await ada.api.sendPayouts({ body: { amount: due.amount, reason: 'It is Monday' } });
    await approve(approvalId);
  }

  const payoutsOf = async (userId: string) =>
    (await ada.api.listPayouts({ query: {} })).items.filter(({ person }) => person.id === userId);

  test('is owed again, once, and waits until an operator knows where to send it', async () => {
    const { id } = people.scrub.user;
    const scrub = people.scrub.api;
    const [payout] = await payoutsOf(id);
    expect(payout).toMatchObject({ state: 'sent', amount: 12.5 });
    const params = { id, payoutId: payout?.id ?? '' };
    const returnIt = () => ada.api.returnPayout({ params, body: { reason: REASON } });
    const before = await scrub.earnings();
    const ofAnother = { ...params, id: people.duber.user.id };
    expect((await expectFailure(ada.api.returnPayout({ params: ofAnother, body: { reason: REASON } }))).status).toBe(
      404,
    );

    const { approvalId } = await returnIt();
    expect(await scrub.earnings()).toEqual(before);
    await approve(approvalId);
    expect(await scrub.earnings()).toMatchObject({
      ...{ totalEarning: before.totalEarning, weeks: before.weeks },
      ...{ balance: before.balance + 12.5, paidOut: before.paidOut - 12.5, held: 12.5 },
      payouts: [{ id: params.payoutId, status: 'returned' }],
    });
    expect(await scrub.earningLines({ query: {} })).toMatchObject([
      { kind: 'payout-returned', amount: 12.5, waitsFor: 'account' },
    ]);
    const { text } = await testServer.waitForMail(people.scrub.user.email, 'sent a payout back');
    expect(text).toContain('our payout of $12.50');
    expect((await expectFailure(returnIt())).message).toBe('This payout has come back already');
    await sendPayouts();
    expect(await payoutsOf(id)).toHaveLength(1);

    const { approvalId: lift } = await ada.api.liftHold({ params: { id }, body: { kind: 'payout', reason: REASON } });
    await approve(lift);
    await sendPayouts();
    expect((await payoutsOf(id)).map(({ state, amount }) => [state, amount])).toEqual([
      ['sent', 12.5],
      ['returned', 12.5],
    ]);
    expect(await scrub.earnings()).toMatchObject({ balance: 0, paidOut: 12.5 });
    expect(await findAuditProblems(testServer.server.db)).toEqual([]);
  });

  test('can come back only once it was sent, and two operators who say so at the same time say it once', async () => {
    await earn();
    testServer.advanceClock(WEEK_MS);
    const { id } = people.duber.user;
    const caps = ['see', 'help', 'money'] as const;
    [ada, grace] = [await createOperator(testServer, { caps }), await createOperator(testServer, { caps })];
    await ada.api.runPayouts({ body: { reason: 'It is Monday' } });
    const [due, sent] = await payoutsOf(id);
    expect([due?.state, sent?.state]).toEqual(['due', 'sent']);
    const returnIt = ({ api }: TestOperator, payoutId = '') =>
      api.returnPayout({ params: { id, payoutId }, body: { reason: REASON } });
    expect((await expectFailure(returnIt(ada, due?.id))).message).toBe('This payout was not sent yet');
    const asked = await Promise.allSettled([returnIt(ada, sent?.id), returnIt(grace, sent?.id)]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await payoutsOf(id)).toMatchObject([{ state: 'due' }, { state: 'sent' }]);
  });
});
