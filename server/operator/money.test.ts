import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/durations.ts';
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
import { queryRow, queryRows } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { writeSetting } from '../town/settings.sql.ts';

const REASON = 'It came back a day late';

const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

describe.each(RULE_DATABASES)('the money of the console, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  let grace: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    await resignIn();
  });
  afterAll(() => testServer?.close());

  const db = () => testServer.server.db;
  const until = (isSo: () => Promise<boolean>) =>
    waitFor(async () => {
      if (!(await isSo())) throw new Error('not yet');
    });
  const enterCodes = async () => {
    for (const { api, nextCode } of [ada, grace]) await api.enterCode({ body: { code: nextCode() } });
  };
  const createCharged = async (status: 'Accepted' | 'Completed' = 'Accepted', more: object = {}) => {
    const { id } = await createOrderInStatus(people, status, more);
    const isCharged = sql`select order_id from payments where order_id = ${id} and state = 'captured'`;
    await until(async () => (await queryRow(db(), isCharged)) !== undefined);
    return id;
  };
  const createDelivered = async () => {
    const id = await createCharged('Completed');
    const { deliveries } = await people.scrub.api.readOrder({ params: { id } });
    for (const delivery of deliveries) await advanceDelivery(people.duber, delivery.id);
    return id;
  };
  const give = ({ api }: TestOperator, id: string, amount: number, more: object = {}) =>
    api.refundOrder({ params: { id }, body: { amount, liable: 'platform', reason: REASON, ...more } });
  const settle = () =>
    until(async () => !(await queryRow(db(), sql`select id from refunds where state not in ('refunded', 'dropped')`)));
  const auditOf = (id: string) =>
    queryRows<{ action: string; cents: number | null; second: string | null }>(
      db(),
      sql`select action, cents, approved_by_name as second from audit where subject_id = ${id} order by id`,
    );
  const approve = async ({ api }: TestOperator, approvalId: string | null) =>
    api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
  const startDay = async () => {
    testServer.advanceClock(25 * HOUR_MS);
    await resignIn();
  };
  /** Sessions last 12 hours. */
  const resignIn = async () => {
    [ada, grace] = [
      await createOperator(testServer, { caps: ['see', 'money'] }),
      await createOperator(testServer, { caps: ['see', 'money', 'admin'] }),
    ];
  };

  test('a refund within the limits is made at once, and leaves one row in the audit', async () => {
    await enterCodes();
    const id = await createCharged();
    expect(await give(ada, id, 13.41)).toEqual({ approvalId: null });
    await settle();
    const { movements } = await people.bud.api.readReceipt({ params: { id } });
    expect(movements.at(-1)).toMatchObject({ kind: 'refunded', amount: 13.41 });
    expect(await auditOf(id)).toEqual([{ action: 'refundOrder', cents: 1341, second: null }]);
  });

  test('an impossible refund is refused, and leaves no row', async () => {
    await enterCodes();
    const [requested, accepted] = [(await createOrderInStatus(people, 'Requested')).id, await createCharged()];
    expect(await messageOf(give(ada, requested, 1))).toContain('only a captured payment can be refunded');
    expect(await messageOf(give(ada, accepted, 500))).toBe('The amount must be from 1 to 2683 cents');
    expect(await messageOf(give(ada, accepted, 1, { liable: 'duber' }))).toBe('No Duber carried it');
    for (const liable of ['platform', 'scrub'] as const)
      expect(await messageOf(give(ada, accepted, 1, { liable, deliveryId: accepted }))).toBe(
        'Name a delivery only where its Duber bears it',
      );
    expect((await expectFailure(give(ada, ada.session.operator.id, 1))).status).toBe(404);
    for (const amount of [0, -1, 0.001, 1.005, Number.NaN]) await expectFailure(give(ada, accepted, amount));
    expect([...(await auditOf(requested)), ...(await auditOf(accepted))]).toEqual([]);
  });

  test('all operators together refund at most $30 of one order without approval', async () => {
    await enterCodes();
    const id = await createCharged('Accepted', { loadSize: 'Large' });
    expect(await give(ada, id, 25)).toEqual({ approvalId: null });
    const { approvalId } = await give(grace, id, 5.01);
    expect(approvalId).not.toBeNull();
    expect(await messageOf(approve(grace, approvalId))).toBe(
      'Another operator must decide about what you have asked for',
    );
    expect(await messageOf(give(ada, id, 5.01))).toBe('This waits for another operator already');
    expect(await give(ada, await createCharged(), 10)).toEqual({ approvalId: null });
    await approve(ada, approvalId);
    // What two have agreed on does not count.
    await settle();
    expect(await give(ada, id, 5)).toEqual({ approvalId: null });
    expect((await give(ada, id, 0.01)).approvalId).not.toBeNull();
    expect(await auditOf(id)).toMatchObject([
      { action: 'refundOrder', cents: 2500, second: null },
      { action: 'ask', cents: 501 },
      { action: 'refundOrder', cents: 501, second: ada.session.operator.fullname },
      { action: 'refundOrder', cents: 500, second: null },
      { action: 'ask', cents: 1 },
    ]);
  });

  test('one operator refunds at most $150 a day without approval, also with ten requests at once', async () => {
    await startDay();
    const orders: string[] = [];
    for (let n = 0; n < 10; n += 1) orders.push(await createCharged());
    const answers = await Promise.all(orders.map((id) => give(ada, id, 20)));
    expect(answers.filter(({ approvalId }) => approvalId === null)).toHaveLength(7);
    const { items } = await grace.api.listApprovals({ query: {} });
    expect(items.filter(({ orderNumber, amount }) => orderNumber && amount === 20)).toHaveLength(3);
    expect(await give(grace, await createCharged(), 20)).toEqual({ approvalId: null });
    const rows = await queryRow<{ alone: number; asked: number }>(
      db(),
      sql`select coalesce(sum(cents) filter (where action = 'refundOrder'), 0)::int as alone,
        count(*) filter (where action = 'ask')::int as asked from audit where operator_id = ${ada.session.operator.id}`,
    );
    expect(rows).toEqual({ alone: 14_000, asked: 3 });
  });

  test("a day begins at midnight of the town's time zone", async () => {
    await startDay();
    const midnight = (timeZone: string) =>
      queryRow<{ ms: number }>(
        db(),
        sql`select extract(epoch from ((date_trunc('day', ${testServer.now()}::timestamptz at time zone ${timeZone})
          + interval '1 day') at time zone ${timeZone}) - ${testServer.now()}::timestamptz)::float8 * 1000 as ms`,
      );
    const timeZone = 'Asia/Karachi';
    const setTimeZone = (value: string) =>
      writeSetting(db(), { name: 'timeZone', value, setBy: 'the test', from: testServer.now() });
    await setTimeZone(timeZone);
    // A third of an hour before midnight there, which is in the evening by UTC.
    testServer.advanceClock(((await midnight(timeZone))?.ms ?? 0) - HOUR_MS / 3);
    await resignIn();
    for (let n = 0; n < 7; n += 1) await give(ada, await createCharged(), 20);
    expect((await give(ada, await createCharged(), 20)).approvalId).not.toBeNull();
    testServer.advanceClock(HOUR_MS / 3);
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    expect(await give(ada, await createCharged(), 20)).toEqual({ approvalId: null });
    await setTimeZone('UTC');
  });

  test('a problem is tried again or given up, and leaves one row', async () => {
    await enterCodes();
    const id = await createCharged();
    const refundId = '01900000-0000-7000-8000-000000000001';
    await queryRows(
      db(),
      sql`insert into refunds (id, order_id, amount, taxes, liable, reason, state, failure, created_at, updated_at)
        values (${refundId}, ${id}, 100, 0, 'platform', 'late', 'stuck', 'refused', now(), now())`,
    );
    const { items } = await ada.api.listMoneyProblems();
    expect(items.find((problem) => problem.id === refundId)).toMatchObject({
      amount: 1,
      canDrop: true,
      why: 'refused',
    });
    const act = { params: { id: refundId }, body: { reason: REASON } };
    await ada.api.dropRefund(act);
    expect((await expectFailure(ada.api.dropRefund(act))).status).toBe(404);
    expect((await expectFailure(ada.api.retryProblem(act))).status).toBe(404);
    expect(await auditOf(refundId)).toEqual([{ action: 'dropRefund', cents: null, second: null }]);
  });

  test('a Bud whose hold is over is asked for another card, and the same hold is not tried again', async () => {
    await enterCodes();
    const id = await createCharged();
    const failure =
      'the hold on the card is over: capture refused (400 BAD_REQUEST); at the card network it is CANCELED';
    const before = sql`update payments set state = 'stuck', failure = ${failure} where order_id = ${id}`;
    await queryRows(db(), before);
    const { items } = await ada.api.listMoneyProblems();
    expect(items.find((problem) => problem.id === id)).toMatchObject({ kind: 'hold-over', canRetry: false });
    const act = { params: { id }, body: { reason: REASON } };
    expect((await expectFailure(ada.api.retryProblem(act))).status).toBe(404);
    await ada.api.askForCard(act);
    const { text } = await testServer.waitForMail(people.bud.user.email, 'Your card could not be charged');
    expect(text).toContain('we could not charge $26.83');
    expect(text).not.toMatch(/BAD_REQUEST|CANCELED/);
    expect(await auditOf(id)).toEqual([{ action: 'askForCard', cents: null, second: null }]);
    await queryRows(db(), sql`update payments set state = 'captured', failure = null where order_id = ${id}`);
    expect((await expectFailure(ada.api.askForCard(act))).status).toBe(404);
  });

  test('the ledger of an order is corrected by two, with the lines that they have seen', async () => {
    await enterCodes();
    const id = await createCharged();
    expect((await ada.api.previewAdjustment({ params: { id } })).lines).toEqual([]);
    const body = { code: '12345678', reason: REASON };
    expect(await messageOf(ada.api.adjustOrder({ params: { id }, body }))).toContain('Look at the lines again');
  });

  test('payouts are sent by two, exactly as they were shown', async () => {
    await createDelivered();
    testServer.advanceClock(8 * 24 * HOUR_MS);
    await resignIn();
    await ada.api.runPayouts({ body: { reason: REASON } });
    const { due, items } = await ada.api.listPayouts({ query: {} });
    expect(due.amount).toBeGreaterThan(0);
    expect(items.map(({ state }) => state)).toContain('due');
    const body = { amount: due.amount, reason: REASON };
    expect(await messageOf(ada.api.sendPayouts({ body: { ...body, amount: due.amount + 1 } }))).toBe(
      'What is due has changed. Look at it again',
    );
    const { approvalId } = await ada.api.sendPayouts({ body });
    expect((await ada.api.listPayouts({ query: {} })).due).toEqual(due);
    await approve(grace, approvalId);
    const after = await ada.api.listPayouts({ query: {} });
    expect(after.due).toEqual({ amount: 0, people: 0 });
    const batch = after.items.find((item) => item.batch)?.batch ?? '';
    expect((await expectFailure(ada.api.readPayoutFile({ params: { batch } }))).status).toBe(403);
    await ada.api.openPayoutFile({ params: { batch }, body: { reason: 'For the bank' } });
    const { name, text } = await ada.api.readPayoutFile({ params: { batch } });
    expect(name).toBe(`payouts-${batch}.csv`);
    expect(text).toContain('Grace Scrub');
    expect((await expectFailure(ada.api.readPayoutFile({ params: { batch: 'none' } }))).status).toBe(404);
    expect(await messageOf(ada.api.sendPayouts({ body }))).toBe('No payout is due');
  });

  test('the payments to workers are read for a day by the operator who asked, once another operator has agreed', async () => {
    await enterCodes();
    const year = testServer.now().getUTCFullYear();
    const query = { year: String(year) };
    const needsYes = 'Ask for approval first. Then it can be read for 24 hours';
    expect(await messageOf(ada.api.readTaxWorkers({ query }))).toBe(needsYes);
    const { approvalId } = await ada.api.exportTaxWorkers({ body: { year, reason: REASON } });
    expect(await messageOf(ada.api.readTaxWorkers({ query }))).toBe(needsYes);
    await approve(grace, approvalId);
    expect((await ada.api.readTaxWorkers({ query })).text).toContain('"Grace Scrub"');
    expect(await messageOf(grace.api.readTaxWorkers({ query }))).toBe(needsYes);
    expect(await messageOf(ada.api.readTaxWorkers({ query: { year: String(year - 1) } }))).toBe(needsYes);
    const [head, ...months] = (await ada.api.readSalesTax({ query })).text.split('\r\n');
    expect(head).toBe('\uFEFFmonth,collected,given back,net,rate in percent');
    expect(months.pop()).toBe('');
    for (const month of months) expect(month).toMatch(/^\d{4}-\d\d,\d+\.\d\d,\d+\.\d\d,-?\d+\.\d\d,8$/);
  });

  test('an earned amount that is in no payout yet is listed with the reason', async () => {
    await createCharged('Completed');
    const { waiting } = await ada.api.listPayouts({ query: {} });
    expect(waiting).toMatchObject([{ why: 'laundry-not-seen', amount: 12.5, person: { role: 'Scrub' } }]);
  });

  test("the weeks add up: what was charged is somebody's, and all weeks together are the ledger", async () => {
    await settle();
    const { weeks, next } = await ada.api.listMoneyWeeks({ query: {} });
    expect(next).toBeNull();
    const cents = (dollars: number) => Math.round(dollars * 100);
    for (const week of weeks) {
      const shares = week.scrubs + week.dubers + week.platformFee + week.taxes + week.unearned - week.refundCosts;
      expect(cents(week.gross + week.promotions - week.refunds)).toBe(cents(shares));
    }
    const total = (name: 'gross' | 'refunds' | 'scrubs' | 'paidOut') =>
      cents(weeks.reduce((sum, week) => sum + week[name], 0));
    const ledger = await queryRow<{ cleared: number; scrubs: number; paid: number }>(
      db(),
      sql`select sum(amount) filter (where account = 'card-clearing' and kind <> 'card-fee')::int as cleared,
        -sum(amount) filter (where account = 'scrub' and kind <> 'paid-out')::int as scrubs,
        -coalesce(sum(amount) filter (where account = 'payouts'), 0)::int as paid from ledger_lines`,
    );
    expect({ cleared: total('gross') - total('refunds'), scrubs: total('scrubs'), paid: total('paidOut') }).toEqual(
      ledger,
    );
    const before = weeks[0]?.from ?? '';
    expect((await ada.api.listMoneyWeeks({ query: { before } })).weeks[0]?.from).toBe(weeks[1]?.from);
  });

  test('the ledger is read by order, person and account, page by page', async () => {
    const id = await createDelivered();
    const { items } = await ada.api.listLedger({ query: { order: id } });
    const { orderNumber } = items[0] ?? {};
    expect((await ada.api.listLedger({ query: { order: orderNumber ?? '' } })).items).toEqual(items);
    expect((await ada.api.listLedger({ query: { order: 'no order' } })).items).toEqual([]);
    expect(items.map((entry) => entry.kind)).toEqual(['delivered', 'delivered', 'completed', 'captured']);
    expect(items[0]?.lines).toMatchObject([
      { account: 'unearned' },
      { account: 'duber', party: { name: 'Alan Duber' } },
    ]);
    const ofDuber = await ada.api.listLedger({ query: { personId: people.duber.user.id, account: 'duber' } });
    expect(ofDuber.items.every(({ lines }) => lines.some(({ account }) => account === 'duber'))).toBe(true);
    const seen: number[] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const page = await ada.api.listLedger({ query: { before: String(before) } });
      seen.push(...page.items.map((entry) => entry.id));
      before = page.next;
    }
    const count = await queryRow<{ n: number }>(db(), sql`select count(*)::int as n from ledger_entries`);
    expect(new Set(seen).size).toBe(count?.n);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  test('the ledger is right after all of it', async () => {
    await settle();
    expect(await findAuditProblems(db())).toEqual([]);
    expect(await grace.api.verifyAudit()).toMatchObject({ brokenAt: null });
  });
});
