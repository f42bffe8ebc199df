import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { queryRows, transact } from '../db/database.ts';
import { leaseDueTimers } from '../jobs/timers.sql.ts';
import { fireTimer } from '../jobs/timers.ts';
import { lockOrder } from '../orders/orders.sql.ts';
import { CLEANING_AGAIN } from '../orders/reopenOrder.ts';
import { lockPayment } from '../payments/earnings/earnings.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { caseTimers } from './caseTimers.ts';
import { decideCase } from './decideCase.ts';
import { openCase } from './openCase.ts';

const GIVE_BACK = { offer: 'give-back', amount: 12.5, words: 'The bleach was mine.' };
const BUD_TIME_MS = 72 * 60 * 60_000;
const TIMES = 4;

/** How many of these attempts did not fail. */
const countDone = async (attempts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled').length;

// The embedded database has one session, which hides races.
describe('two steps of a case at once', () => {
  let harness: CaseHarness;
  beforeAll(async () => {
    harness = await openCaseHarness('postgres');
  });
  afterAll(() => harness?.close());

  /** A claim on a new order. Older claims of the Bud are forgotten, so that it is not one of many. */
  const claimNew = async () => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const orderId = await harness.createOrder('Delivered');
    return { orderId, id: (await harness.claim(orderId)).id };
  };
  const answer = (id: string) => harness.step(harness.scrub, id, 'answer', GIVE_BACK);
  const actionsOf = async (id: string) => (await harness.read(harness.bud, id)).events.map(({ action }) => action);

  test('an offer that the Bud accepts as its time runs out happens once', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { orderId, id } = await claimNew();
      await answer(id);
      const { db, now } = harness.context;
      harness.setClock(new Date(now().getTime() + BUD_TIME_MS).toISOString());
      const due = await leaseDueTimers(db, [caseTimers(CLEANING_AGAIN)], now());
      const timer = due.find(({ subjectId }) => subjectId === id) ?? expect.fail('the timer is not due');
      await Promise.allSettled([
        harness.step(harness.bud, id, 'accept-offer'),
        fireTimer(harness.context, [caseTimers(CLEANING_AGAIN)], timer),
        harness.step(harness.bud, id, 'accept-offer'),
      ]);
      expect(await harness.refundsOf(orderId)).toEqual(['scrub 1250 asking']);
      expect((await actionsOf(id)).slice(0, -1)).toEqual(['open-claim', 'answer']);
    }
  });

  test('of two answers one counts', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { id } = await claimNew();
      expect(await countDone([answer(id), answer(id), answer(id)])).toBe(1);
      expect(await actionsOf(id)).toEqual(['open-claim', 'answer']);
    }
  });

  test('a person has at most twenty open cases, also when they report thirty problems at once', async () => {
    const ask = (key?: string) =>
      harness.create(harness.scrub, { kind: 'question', words: 'Where is my payout?' }, key);
    expect(await countDone(Array.from({ length: 30 }, () => ask()))).toBe(20);
    await expect(ask()).rejects.toMatchObject({ failure: 'tooManyCases', retryAfter: 3600 });
    const open = sql`select id from cases where opened_by = ${harness.scrub.id} and status not in ('decided', 'closed')`;
    const [one] = await queryRows<{ id: string }>(harness.context.db, open);
    await queryRows(harness.context.db, sql`update cases set status = 'closed' where id = ${one?.id}`);
    // The last place goes to the first of three that are one request, and the others read its case.
    const answers = await Promise.all([1, 2, 3].map(() => ask('the-same-request')));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await queryRows(harness.context.db, open)).toHaveLength(20);
  });

  test('a case that is decided twice at once is refunded once', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { orderId, id } = await claimNew();
      await answer(id);
      await harness.step(harness.bud, id, 'refuse-offer', { words: 'It was new.' });
      const items = [{ n: 1, cents: 900, liable: 'scrub' as const }];
      const decision = { caseId: id, items, reason: 'The photo shows it.', name: 'olga' };
      const results = await Promise.all([1, 2, 3].map(() => decideCase(harness.context, decision)));
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await harness.refundsOf(orderId)).toEqual(['scrub 900 asking']);
    }
  });

  test('a second decision waits for the worker that makes the refund of the first, and neither waits for the other', async () => {
    const { db } = harness.context;
    const { orderId, id } = await claimNew();
    const decide = (cents: number) => {
      const items = [{ n: 1, cents, liable: 'scrub' as const }];
      return decideCase(harness.context, { caseId: id, items, reason: 'The photo shows it.', name: 'olga' });
    };
    await harness.step(harness.scrub, id, 'answer', { offer: 'was-before', words: 'I saw it.' });
    await harness.step(harness.bud, id, 'refuse-offer', { words: 'It was new.' });
    expect(await decide(900)).toEqual({ ok: true, cents: 900 });
    await harness.step(harness.scrub, id, 'contest', { words: 'It is on the photo of the bag.' });
    // As the worker does: first the payment, then its refund.
    const { second } = await holdTransaction(db, async (tx) => {
      await lockPayment(tx, orderId);
      const second = decide(600);
      await waitForLockWaits(db);
      // Fails when the decision, which waits for the payment, has the refund: each would wait for the other.
      await queryRows(tx, sql`set local lock_timeout = '200ms'`);
      await tx.updateTable('refunds').set({ tries: 1 }).where('order_id', '=', orderId).execute();
      return { second };
    });
    expect(await second).toEqual({ ok: true, cents: 600 });
  });

  test('a step of a case waits for a step of its order, and neither waits for the other', async () => {
    const { db } = harness.context;
    const { orderId, id } = await claimNew();
    await answer(id);
    const { refused } = await holdTransaction(db, async (tx) => {
      await lockOrder(tx, SYSTEM, orderId);
      const refused = harness.step(harness.bud, id, 'refuse-offer', { words: 'It was new.' });
      await waitForLockWaits(db);
      // Fails when the step of the case, which waits for the order, has locked the case: each would wait for the other.
      await queryRows(tx, sql`set local lock_timeout = '200ms'`);
      await queryRows(tx, sql`update cases set priority = priority where id = ${id}`);
      return { refused };
    });
    expect((await refused).status).toBe('with-town');
  });

  test('two claims on an order at once are one, and so are two problems that steps found', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const orderId = await harness.createOrder('Delivered');
      expect(await countDone([1, 2, 3].map(() => harness.claim(orderId)))).toBe(1);
      const open = () =>
        transact(harness.context.db, (tx) => openCase(tx, { kind: 'handover', orderId }, harness.context.now()));
      expect(new Set(await Promise.all([open(), open(), open()])).size).toBe(1);
    }
  });
});
