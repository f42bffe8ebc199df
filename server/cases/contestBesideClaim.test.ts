import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { Refusal } from '../http/refusals.ts';
import { decideCase } from './decideCase.ts';

const GIVE_BACK = { offer: 'give-back', amount: 12.5, words: 'The bleach was mine.' };
const NO = { words: 'No.' };
const REFUSED = {
  failure: 'caseIsOpen',
  message: 'Another report about this order is still open. Contest this decision once that one has ended',
};

describe.each(RULE_DATABASES)('contesting a decision beside another report about the order, on %s', (kind) => {
  let harness: CaseHarness;
  beforeAll(async () => {
    harness = await openCaseHarness(kind);
  });
  afterAll(() => harness?.close());

  /** A claim of which the town has given less than was asked for, at the cost of the Scrub. */
  const claimDecided = async () => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const orderId = await harness.createOrder('Delivered');
    const { id } = await harness.claim(orderId);
    await harness.step(harness.scrub, id, 'answer', GIVE_BACK);
    await harness.step(harness.bud, id, 'refuse-offer', { words: 'It was new.' });
    const items = [{ n: 1, cents: 500, liable: 'scrub' }] as const;
    expect(await decideCase(harness.context, { caseId: id, items, reason: 'The photo', name: 'olga' })).toMatchObject({
      ok: true,
    });
    return { orderId, id };
  };

  test('is refused while the other one is open, and possible once it has ended', async () => {
    const { orderId, id } = await claimDecided();
    const second = await harness.claim(orderId);
    for (const person of [harness.bud, harness.scrub])
      await expect(harness.step(person, id, 'contest', NO)).rejects.toMatchObject(REFUSED);
    expect((await harness.read(harness.scrub, id)).status).toBe('decided');
    await harness.step(harness.scrub, second.id, 'answer', GIVE_BACK);
    await harness.step(harness.bud, second.id, 'accept-offer');
    expect((await harness.step(harness.scrub, id, 'contest', NO)).status).toBe('with-town');
  });

  test.runIf(kind === 'postgres')('one of both happens when the Bud claims as the Scrub contests', async () => {
    for (let time = 0; time < 4; time += 1) {
      const { orderId, id } = await claimDecided();
      const taken = await Promise.allSettled([harness.step(harness.scrub, id, 'contest', NO), harness.claim(orderId)]);
      expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const one of taken) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal);
    }
  });
});
