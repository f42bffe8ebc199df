import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES } from '../../contract/failures.ts';
import type { BankFile } from '../../domain/bankFiles.ts';
import type { PayoutAccount } from '../../domain/payoutAccounts.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { markDuePayoutsSent } from '../payments/payouts/payouts.sql.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
const AMERICAN = {
  method: 'us-bank',
  holder: 'Sid Soap',
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'checking',
} as const;
const US_BANK = {
  routingNumber: '021000021',
  bankName: 'First Bank',
  companyName: 'Soapwick',
  companyId: '1234567890',
};
const REASON = 'The account is closed';

type Worker = Awaited<ReturnType<TestServer['createUser']>>;

describe.each(RULE_DATABASES)('a payout that came back, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;
  let grace: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    await signIn();
    await approve((await ada.api.setUsBank({ body: { ...US_BANK, reason: 'We have an account now' } })).approvalId);
  });
  afterAll(() => testServer?.close());

  /** Sessions end by themselves: after the clock has moved, there are two others. */
  async function signIn() {
    const caps = ['see', 'help', 'dispatch', 'money'] as const;
    [ada, grace] = [await createOperator(testServer, { caps }), await createOperator(testServer, { caps })];
  }

  const approve = (approvalId: string | null) =>
    grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });

  async function createWorker(account: PayoutAccount = AMERICAN): Promise<Worker> {
    const worker = await testServer.createUser('Scrub');
    await worker.api.changePayoutAccount({ body: { password: PASSWORD, account } });
    return worker;
  }

  /** A batch in which each of these people is paid $10, $11 … */
  async function sendTo(workers: readonly Worker[], periodEnd = '2026-01-05') {
    const { db } = testServer.server;
    const batch = `2026-${randomUUID().slice(-8)}`;
    const payoutIds = workers.map(() => `0192f0c1-7a3b-7c4d-8e5f-${randomUUID().slice(-12)}`);
    for (const [n, { user }] of workers.entries())
      await db
        .insertInto('payouts')
        .values({
          ...{ id: payoutIds[n] ?? '', user_id: user.id, period_end: new Date(periodEnd) },
          ...{ amount: 1_000 + 100 * n, state: 'due', created_at: testServer.now() },
        })
        .execute();
    await markDuePayoutsSent(db, batch, 'manual', testServer.now());
    return { batch, payoutIds };
  }

  async function returnPayout({ user: { id } }: Worker, payoutId = '') {
    const { approvalId } = await ada.api.returnPayout({ params: { id, payoutId }, body: { reason: REASON } });
    await approve(approvalId);
  }

  async function readFile(batch: string, format: BankFile) {
    await ada.api.openPayoutFile({ params: { batch }, body: { format, reason: 'For the bank' } });
    return ada.api.readPayoutFile({ params: { batch }, query: { format } });
  }

  test('is in no file of its batch any more, and a batch that came back whole has none', async () => {
    const [sid, pat] = [await createWorker(), await createWorker({ ...AMERICAN, holder: 'Pat Press' })];
    testServer.advanceClock(WEEK_MS + 1_000);
    await signIn();
    const { batch, payoutIds } = await sendTo([sid, pat]);
    const whole = await readFile(batch, 'nacha');
    expect(whole).toMatchObject({ left: { payouts: 0 }, returned: { payouts: 0, amount: 0 } });
    expect([whole.text.includes('SID SOAP'), whole.text.includes('PAT PRESS')]).toEqual([true, true]);

    await returnPayout(sid, payoutIds[0]);
    for (const format of ['nacha', 'csv'] as const) {
      const { text, returned } = await readFile(batch, format);
      expect([text.toUpperCase().includes('SID SOAP'), text.toUpperCase().includes('PAT PRESS')]).toEqual([
        false,
        true,
      ]);
      expect(returned).toEqual({ payouts: 1, amount: 10 });
    }
    await returnPayout(pat, payoutIds[1]);
    for (const format of ['nacha', 'csv'] as const)
      expect((await expectFailure(readFile(batch, format))).message).toBe('All payouts of this batch came back');
  });

  test('stays on hold when a suspension ends that was there before', async () => {
    const worker = await createWorker();
    const { id } = worker.user;
    testServer.advanceClock(WEEK_MS + 1_000);
    await signIn();
    const { payoutIds } = await sendTo([worker]);
    const suspension = { reason: 'We look into it', choices: [], signIn: false };
    await ada.api.suspend({ params: { id }, body: suspension });
    await returnPayout(worker, payoutIds[0]);
    await grace.api.reinstate({ params: { id }, body: { reason: 'It was a mistake' } });
    expect(await openHolds(id)).toMatchObject([
      { kind: 'payout', reason: 'The bank could not pay a payout to your account' },
    ]);
    expect(await worker.api.earnings()).toMatchObject({ balance: 10, held: 10 });
  });

  test('is a part of the reason when payouts were on hold already', async () => {
    const worker = await createWorker();
    const { id } = worker.user;
    testServer.advanceClock(WEEK_MS + 1_000);
    await signIn();
    const { payoutIds } = await sendTo([worker]);
    await ada.api.holdPerson({ params: { id }, body: { kind: 'payout', reason: 'Two people have called' } });
    await returnPayout(worker, payoutIds[0]);
    const reason = 'Two people have called. The bank could not pay a payout to your account';
    expect(await openHolds(id)).toMatchObject([{ kind: 'payout', reason }]);
  });

  test('is asked for with what it is about, and two of one person can wait at the same time', async () => {
    const worker = await testServer.createUser('Scrub');
    const { id } = worker.user;
    const { batch, payoutIds } = await sendTo([worker]);
    const other = await sendTo([worker], '2026-01-12');
    const ask = (payoutId = '', idempotencyKey: string = randomUUID()) =>
      ada.api.returnPayout({ params: { id, payoutId }, body: { reason: REASON }, idempotencyKey });
    const { approvalId } = await ask(payoutIds[0]);
    const second = await ask(other.payoutIds[0]);
    expect((await expectFailure(ask(payoutIds[0]))).message).toBe(FAILURES.waitsForApproval[1]);
    const details = { payoutId: payoutIds[0], batch, earnedBefore: '2026-01-05' };
    const { items } = await grace.api.listApprovals({ query: {} });
    expect(items.find((item) => item.id === approvalId)).toMatchObject({ amount: 10, details });
    const auditor = await createOperator(testServer, { caps: ['admin'] });
    const { items: rows } = await auditor.api.listAudit({ query: { subjectId: id } });
    expect(rows.find((row) => row.approvalId === approvalId)).toMatchObject({ action: 'ask', details });
    for (const asked of [approvalId, second.approvalId])
      await grace.api.decline({ params: { id: asked ?? '' }, body: { reason: 'Not yet' } });
  });

  test('is not mixed up with another by an Idempotency-Key: neither person, payout nor body may differ', async () => {
    const [sid, pat] = [await testServer.createUser('Scrub'), await testServer.createUser('Scrub')];
    const { payoutIds } = await sendTo([sid]);
    const other = await sendTo([sid], '2026-01-12');
    const idempotencyKey = randomUUID();
    const ask = (payoutId = '') =>
      ada.api.returnPayout({
        params: { id: sid.user.id, payoutId },
        body: { reason: REASON },
        idempotencyKey,
      });
    const first = await ask(payoutIds[0]);
    expect(await ask(payoutIds[0])).toEqual(first);
    expect((await expectFailure(ask(other.payoutIds[0]))).message).toBe(FAILURES.keyReused[1]);
    await grace.api.decline({ params: { id: first.approvalId ?? '' }, body: { reason: 'Not yet' } });

    const holdKey = randomUUID();
    const hold = (id: string) =>
      ada.api.holdPerson({ params: { id }, body: { kind: 'payout', reason: REASON }, idempotencyKey: holdKey });
    expect(await hold(sid.user.id)).toEqual({ approvalId: null });
    expect(await hold(sid.user.id)).toEqual({ approvalId: null });
    expect((await expectFailure(hold(pat.user.id))).message).toBe(FAILURES.keyReused[1]);
    expect(await openHolds(pat.user.id)).toEqual([]);
    const openKey = randomUUID();
    const open = (format?: BankFile) =>
      ada.api.openPayoutFile({
        params: { batch: other.batch },
        body: { ...(format && { format }), reason: 'For the bank' },
        idempotencyKey: openKey,
      });
    await open('csv');
    expect((await expectFailure(open())).message).toBe(FAILURES.keyReused[1]);
  });

  test('leaves the file of its batch unchanged, also after later changes; the rest has a separate table', async () => {
    const [sid, pat] = [await createWorker(), await createWorker({ ...AMERICAN, holder: 'Pat Press' })];
    const german = await createWorker({ method: 'iban', holder: 'Sid Soap', iban: 'DE89370400440532013000' });
    const none = await testServer.createUser('Duber');
    testServer.advanceClock(WEEK_MS + 1_000);
    await signIn();
    const { batch, payoutIds } = await sendTo([sid, pat, german, none]);
    const { text, left } = await readFile(batch, 'nacha');
    expect(left).toEqual({ payouts: 2, amount: 25 });
    const other = await sendTo([sid], '2026-01-12');
    expect((await readFile(other.batch, 'nacha')).text.slice(0, 94)).not.toBe(text.slice(0, 94));

    await sid.api.changePayoutAccount({ body: { password: PASSWORD, account: { ...AMERICAN, holder: 'Eve' } } });
    const renamed = { ...US_BANK, companyName: 'Another', reason: 'It has another name' };
    await approve((await ada.api.setUsBank({ body: renamed })).approvalId);
    testServer.advanceClock(WEEK_MS);
    await signIn();
    expect((await readFile(batch, 'nacha')).text).toBe(text);
    const { downloads } = await ada.api.listPayouts({ query: {} });
    expect(downloads.filter((row) => row.batch === batch)).toMatchObject([
      { format: 'nacha', by: ada.session.operator.fullname },
    ]);
    const rest = await readFile(batch, 'csv-rest');
    const listed = rest.text.split('\r\n').slice(1, -1);
    expect(listed.map((line) => line.split(',')[0]).toSorted()).toEqual(payoutIds.slice(2).toSorted());
    expect(rest.left).toEqual({ payouts: 2, amount: 21 });
  });

  const openHolds = async (id: string) =>
    (await ada.api.readPerson({ params: { id } })).holds.filter(({ liftedAt }) => liftedAt === null);
});
