import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { checkDecision, type Decision, decideCase } from './decideCase.ts';
import { readTownCase } from './townCases.ts';

describe.each(RULE_DATABASES)('a claim about the Scrub that a Duber is to bear, on %s', (kind) => {
  let harness: CaseHarness;
  beforeAll(async () => {
    harness = await openCaseHarness(kind);
  });
  afterAll(() => harness?.close());

  const decide = (caseId: string, items: Decision['items']) =>
    decideCase(harness.context, { caseId, items, reason: 'The photo shows it.', name: 'olga' });

  const duberWith = (id: string) => ({ id, role: 'Duber' }) as const;
  /**
   * A claim of two items about an order that one Duber brought and another one took back. It is about the Scrub, or about the other
   * one when something is late, and it is with the town.
   */
  const claimed = async (wrong: 'missing' | 'late' = 'missing') => {
    const { context, users, scrub, bud } = harness;
    await queryRows(context.db, sql`update cases set created_at = created_at - interval '90 days'`);
    const orderId = await harness.createOrder('Delivered');
    await queryRows(
      context.db,
      sql`update deliveries set duber_id = ${users.dubers[1]?.id} where order_id = ${orderId} and delivery_type = 'Scrub_To_Bud'`,
    );
    const shirt = { what: 'Shirt', kind: wrong, worth: 40, ageMonths: 2, asked: 5 };
    const { id } = await harness.claim(orderId, { items: [shirt, { ...shirt, what: 'Sock' }] });
    const answers = wrong === 'late' ? duberWith(users.dubers[1]?.id ?? '') : scrub;
    await harness.step(answers, id, 'answer', { offer: 'was-before', words: 'No.' });
    await harness.step(bud, id, 'refuse-offer', { words: 'It was there.' });
    const deliveries = await queryRows<{ id: string; duber: string }>(
      context.db,
      sql`select id, duber_id as duber from deliveries where order_id = ${orderId} order by created_at`,
    );
    const [there, back] = deliveries as [(typeof deliveries)[0], (typeof deliveries)[0]];
    return { id, orderId, there, back };
  };
  const liableUsers = async (orderId: string) =>
    (
      await harness.context.db.selectFrom('refunds').select('liable_user').where('order_id', '=', orderId).execute()
    ).map(({ liable_user }) => liable_user);

  test('can be contested by its own opener, who is to bear something', async () => {
    const { scrub, step } = harness;
    const orderId = await harness.createOrder('Delivered');
    const { id } = await harness.create(scrub, { kind: 'question', orderId, words: 'The Bud says that it shrank.' });
    expect(await decide(id, [{ n: 1, cents: 300, liable: 'scrub' }])).toEqual({ ok: true, cents: 300 });
    expect((await step(scrub, id, 'contest', { words: 'Their machine, not mine.' })).status).toBe('with-town');
  });

  test('is borne by the Duber of the delivery that the decision names', async () => {
    const { id, orderId, there, back } = await claimed();
    const read = await readTownCase(harness.context.db, { id, isShown: false }, harness.context.now());
    expect(read?.dubers.map(({ deliveryId }) => deliveryId)).toEqual([there.id, back.id]);
    const duber = { liable: 'duber', deliveryId: back.id } as const;
    const items = [
      { n: 1, cents: 300, ...duber },
      { n: 2, cents: 200, ...duber },
    ];
    expect(await decide(id, items)).toEqual({ ok: true, cents: 500 });
    expect(await liableUsers(orderId)).toEqual([back.duber]);
    await harness.runPaymentJobs();
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
    const [taken] = await queryRows<{ cents: number }>(
      harness.context.db,
      sql`select sum(l.amount)::int as cents from case_refunds cr join ledger_entries e on e.refund_id = cr.refund_id
        join ledger_lines l on l.entry_id = e.id where cr.case_id = ${id} and l.account = 'duber' and l.party = ${back.duber}`,
    );
    const partOf = async (person: Parameters<typeof harness.read>[0]) => {
      const { callerPays, callerDeliveryId } = await harness.read(person, id);
      return { callerPays, callerDeliveryId };
    };
    // Taxes are not taken from anybody's earnings.
    expect(taken?.cents).toBeGreaterThan(400);
    expect(await partOf(duberWith(back.duber))).toEqual({
      callerPays: (taken?.cents ?? 0) / 100,
      callerDeliveryId: back.id,
    });
    for (const person of [harness.bud, harness.scrub])
      expect(await partOf(person)).toEqual({ callerPays: 0, callerDeliveryId: null });
  });

  test('is decided for one Duber who carried this order, and for nobody else', async () => {
    const { id, orderId, there, back } = await claimed();
    const other = await claimed();
    const why = async (...items: Decision['items']) => {
      const result = await decide(id, items);
      return result.ok ? undefined : result.why;
    };
    const item = { n: 1, cents: 300, liable: 'duber' } as const;
    expect(await why(item)).toBe('say which Duber bears it');
    // Before a second operator is asked, too.
    expect(await checkDecision(harness.context, { caseId: id, items: [item] })).toEqual({
      ok: false,
      why: 'say which Duber bears it',
    });
    expect(await why({ ...item, deliveryId: other.back.id })).toBe(
      'no Duber carried laundry of this order in that delivery',
    );
    expect(await why({ ...item, liable: 'scrub', deliveryId: back.id })).toBe(
      'name a delivery only where its Duber bears it',
    );
    expect(await why({ ...item, deliveryId: back.id }, { ...item, n: 2, deliveryId: there.id })).toBe(
      'one Duber bears all of it: name the same delivery',
    );
    expect(await liableUsers(orderId)).toEqual([]);
  });

  test('stays with the Duber who bore it, because it went back to the card', async () => {
    const { id, orderId, there, back } = await claimed();
    const item = { n: 1, cents: 300, liable: 'duber' } as const;
    expect(await decide(id, [{ ...item, deliveryId: back.id }])).toMatchObject({ ok: true });
    await harness.step(harness.bud, id, 'contest', { words: 'It was worth more.' });
    expect(await decide(id, [{ ...item, deliveryId: there.id }])).toEqual({
      ok: false,
      why: 'another Duber has borne $3.00: nobody else can pay it now',
    });
    expect(await decide(id, [{ ...item, cents: 500, deliveryId: back.id }])).toMatchObject({ ok: true });
    expect(await liableUsers(orderId)).toEqual([back.duber, back.duber]);
  });

  test('stays with the Duber who bore it, also when the case is about another one and the next decision names nobody', async () => {
    const { id, orderId, there } = await claimed('late');
    const item = { n: 1, cents: 300, liable: 'duber' } as const;
    expect(await decide(id, [{ ...item, deliveryId: there.id }])).toMatchObject({ ok: true });
    await harness.step(harness.bud, id, 'contest', { words: 'It was worth more.' });
    const why = 'another Duber has borne $3.00: nobody else can pay it now';
    expect(await decide(id, [{ ...item, cents: 500 }])).toEqual({ ok: false, why });
    expect(await checkDecision(harness.context, { caseId: id, items: [{ ...item, cents: 500 }] })).toEqual({
      ok: false,
      why,
    });
    expect(await decide(id, [{ ...item, cents: 500, deliveryId: there.id }])).toMatchObject({ ok: true });
    expect(await liableUsers(orderId)).toEqual([there.duber, there.duber]);
  });

  test('is read and contested by the Duber who bears it, and by no other one', async () => {
    const { id, there, back } = await claimed();
    const [bears, other] = [duberWith(back.duber), duberWith(there.duber)];
    await expect(harness.read(bears, id)).rejects.toMatchObject({ failure: 'notFound' });
    expect(await decide(id, [{ n: 1, cents: 300, liable: 'duber', deliveryId: back.id }])).toMatchObject({ ok: true });
    const notified = await queryRows<{ id: string }>(
      harness.context.db,
      sql`select distinct n.user_id as id from notifications n join steps e on e.id = n.about
        where e.subject_id = ${id} and e.action = 'decide'`,
    );
    const people = [harness.bud, harness.scrub, bears].map((person) => person.id);
    expect(notified.map((one) => one.id).sort()).toEqual(people.sort());
    expect(await harness.read(bears, id)).toMatchObject({ status: 'decided', actions: ['contest'], mostToGive: 0 });
    await expect(harness.read(other, id)).rejects.toMatchObject({ failure: 'notFound' });
    expect(await harness.step(bears, id, 'contest', { words: 'I brought all of it.' })).toMatchObject({
      status: 'with-town',
    });
  });
});
