import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { createFastSquareCards } from '../../testing/paymentStress/killableServer.ts';
import { type SquareSandbox, startSquareSandbox } from '../../testing/squareSandbox.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { readConfig } from '../config/config.ts';
import type { Context } from '../context.ts';
import { queryRow, queryRows, transact } from '../db/database.ts';
import { runTimers } from '../jobs/timers.ts';
import { lockOrder } from '../orders/orders.sql.ts';
import type { CardDisputes } from '../payments/card/cards.ts';
import { makePollDue } from '../payments/earnings/disputeMoney.ts';
import { lockPayment } from '../payments/earnings/earnings.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { runPayouts } from '../payments/payouts/payouts.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { processDueDisputeCall, runDisputeJobs } from './disputeCalls.ts';
import { pollDisputes, recordDispute } from './disputes.ts';
import { DISPUTE_TIMERS } from './disputeTimers.ts';
import { takeDisputeStep } from './steps.ts';

const NOON = '2026-11-18T12:00:00Z';
const ADA = { role: 'Operator', id: null, name: 'Ada' } as const;
const daysLater = (days: number) => new Date(Date.parse(NOON) + days * 24 * 60 * 60_000).toISOString();

describe.each(RULE_DATABASES)('chargebacks on %s', (kind) => {
  let sandbox: SquareSandbox;
  let harness: PaymentHarness;
  let context: Context;
  beforeAll(async () => {
    sandbox = await startSquareSandbox();
    sandbox.setClock(NOON);
    harness = await openPaymentHarness(kind, createFastSquareCards(sandbox.url));
    const config = readConfig({ SUPPORT_EMAIL: 'town@rubadub.test' });
    context = { ...harness.context, config };
  });
  afterAll(async () => {
    await harness.close();
    await sandbox.stop();
  });

  const bank = async (path: string, payload: object) => {
    const url = `/sandbox/square/disputes${path}`;
    const { statusCode, body } = await sandbox.app().inject({ method: 'POST', url, payload });
    expect(statusCode, body).toBeLessThan(300);
    return JSON.parse(body).dispute as { id: string; state: string; evidence_ids: string[] };
  };
  /** An order that was done, and whose payment is contested. */
  async function contest(payload: object = {}) {
    const orderId = await harness.createOrder('Delivered', { paymentSourceId: 'cnon:card-nonce-ok' });
    await harness.runPaymentJobs();
    const payment = await queryRow<{ squareId: string }>(
      harness.database.db,
      sql`select square_id as "squareId" from payments where order_id = ${orderId}`,
    );
    const { id } = await bank('', { payment_id: payment?.squareId, reason: 'NOT_RECEIVED', ...payload });
    return { orderId, squareId: id };
  }
  async function look() {
    await transact(harness.database.db, (tx) => makePollDue(tx, harness.context.now()));
    while (await runDisputeJobs(context)) {}
  }
  const rowOf = async (squareId: string) =>
    (await queryRow<{ id: string; status: string; call: string | null; failure: string | null }>(
      harness.database.db,
      sql`select id, status, call, failure from disputes where square_id = ${squareId}`,
    )) ?? expect.unreachable();
  const atNetwork = async (squareId: string) => {
    const headers = { authorization: 'Bearer any' };
    const answer = await fetch(`${sandbox.url}/v2/disputes/${squareId}`, { headers });
    return ((await answer.json()) as { dispute: { state: string; evidence_ids: string[] } }).dispute;
  };
  const linesOf = async (orderId: string) =>
    (
      await queryRows<{ line: string }>(
        harness.database.db,
        sql`select concat_ws(' ', l.kind, l.account, l.amount) as line
          from ledger_entries e join ledger_lines l on l.entry_id = e.id
          where e.order_id = ${orderId} and e.kind in ('disputed', 'dispute-won', 'dispute-lost') order by e.id, l.position`,
      )
    ).map(({ line }) => line);
  const openHolds = (orderId: string) =>
    queryRows<{ account: string }>(
      harness.database.db,
      sql`select distinct account from payout_holds where order_id = ${orderId} and reason = 'chargeback' and ended_at is null
        order by account`,
    );
  const noProblems = async () => expect(await findAuditProblems(harness.database.db)).toEqual([]);
  const DISPUTED = ['disputed disputes 2683', 'disputed card-clearing -2683'];

  test('a chargeback that a webhook and the poll see at the same time is stored once', async () => {
    const { orderId, squareId } = await contest();
    const { disputes } = await harness.context.cards.disputes.list();
    const found = disputes.find((dispute) => dispute.squareId === squareId) ?? expect.unreachable();
    await Promise.all(Array.from({ length: 4 }, () => recordDispute(context, found)));
    await look();
    expect(await linesOf(orderId)).toEqual(DISPUTED);
    const cases = await queryRows(
      harness.database.db,
      sql`select priority, reason from cases where order_id = ${orderId} and kind = 'chargeback'`,
    );
    expect(cases).toEqual([{ priority: 'high', reason: 'NOT_RECEIVED' }]);
    const events = await queryRows<{ words: string }>(
      harness.database.db,
      sql`select words from steps join cases on subject_kind = 'case' and subject_id = cases.id where order_id = ${orderId}`,
    );
    expect(events.map(({ words }) => words)).toEqual([
      expect.stringMatching(
        /at their bank\. They say that they got nothing\.( The bank wants an answer by \d\d \w{3} \d{4}\.)?$/,
      ),
    ]);
    expect(await openHolds(orderId)).toEqual([{ account: 'duber' }, { account: 'scrub' }]);
    await noProblems();
  });

  test('a chargeback that the bank reports waits for a step of its order, and the two do not deadlock', async () => {
    const { orderId, squareId } = await contest();
    const { disputes } = await harness.context.cards.disputes.list();
    const found = disputes.find((dispute) => dispute.squareId === squareId) ?? expect.unreachable();
    const { db } = harness.database;
    const { reported } = await holdTransaction(db, async (tx) => {
      await lockOrder(tx, SYSTEM, orderId);
      const reported = recordDispute(context, found);
      await waitForLockWaits(db);
      // Fails when the report, which waits for the order, has locked the payment: each would wait for the other.
      await sql`set local lock_timeout = '200ms'`.execute(tx);
      await lockPayment(tx, orderId);
      return { reported };
    });
    await reported;
    expect((await rowOf(squareId)).status).toBe('open');
  });

  test('while it is open nobody is paid for the order, and after it is won they are', async () => {
    const { orderId, squareId } = await contest();
    await look();
    harness.setClock(daysLater(14));
    await runPayouts(context);
    const paidLines = () =>
      queryRow<{ paid: number }>(
        harness.database.db,
        sql`select count(*)::int as paid from payout_lines k join ledger_entries e on e.id = k.entry_id
          where e.order_id = ${orderId}`,
      );
    expect(await paidLines()).toEqual({ paid: 0 });
    await bank(`/${squareId}`, { state: 'WON' });
    await look();
    expect((await rowOf(squareId)).status).toBe('won');
    expect(await linesOf(orderId)).toEqual([
      ...DISPUTED,
      'dispute-won card-clearing 2683',
      'dispute-won disputes -2683',
    ]);
    await look();
    expect(await linesOf(orderId)).toHaveLength(4);
    expect(await openHolds(orderId)).toEqual([]);
    harness.setClock(daysLater(21));
    await runPayouts(context);
    expect((await paidLines())?.paid).toBeGreaterThan(0);
    await noProblems();
    harness.setClock(NOON);
  });

  test('the platform bears one that the bank decides against us', async () => {
    const { orderId, squareId } = await contest();
    await look();
    await bank(`/${squareId}`, { state: 'LOST' });
    await Promise.all([look(), look()]);
    await look();
    expect(await linesOf(orderId)).toEqual([
      ...DISPUTED,
      'dispute-lost refund-costs 2683',
      'dispute-lost disputes -2683',
    ]);
    await noProblems();
  });

  test('a bank that asks again after it got evidence waits for another answer', async () => {
    const { orderId, squareId, id } = await decideOne();
    await look();
    expect(await rowOf(squareId)).toMatchObject({ status: 'sent' });
    const cases = () =>
      queryRows(harness.database.db, sql`select status from cases where order_id = ${orderId} and kind = 'chargeback'`);
    await sql`update cases set status = 'closed' where order_id = ${orderId}`.execute(harness.database.db);
    await bank(`/${squareId}`, { state: 'EVIDENCE_REQUIRED' });
    const [asked] = (await context.cards.disputes.list()).disputes.filter((one) => one.squareId === squareId);
    await Promise.all([look(), look()]);
    expect(await rowOf(squareId)).toEqual({ id, status: 'open', call: null, failure: null });
    expect(await cases()).toEqual([{ status: 'closed' }, { status: 'with-town' }]);
    const warnings = sql`select due_at from timers where subject_id = ${id} and action = 'warn'`;
    expect(await queryRows(harness.database.db, warnings)).toHaveLength(1);
    for (const action of ['prepare', 'send'] as const) await takeDisputeStep(context, ADA, { id, action });
    await look();
    // A list that was read before the second answer changes nothing.
    await recordDispute(context, asked as NonNullable<typeof asked>);
    expect(await rowOf(squareId)).toMatchObject({ status: 'sent' });
    await bank(`/${squareId}`, { state: 'WON' });
    await look();
    expect(await rowOf(squareId)).toMatchObject({ status: 'won' });
    await noProblems();
  });

  test('an inquiry moves no money, and its end neither', async () => {
    const { orderId, squareId } = await contest({ state: 'INQUIRY_EVIDENCE_REQUIRED' });
    await look();
    expect(await openHolds(orderId)).toHaveLength(2);
    await bank(`/${squareId}`, { state: 'INQUIRY_CLOSED' });
    await look();
    expect((await rowOf(squareId)).status).toBe('won');
    expect(await linesOf(orderId)).toEqual([]);
    await noProblems();
  });

  test('an accepted chargeback is borne by the person who was named', async () => {
    const { orderId, squareId } = await contest();
    await look();
    const { id } = await rowOf(squareId);
    const userId = harness.users.scrubs[0]?.id as string;
    await takeDisputeStep(context, ADA, { id, action: 'accept', liable: 'scrub', personId: userId });
    expect((await atNetwork(squareId)).state).toBe('EVIDENCE_REQUIRED');
    await look();
    expect((await atNetwork(squareId)).state).toBe('ACCEPTED');
    expect(await linesOf(orderId)).toEqual([...DISPUTED, 'dispute-lost scrub 2683', 'dispute-lost disputes -2683']);
    await noProblems();
  });

  /** A chargeback whose evidence is to be sent. */
  async function decideOne() {
    const contested = await contest();
    await look();
    const { id } = await rowOf(contested.squareId);
    await takeDisputeStep(context, ADA, { id, action: 'prepare' });
    await takeDisputeStep(context, ADA, { id, action: 'send' });
    return { ...contested, id };
  }
  const withDisputes = (disputes: Partial<CardDisputes>): Context => ({
    ...context,
    cards: { ...context.cards, disputes: { ...context.cards.disputes, ...disputes } },
  });

  test('a server that dies before the evidence is sent, or before it knows that it was, sends it once', async () => {
    const { squareId, id } = await decideOne();
    const { sendEvidence } = context.cards.disputes;
    const die = () => Promise.reject(new Error('the server died'));
    const afterwards = () => {
      harness.setClock(new Date(harness.context.now().getTime() + 60_000).toISOString());
    };
    await expect(processDueDisputeCall(withDisputes({ sendEvidence: die }))).rejects.toThrow('died');
    // Another worker does not take it meanwhile.
    expect(await processDueDisputeCall(context)).toBe(false);
    afterwards();
    const dieAfter: CardDisputes['sendEvidence'] = (...args) => sendEvidence(...args).then(die);
    await expect(processDueDisputeCall(withDisputes({ sendEvidence: dieAfter }))).rejects.toThrow('died');
    const { state, evidence_ids } = await atNetwork(squareId);
    expect(state).toBe('PROCESSING');
    afterwards();
    expect(await processDueDisputeCall(context)).toBe(true);
    expect(await processDueDisputeCall(context)).toBe(false);
    expect(await rowOf(squareId)).toEqual({ id, status: 'sent', call: null, failure: null });
    expect((await atNetwork(squareId)).evidence_ids).toEqual(evidence_ids);
    await expect(takeDisputeStep(context, ADA, { id, action: 'send' })).rejects.toThrow('sent');
  });

  test('evidence of a chargeback that was decided meanwhile is not sent, and that of an open one waits while the card network is away', async () => {
    const { squareId } = await decideOne();
    await sandbox.app().inject({
      method: 'POST',
      url: '/sandbox/square/faults',
      payload: { on: 'dispute', how: 'unavailable', times: 1 },
    });
    expect(await processDueDisputeCall(context)).toBe(true);
    expect(await rowOf(squareId)).toMatchObject({ status: 'prepared', call: 'send' });
    await bank(`/${squareId}`, { state: 'LOST' });
    await look();
    expect(await rowOf(squareId)).toMatchObject({ status: 'lost', call: null });
    expect((await atNetwork(squareId)).evidence_ids).toEqual([]);
    await noProblems();
  });

  test('the town is warned once, two days before the bank stops waiting', async () => {
    const { squareId } = await contest({ days: 9 });
    await look();
    const mails = () =>
      queryRows<{ recipient: string }>(
        harness.database.db,
        sql`select recipient from notifications where kind = 'account'
          and rendered_mail ->> 'text' like ${`%/chargebacks/${id}%`}`,
      );
    const { id } = await rowOf(squareId);
    await runTimers(context, [DISPUTE_TIMERS]);
    expect(await mails()).toEqual([]);
    harness.setClock(daysLater(7.1));
    while ((await runTimers(context, [DISPUTE_TIMERS])) > 0) {}
    expect(await mails()).toEqual([{ recipient: 'town@rubadub.test' }]);
    harness.setClock(NOON);
  });

  test('the town is warned again when the bank waits longer, and when the card network refuses an answer', async () => {
    const { squareId } = await contest({ days: 9 });
    await look();
    const { id } = await rowOf(squareId);
    const dueAtOfWarning = async () =>
      (
        await queryRow<{ dueAt: Date }>(
          harness.database.db,
          sql`select due_at as "dueAt" from timers where subject_kind = 'dispute' and subject_id = ${id}`,
        )
      )?.dueAt.toISOString();
    expect(await dueAtOfWarning()).toBe(new Date(daysLater(7)).toISOString());
    const { disputes } = await harness.context.cards.disputes.list();
    const found = disputes.find((dispute) => dispute.squareId === squareId) ?? expect.unreachable();
    await recordDispute(context, { ...found, dueAt: new Date(daysLater(12)) });
    expect(await dueAtOfWarning()).toBe(new Date(daysLater(10)).toISOString());
    await takeDisputeStep(context, ADA, { id, action: 'prepare' });
    await takeDisputeStep(context, ADA, { id, action: 'send' });
    harness.setClock(daysLater(10.1));
    while ((await runTimers(context, [DISPUTE_TIMERS])) > 0) {}
    expect(await dueAtOfWarning()).toBeUndefined();
    const refused = { kind: 'refused', reason: 'UNKNOWN_EVIDENCE' } as const;
    const cards = {
      ...context.cards,
      disputes: { ...context.cards.disputes, sendEvidence: async () => refused },
    } as unknown as Context['cards'];
    expect(await processDueDisputeCall({ ...context, cards })).toBe(true);
    expect(await dueAtOfWarning()).toBeDefined();
    harness.setClock(NOON);
  });

  test('of two chargebacks of one order, the end of the first one pays out nothing', async () => {
    const { orderId, squareId } = await contest({ amount_money: { amount: 500, currency: 'USD' } });
    await look();
    const { disputes } = await harness.context.cards.disputes.list();
    const first = disputes.find((dispute) => dispute.squareId === squareId) ?? expect.unreachable();
    const second = { ...first, squareId: `${squareId}-2` };
    await recordDispute(context, second);
    await recordDispute(context, { ...first, state: 'WON' });
    expect(await openHolds(orderId)).toEqual([{ account: 'duber' }, { account: 'scrub' }]);
    await recordDispute(context, { ...second, state: 'WON' });
    expect(await openHolds(orderId)).toEqual([]);
  });

  test('it is asked for once an hour, and soon when the card network says that something has changed', async () => {
    const at = harness.context.now().getTime();
    await look();
    expect(await pollDisputes(context)).toBe(false);
    harness.setClock(new Date(at + 60 * 60_000).toISOString());
    expect(await pollDisputes(context)).toBe(true);
    expect(await pollDisputes(context)).toBe(false);
    await transact(harness.database.db, (tx) => makePollDue(tx, harness.context.now()));
    expect(await pollDisputes(context)).toBe(true);
    harness.setClock(NOON);
  });
});
