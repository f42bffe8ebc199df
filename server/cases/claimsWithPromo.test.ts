import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { openEarningTests } from '../../testing/earningTests.ts';
import { createPromo } from '../../testing/promos.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow } from '../db/database.ts';
import { decideCase } from './decideCase.ts';

const [TOTAL, TAXES, LOAD, OFF] = [2683, 110, 1250, 1000];
const CARD = TOTAL - OFF;
const GIVEN = 800;

describe.each(RULE_DATABASES)('claims about orders with a promo code, on %s', (kind) => {
  let harness: CaseHarness;
  let earnings: ReturnType<typeof openEarningTests>;
  beforeAll(async () => {
    harness = await openCaseHarness(kind);
    earnings = openEarningTests(harness);
  });
  afterAll(() => harness?.close());

  const claimNew = async () => {
    await sql`update cases set created_at = created_at - interval '90 days'`.execute(harness.context.db);
    const { code } = await createPromo(harness.context, { value: OFF });
    const orderId = await harness.createOrder('Delivered', { promoCode: code });
    await harness.runPaymentJobs();
    return { orderId, claim: await harness.claim(orderId) };
  };
  const decide = async (caseId: string, cents: number, liable: 'platform' | 'scrub') => {
    const decision = { caseId, items: [{ n: 1, cents, liable }], reason: 'The photo shows it.', name: 'olga' };
    expect(await decideCase(harness.context, decision)).toMatchObject({ ok: true });
    await harness.runPaymentJobs();
  };
  /** What goes back to the card, with the share of the code, and the taxes of both. */
  const shares = (cents: number) => {
    const code = Math.floor((cents * OFF) / CARD);
    return { code, taxes: Math.floor(((cents + code) * TAXES) / TOTAL) };
  };
  /** As they bear it without a code: less the share of the taxes that comes back with it. */
  const borneOf = (cents: number) => {
    const { code, taxes } = shares(cents);
    return cents + code - taxes - Math.round((code * (cents + code - taxes)) / (cents + code));
  };

  test('a Scrub who gives something back pays that, and nothing of what the code has paid', async () => {
    const { orderId, claim } = await claimNew();
    await harness.step(harness.scrub, claim.id, 'answer', { offer: 'give-back', amount: GIVEN / 100, words: 'Mine.' });
    await harness.step(harness.bud, claim.id, 'accept-offer');
    await harness.runPaymentJobs();
    const sums = await earnings.sumsOf(orderId);
    expect(sums).toMatchObject({ 'card-clearing': CARD - GIVEN, promotions: OFF - shares(GIVEN).code });
    const paid = LOAD + (sums.scrub ?? 0);
    expect(paid).toBe(borneOf(GIVEN));
    expect(paid).toBeLessThanOrEqual(GIVEN);
    expect(paid).toBeGreaterThan(GIVEN * 0.9);
    expect(await earnings.problemsOf(orderId)).toEqual([]);
  });

  test('a code that leaves a dollar does not make a dollar cost a Scrub the whole order', async () => {
    await sql`update cases set created_at = created_at - interval '90 days'`.execute(harness.context.db);
    const { code } = await createPromo(harness.context, { kind: 'percent', value: 10_000 });
    const orderId = await harness.createOrder('Delivered', { promoCode: code });
    await harness.runPaymentJobs();
    const claim = await harness.claim(orderId);
    await harness.step(harness.scrub, claim.id, 'answer', { offer: 'give-back', amount: 1, words: 'Mine.' });
    await harness.step(harness.bud, claim.id, 'accept-offer');
    await harness.runPaymentJobs();
    const sums = await earnings.sumsOf(orderId);
    expect([sums['card-clearing'], sums.promotions]).toEqual([undefined, undefined]);
    expect(LOAD + (sums.scrub ?? 0)).toBeLessThanOrEqual(100);
    expect(await earnings.problemsOf(orderId)).toEqual([]);
  });

  test('a Scrub who contests it gets back all that they have paid', async () => {
    const { orderId, claim } = await claimNew();
    await harness.passHours(49);
    await decide(claim.id, GIVEN, 'scrub');
    const before = await earnings.sumsOf(orderId);
    expect(LOAD + (before.scrub ?? 0)).toBe(borneOf(GIVEN));
    await harness.step(harness.scrub, claim.id, 'contest', { words: 'It was torn before.' });
    await decide(claim.id, GIVEN, 'platform');
    const after = await earnings.sumsOf(orderId);
    expect(after.scrub).toBe(-LOAD);
    expect(after['card-clearing']).toBe(before['card-clearing']);
    expect(await earnings.problemsOf(orderId)).toEqual([]);
    const ledger = await queryRow<{ sum: number }>(
      harness.context.db,
      sql`select sum(amount)::int as sum from ledger_lines`,
    );
    expect(ledger?.sum).toBe(0);
  });

  test('a refund by the platform costs it the part of the card, and nothing of the code', async () => {
    const { orderId, claim } = await claimNew();
    await harness.passHours(49);
    await decide(claim.id, GIVEN, 'platform');
    const sums = await earnings.sumsOf(orderId);
    const { code, taxes } = shares(GIVEN);
    expect(sums).toMatchObject({ scrub: -LOAD, 'refund-costs': GIVEN + code - taxes, promotions: OFF - code });
    expect(await earnings.problemsOf(orderId)).toEqual([]);
  });
});
