import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/accounts.ts';
import { createParticipants, findDeliveryId, placeOrder } from '../../testing/orderSteps.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { CHEAPEST_DATABASE, openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { queryRows, transact, violatedConstraint } from '../db/database.ts';
import { takeDeliveryStep } from './steps.ts';

const RACERS = 8;

describe.each(RULE_DATABASES)('the history, on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness?.close());

  const deliveryOf = async (orderId: string) =>
    (
      await harness.context.db
        .selectFrom('deliveries')
        .select('id')
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow()
    ).id;
  const duber = () => harness.users.dubers[0] as Extract<Caller, { role: 'Duber' }>;

  /** Accepts a delivery after a fault has put it back: only the key of the history is left to refuse that. */
  const acceptAgain = (id: string) =>
    transact(harness.context.db, async (tx) => {
      await sql`update deliveries set status = 'Pending', duber_id = null where id = ${id}`.execute(tx);
      return takeDeliveryStep({ ...harness.context, db: tx }, duber(), { id, action: 'accept-delivery' });
    }).then(
      () => 'accepted',
      (error: unknown) => violatedConstraint(error) ?? String(error),
    );

  test('has an action once an attempt, even if a delivery were put back, and again in the next attempt', async () => {
    const { db } = harness.context;
    const id = await deliveryOf(await harness.createOrder('Accepted'));
    for (const attempt of [1, 2]) {
      await sql`update deliveries set attempt = ${attempt} where id = ${id}`.execute(db);
      const outcomes = await Promise.all(Array.from({ length: RACERS }, () => acceptAgain(id)));
      expect(outcomes.toSorted()).toEqual(['accepted', ...Array<string>(RACERS - 1).fill('steps_once_an_attempt')]);
    }
    const steps = await queryRows(
      db,
      sql`select concat_ws(' ', attempt, action, status, actor_role, actor_id = ${duber().id}) as step from steps
        where subject_id = ${id} order by position`,
    );
    expect(steps.map((row) => (row as { step: string }).step)).toEqual([
      '1 open-delivery Pending System',
      '1 accept-delivery Accepted Duber t',
      '2 accept-delivery Accepted Duber t',
    ]);
    await sql`update deliveries set status = 'Delivered' where id = ${id}`.execute(db);
  });

  test('of an order has who did what, and an action once a round', async () => {
    const { db, now } = harness.context;
    const id = await harness.createOrder('Completed');
    const steps = await queryRows<{ step: string }>(
      db,
      sql`select concat_ws(' ', t.attempt, t.action, t.actor_role, t.actor_id = case when t.actor_role = 'Bud' then o.bud_id
          else o.scrub_id end) as step
        from steps t join orders o on o.id = t.subject_id where o.id = ${id} order by t.position`,
    );
    expect(steps.map(({ step }) => step)).toEqual([
      '1 place-order Bud t',
      '1 accept-order Scrub t',
      '1 start-order Scrub t',
      '1 complete-order Scrub t',
    ]);
    const insert = (round: number, position: number) =>
      sql`insert into steps (subject_kind, subject_id, attempt, action, status, actor_role, at, position)
        values ('order', ${id}, ${round}, 'accept-order', 'Accepted', 'Scrub', ${now()}, ${position})`.execute(db);
    const repeated = await insert(1, 4).catch(violatedConstraint);
    expect(repeated).toBe('steps_once_an_attempt');
    await insert(2, 4);
  });
});

describe('the clock of a server that is behind', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer(CHEAPEST_DATABASE, { isClockStopped: true });
  });
  afterAll(() => server?.close());

  test('never puts a step before the last step of its order or delivery', async () => {
    const people = await createParticipants(server);
    const { bud, scrub, duber } = people;
    const { id } = await placeOrder(people);
    const setBack = () => server.advanceClock(-1_000);
    setBack();
    await scrub.api['accept-order']({ params: { id } });
    const delivery = findDeliveryId(await bud.api.readOrder({ params: { id } }), 'Bud_To_Scrub');
    const params = { id: delivery };
    setBack();
    await duber.api['accept-delivery']({ params });
    setBack();
    await duber.api['drop-delivery']({ params, body: { reason: 'breakdown' } });
    const { deliveries, statusHistory } = await bud.api.readOrder({ params: { id } });
    const { statusHistory: steps, status } = await bud.api.readDelivery({ params });
    const times = (history: readonly { createdAt: string }[]) => history.map(({ createdAt }) => createdAt);
    expect(times(statusHistory)).toEqual(times(statusHistory).toSorted());
    expect(times(steps)).toEqual(times(steps).toSorted());
    expect([deliveries.length, status, steps.map((step) => step.status)]).toEqual([
      1,
      'Pending',
      ['Pending', 'Accepted', 'Pending'],
    ]);
  });
});
