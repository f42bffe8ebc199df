import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness, SHIRT } from '../../testing/caseHarness.ts';
import { storePhoto } from '../../testing/sentPhotos.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { runPayouts } from '../payments/payouts/payouts.ts';
import { requestRefund } from '../payments/refunds/refunds.ts';
import { closeCase, decideCase } from './decideCase.ts';

const [DAY_HOURS, REASON] = [24, 'The photo shows it.'];
const GIVE_BACK = { offer: 'give-back', amount: 12.5, words: 'The bleach was mine.' };
const NAME = 'olga';

describe.each(RULE_DATABASES)('cases, on %s', (kind) => {
  let harness: CaseHarness;
  beforeAll(async () => {
    harness = await openCaseHarness(kind);
    await harness.earn(6);
  });
  afterAll(() => harness?.close());

  /** A claim on a new delivered order. Older claims of the Bud are forgotten, so that it is not one of many. */
  const claimNew = async (more = {}) => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const orderId = await harness.createOrder('Delivered');
    return { orderId, claim: await harness.claim(orderId, more) };
  };
  const historyOf = async (id: string) =>
    (await harness.read(harness.bud, id)).events.map(({ action, by, status }) => `${action} ${by} ${status}`);
  const decide = (caseId: string, cents: number, liable: 'platform' | 'scrub' = 'scrub') =>
    decideCase(harness.context, { caseId, items: [{ n: 1, cents, liable }], reason: REASON, name: NAME });
  const balanced = async () => expect(await findAuditProblems(harness.context.db)).toEqual([]);

  test('a claim is answered with money, accepted, refunded once by the Scrub, and closed after a week', async () => {
    const { orderId, claim } = await claimNew({ words: 'On the sleeve.' });
    expect(claim).toMatchObject({
      ...{ no: expect.stringMatching(/^C-\d+$/), status: 'with-scrub', waitsFor: 'Scrub', openedBy: 'Bud' },
      ...{ aboutRole: 'Scrub', asked: 20, givenBack: 0, actions: [], mostToGive: 26.83, offer: null },
      ...{ items: [{ ...SHIRT, n: 1, decided: null }], dueAt: expect.any(String) },
    });
    expect((await harness.read(harness.scrub, claim.id)).actions).toEqual(['answer']);
    await harness.step(harness.scrub, claim.id, 'answer', GIVE_BACK);
    const answered = await harness.read(harness.bud, claim.id);
    expect(answered).toMatchObject({ status: 'with-bud', offer: { kind: 'give-back', amount: 12.5 } });
    expect(answered.actions).toEqual(['accept-offer', 'refuse-offer']);
    const accepted = await harness.step(harness.bud, claim.id, 'accept-offer');
    expect(accepted).toMatchObject({ status: 'decided', givenBack: 12.5, actions: [], waitsFor: null });
    await harness.runPaymentJobs();
    await harness.passHours(7 * DAY_HOURS);
    await harness.passHours(30 * DAY_HOURS);
    await harness.runPaymentJobs();
    expect(await harness.refundsOf(orderId)).toEqual(['scrub 1250 refunded']);
    expect(await historyOf(claim.id)).toEqual([
      'open-claim Bud with-scrub',
      'answer Scrub with-bud',
      'accept-offer Bud decided',
      'close System closed',
    ]);
    await balanced();
  });

  test('without an answer of the Bud the offer happens after 72 hours, once', async () => {
    const { orderId, claim } = await claimNew();
    await harness.step(harness.scrub, claim.id, 'answer', GIVE_BACK);
    await harness.passHours(71.9);
    expect((await harness.read(harness.bud, claim.id)).status).toBe('with-bud');
    await harness.passHours(0.1);
    await harness.passHours(72);
    expect((await harness.read(harness.bud, claim.id)).status).toBe('decided');
    expect(await harness.refundsOf(orderId)).toEqual(['scrub 1250 asking']);
    await expect(harness.step(harness.bud, claim.id, 'accept-offer')).rejects.toMatchObject({ failure: 'wrongStatus' });
  });

  test('without an answer of the Scrub the town decides, and what waits there becomes urgent again and again', async () => {
    const { claim } = await claimNew();
    await harness.passHours(DAY_HOURS);
    const waiting = await harness.read(harness.bud, claim.id);
    expect(waiting).toMatchObject({ status: 'with-town', waitsFor: 'Operator', priority: 'normal' });
    for (const _ of [1, 2]) await harness.passHours(48);
    const stale = await harness.read(harness.bud, claim.id);
    expect(stale).toMatchObject({ status: 'with-town', priority: 'high', dueAt: expect.any(String) });
    expect(await historyOf(claim.id)).toEqual([
      'open-claim Bud with-scrub',
      'no-answer System with-town',
      'stale System with-town',
      'stale System with-town',
    ]);
  });

  test('a refused offer is decided by the town, by item, and contested once by the side that bears it', async () => {
    const { orderId, claim } = await claimNew();
    await harness.step(harness.scrub, claim.id, 'answer', { offer: 'was-before', words: 'I saw it.' });
    await harness.step(harness.bud, claim.id, 'refuse-offer', { words: 'It was new.' });
    expect(await decide(claim.id, 50_01)).toMatchObject({ ok: false, why: 'item 1 can be given $50.00 at most' });
    expect(await decide(claim.id, 26_84)).toMatchObject({ ok: false });
    expect(await decide(claim.id, 15_00)).toEqual({ ok: true, cents: 1500 });
    expect(await decide(claim.id, 15_00)).toMatchObject({ ok: false });
    expect((await harness.read(harness.scrub, claim.id)).actions).toEqual(['contest']);
    await harness.step(harness.scrub, claim.id, 'contest', { words: 'It is on the photo of the bag.' });
    expect(await decide(claim.id, 20_00)).toEqual({ ok: true, cents: 2000 });
    await expect(harness.step(harness.scrub, claim.id, 'contest', { words: 'No.' })).rejects.toMatchObject({
      failure: 'alreadyContested',
    });
    await harness.runPaymentJobs();
    expect(await harness.refundsOf(orderId)).toEqual(['scrub 1500 refunded', 'scrub 500 refunded']);
    expect(await harness.read(harness.bud, claim.id)).toMatchObject({ givenBack: 20, items: [{ decided: 20 }] });
    await balanced();
  });

  test('an offer that the Bud accepted cannot be contested, and a decision only by those who bear it', async () => {
    const { claim } = await claimNew();
    await harness.step(harness.scrub, claim.id, 'answer', GIVE_BACK);
    await harness.step(harness.bud, claim.id, 'accept-offer');
    for (const person of [harness.bud, harness.scrub])
      await expect(harness.step(person, claim.id, 'contest', { words: 'No.' })).rejects.toMatchObject({
        failure: 'notYoursToContest',
      });
  });

  test('an offer never gives back more than what was paid', async () => {
    const { orderId, claim } = await claimNew();
    await expect(
      harness.step(harness.scrub, claim.id, 'answer', { ...GIVE_BACK, amount: 20.01 }),
    ).rejects.toMatchObject({ failure: 'invalid' });
    await harness.step(harness.scrub, claim.id, 'answer', { ...GIVE_BACK, amount: 20 });
    await requestRefund(harness.context, { orderId, amount: 2000, liable: 'platform', reason: 'late' });
    await harness.step(harness.bud, claim.id, 'accept-offer');
    expect(await harness.refundsOf(orderId)).toEqual(['platform 2000 asking', 'scrub 683 asking']);
    expect((await harness.read(harness.bud, claim.id)).events.at(-1)).toMatchObject({ amount: 6.83 });
  });

  test('a case is not closed while its refund is on its way', async () => {
    const { claim } = await claimNew();
    await harness.step(harness.scrub, claim.id, 'answer', GIVE_BACK);
    await harness.step(harness.bud, claim.id, 'accept-offer');
    await harness.passHours(7 * DAY_HOURS);
    expect((await harness.read(harness.bud, claim.id)).status).toBe('decided');
    await harness.runPaymentJobs();
    await harness.passHours(DAY_HOURS);
    expect((await harness.read(harness.bud, claim.id)).status).toBe('closed');
  });

  test('a claim needs a completed and delivered order, a photo, its time, and stays below the caps', async () => {
    const refused = async (orderId: string, more = {}) =>
      harness.claim(orderId, more).then(
        () => 'opened',
        (error: { failure: string; message: string; validationErrors?: { property: string }[] }) =>
          error.validationErrors?.[0]?.property ?? error.failure,
      );
    expect(await refused(await harness.createOrder('Accepted'))).toBe('orderNotCompleted');
    expect(await refused(await harness.createOrder('Completed'))).toBe('notDeliveredYet');
    const orderId = await harness.createOrder('Delivered');
    expect(await refused(orderId, { fileIds: [] })).toBe('photoNeeded');
    expect(await refused(orderId, { items: [{ ...SHIRT, asked: 40.01 }] })).toBe('items.0.asked');
    expect(await refused(orderId, { items: [SHIRT, { ...SHIRT, worth: 400, asked: 50.01 }] })).toBe('items.1.asked');
    const coats = Array(7).fill({ ...SHIRT, worth: 100, asked: 50 });
    expect(await refused(orderId, { items: coats })).toBe('items');
    await harness.passHours(48.1);
    expect(await refused(orderId)).toBe('claimOver');
    const missing = { items: [{ ...SHIRT, kind: 'missing' }], fileIds: [] };
    expect(await refused(orderId, missing)).toBe('opened');
    expect(await refused(orderId, missing)).toBe('caseIsOpen');
    await harness.passHours(7 * DAY_HOURS);
    expect(await refused(await harness.createOrder('Delivered'), missing)).toBe('opened');
  });

  test('a claimed amount waits until it is decided, and the rest waits again while it is contested', async () => {
    const { orderId, claim } = await claimNew();
    const heldCents = async () => {
      const { rows } = await sql<{ cents: number }>`select coalesce(-sum(l.amount), 0)::int as cents
        from payout_holds h join ledger_lines l on l.entry_id = h.entry_id and l.amount < 0
        where h.order_id = ${orderId} and h.ended_at is null`.execute(harness.context.db);
      return rows[0]?.cents;
    };
    expect(await heldCents()).toBe(1250);
    await harness.step(harness.scrub, claim.id, 'answer', { offer: 'was-before', words: 'It was torn before.' });
    await harness.step(harness.bud, claim.id, 'refuse-offer');
    expect(await decide(claim.id, 800)).toEqual({ ok: true, cents: 800 });
    expect(await heldCents()).toBe(0);
    await harness.runPaymentJobs();
    await harness.step(harness.bud, claim.id, 'contest', { words: 'It was new.' });
    // 33 of the 800 refunded were taxes.
    expect(await heldCents()).toBe(1250 - 767);
    expect(await decide(claim.id, 800)).toEqual({ ok: true, cents: 800 });
    expect(await heldCents()).toBe(0);
    await balanced();
  });

  test('the same key opens one claim, and answers once', async () => {
    const orderId = await harness.createOrder('Delivered');
    const { context, bud } = harness;
    const fileIds = [await storePhoto(context.db, bud.id, context.now())];
    const body = { kind: 'claim', orderId, items: [SHIRT], fileIds };
    const [first, second] = [
      await harness.create(harness.bud, body, 'k'),
      await harness.create(harness.bud, body, 'k'),
    ];
    expect(second).toEqual(first);
  });

  test('the third claim in 90 days goes to the town first, and one about the way to the Duber', async () => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const late = { items: [{ ...SHIRT, kind: 'late' }], fileIds: [] };
    const open = async (more = {}) => harness.claim(await harness.createOrder('Delivered'), more);
    const [first, second, third] = [await open(late), await open(), await open()];
    expect(first).toMatchObject({ status: 'with-duber', aboutRole: 'Duber', deliveryId: expect.any(String) });
    expect([second.status, third.status]).toEqual(['with-scrub', 'with-town']);
    const answer = { offer: 'give-back', amount: 5, words: 'The bridge was closed.' };
    await harness.step(harness.duber, first.id, 'answer', answer);
    await harness.step(harness.bud, first.id, 'accept-offer');
    expect(await harness.refundsOf(first.orderId ?? '')).toEqual(['duber 500 asking']);
  });

  test('a Duber never learns from a case what was paid for the order', async () => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const { duber, bud, scrub } = harness;
    const late = { items: [{ ...SHIRT, kind: 'late', asked: 5 }], fileIds: [] };
    const claim = await harness.claim(await harness.createOrder('Delivered'), late);
    expect((await harness.read(duber, claim.id)).mostToGive).toBe(5);
    expect((await harness.read(bud, claim.id)).mostToGive).toBe(26.83);
    const question = await harness.create(scrub, { kind: 'question', orderId: claim.orderId, words: 'Where is it?' });
    expect(question.mostToGive).toBe(0);
  });

  test('only the people of a case see it, and only the one who is asked answers', async () => {
    const { claim } = await claimNew();
    const [, otherScrub] = harness.users.scrubs;
    for (const person of [harness.duber, { id: otherScrub?.id ?? '', role: 'Scrub' } as const]) {
      await expect(harness.read(person, claim.id)).rejects.toMatchObject({ failure: 'notFound' });
      await expect(harness.step(person, claim.id, 'answer', GIVE_BACK)).rejects.toMatchObject({ failure: 'notFound' });
    }
    await expect(harness.step(harness.bud, claim.id, 'accept-offer')).rejects.toMatchObject({ failure: 'wrongStatus' });
  });

  test('an accepted offer to clean again starts the order over, and the town arranges it once the order is closed', async () => {
    const [open, closed] = [await claimNew(), await claimNew()];
    const { db, now } = harness.context;
    await db.updateTable('orders').set({ closed_at: now() }).where('id', '=', closed.orderId).execute();
    for (const { claim } of [open, closed])
      await harness.step(harness.scrub, claim.id, 'answer', { offer: 'clean-again', words: 'Bring it back.' });
    const { events } = await harness.step(harness.bud, open.claim.id, 'accept-offer');
    expect(events.at(-1)).toMatchObject({ action: 'accept-offer', status: 'decided', offer: 'clean-again' });
    expect((await harness.step(harness.bud, closed.claim.id, 'accept-offer')).status).toBe('with-town');
    const orders = await db
      .selectFrom('orders')
      .select(['status', 'round'])
      .where('id', 'in', [open.orderId, closed.orderId])
      .orderBy('round', 'desc')
      .execute();
    expect(orders).toEqual([
      { status: 'In_Progress', round: 2 },
      { status: 'Completed', round: 1 },
    ]);
  });

  test('the claimed part of a credit is paid out only once the case is closed', async () => {
    const { orderId, claim } = await claimNew({ items: [{ ...SHIRT, asked: 5 }] });
    const countPaidOut = async () => {
      await harness.passHours(8 * DAY_HOURS);
      await runPayouts(harness.context);
      const [row] = await queryRows<{ cents: number }>(
        harness.context.db,
        sql`select coalesce(-sum(l.amount), 0)::int as cents from ledger_entries e
          join ledger_lines l on l.entry_id = e.id and l.account = 'scrub'
          join payout_lines k on k.entry_id = l.entry_id and k.position = l.position where e.order_id = ${orderId}`,
      );
      return row?.cents;
    };
    expect(await countPaidOut()).toBe(750);
    expect(await countPaidOut()).toBe(750);
    const closed = await closeCase(harness.context, { caseId: claim.id, reason: REASON, name: NAME });
    expect(closed.ok).toBe(true);
    expect(await countPaidOut()).toBe(1250);
    await balanced();
  });

  test('nobody changes what happened in a case', async () => {
    for (const statement of [sql`update steps set words = 'x'`, sql`delete from steps`])
      await expect(queryRows(harness.context.db, statement)).rejects.toThrow(/never changed/);
  });

  test('each step notifies the others of the case once, and updates the open screens of all', async () => {
    const { claim } = await claimNew();
    await harness.step(harness.scrub, claim.id, 'answer', GIVE_BACK);
    const notified = await queryRows<{ line: string }>(
      harness.context.db,
      sql`select concat(e.action, ' to ', u.role) as line from notifications n join steps e on e.id = n.about
        join users u on u.id = n.user_id where n.kind = 'case' and e.subject_id = ${claim.id} order by e.position`,
    );
    expect(notified.map(({ line }) => line)).toEqual(['open-claim to Scrub', 'answer to Bud']);
    const events = await queryRows<{ people: string[]; status: string }>(
      harness.context.db,
      sql`select people, status from live_events where entity = 'case' and entity_id = ${claim.id} order by id`,
    );
    expect(events.map(({ status }) => status)).toEqual(['with-scrub', 'with-bud']);
    for (const { people } of events) expect(people.toSorted()).toEqual([harness.bud.id, harness.scrub.id].toSorted());
  });
});
