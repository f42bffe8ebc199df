import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { Refusal } from '../http/refusals.ts';
import { type Decision, decideCase } from './decideCase.ts';

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
    await harness.earn(6);
  });
  afterAll(() => harness?.close());

  /** A claim of which the town has given less than was asked for, at the cost of the Scrub. */
  const claimDecided = async () => {
    await queryRows(harness.context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const orderId = await harness.createOrder('Delivered');
    const { id } = await harness.claim(orderId);
    await harness.step(harness.scrub, id, 'answer', GIVE_BACK);
    await harness.step(harness.bud, id, 'refuse-offer', { words: 'It was new.' });
    await decide(id, [{ n: 1, cents: 500, liable: 'scrub' }]);
    return { orderId, id };
  };
  const passDays = async (count: number) => {
    await harness.runPaymentJobs();
    for (let day = 0; day < count; day += 1) await harness.passHours(24);
  };
  const decide = async (caseId: string, items: Decision['items']) =>
    expect(await decideCase(harness.context, { caseId, items, reason: 'The photo', name: 'olga' })).toMatchObject({
      ok: true,
    });

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

  test('is possible for 7 days from the end of the other one, however long the town takes for it', async () => {
    const { orderId, id } = await claimDecided();
    const second = await harness.claim(orderId);
    const stateOf = async (person = harness.scrub) => {
      const { status, actions } = await harness.read(person, id);
      return [status, ...actions];
    };
    await harness.step(harness.scrub, second.id, 'answer', GIVE_BACK);
    await harness.step(harness.bud, second.id, 'refuse-offer', NO);
    // No button is shown that is refused.
    expect(await stateOf()).toEqual(['decided']);
    await passDays(9);
    expect(await stateOf()).toEqual(['decided']);
    await decide(second.id, []);
    await passDays(6);
    expect(await stateOf()).toEqual(['decided', 'contest']);
    expect(await stateOf(harness.bud)).toEqual(['decided', 'contest']);
    expect((await harness.step(harness.scrub, id, 'contest', NO)).status).toBe('with-town');
    await passDays(9);
    await decide(id, [{ n: 1, cents: 500, liable: 'scrub' }]);
    // Now the days of the other one count from the end of this one, which nobody can contest again.
    await passDays(6);
    expect((await harness.read(harness.bud, second.id)).actions).toEqual(['contest']);
    expect(await stateOf(harness.bud)).toEqual(['decided']);
    await passDays(1);
    expect((await harness.read(harness.bud, second.id)).status).toBe('closed');
    expect((await harness.read(harness.bud, id)).status).toBe('closed');
  });

  test.runIf(kind === 'postgres')(
    'either the claim or the contest counts when the Bud claims as the Scrub contests',
    async () => {
      for (let time = 0; time < 4; time += 1) {
        const { orderId, id } = await claimDecided();
        const taken = await Promise.allSettled([
          harness.step(harness.scrub, id, 'contest', NO),
          harness.claim(orderId),
        ]);
        expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        for (const one of taken) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal);
      }
    },
  );
});
