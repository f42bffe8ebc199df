import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/durations.ts';
import { useDeliveries } from '../../testing/deliveries.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { leaseDueTimers, TIMER_LEASE_MS } from '../jobs/timers.sql.ts';
import { fireTimer, runTimers } from '../jobs/timers.ts';
import { setPolicy } from '../town/policies.sql.ts';
import { positionHandlers } from './positions.ts';
import { DELIVERY_TIMERS } from './silence.ts';

const SILENCE_MS = 20 * MINUTE_MS;

describe.each(RULE_DATABASES)('a silent Duber, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  const decide = (value: 'open' | 'careful') => {
    deliveries.pass(1);
    return setPolicy(deliveries.context.db, { name: 'silence', value, setBy: 'Ada' }, deliveries.now());
  };
  const run = () => runTimers(deliveries.context, [DELIVERY_TIMERS]);
  const statusOf = async (id: string) =>
    (
      await deliveries.context.db
        .selectFrom('deliveries')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status;
  const sharePosition = (id: string) =>
    positionHandlers(deliveries.context).sharePosition({
      caller: deliveries.alan,
      params: { id },
      body: { latitude: 24.001, longitude: 67 },
    } as never);

  test('keeps the delivery while the town has decided nothing', async () => {
    const { id } = await deliveries.openDelivery(1);
    deliveries.pass(24 * 60 * MINUTE_MS);
    expect(await run()).toBe(0);
    expect(await statusOf(id)).toBe('Accepted');
  });

  test('loses it after 20 minutes without a step and a position, and is notified', async () => {
    await decide('careful');
    const { id } = await deliveries.openDelivery(1);
    deliveries.pass(SILENCE_MS - 1_000);
    await run();
    expect(await statusOf(id)).toBe('Accepted');
    await deliveries.step('way-to-pickup', id);
    deliveries.pass(SILENCE_MS - 1_000);
    await sharePosition(id);
    deliveries.pass(1_000);
    await run();
    expect(await statusOf(id)).toBe('Way_To_Pick');
    deliveries.pass(SILENCE_MS - 1_000);
    await run();
    expect(await statusOf(id)).toBe('Pending');
    expect(await deliveries.notified(id)).toContainEqual({ kind: 'dropped', id: deliveries.alan.id });
    const steps = await deliveries.context.db
      .selectFrom('steps')
      .select(['action', 'actor_role as by', 'attempt'])
      .where('subject_id', '=', id)
      .orderBy('position', 'desc')
      .executeTakeFirst();
    expect(steps).toEqual({ action: 'silent', by: 'System', attempt: 1 });
    expect(await run()).toBe(0);
    await decide('open');
  });

  const lease = async (id: string) => {
    const due = await leaseDueTimers(deliveries.context.db, [DELIVERY_TIMERS], deliveries.now());
    return due.find(({ subjectId }) => subjectId === id) ?? expect.fail('the timer is not due');
  };

  test.each(['way-to-pickup', 'collected'] as const)(
    'who takes the step %s at the last moment keeps it, although a worker has the timer already',
    async (action) => {
      await decide('careful');
      const { id } = await deliveries.openDelivery(action === 'collected' ? 2 : 1);
      deliveries.pass(SILENCE_MS);
      const timer = await lease(id);
      await deliveries.step(action, id);
      const status = await statusOf(id);
      await fireTimer(deliveries.context, [DELIVERY_TIMERS], timer);
      expect(await statusOf(id)).toBe(status);
      await decide('open');
    },
  );

  test('a Duber who shares a position at the last moment keeps the delivery, and the time runs from then', async () => {
    await decide('careful');
    const { id } = await deliveries.openDelivery(2);
    deliveries.pass(SILENCE_MS);
    const timer = await lease(id);
    await sharePosition(id);
    await fireTimer(deliveries.context, [DELIVERY_TIMERS], timer);
    expect(await statusOf(id)).toBe('Way_To_Pick');
    const { due_at: dueAt } = await deliveries.context.db
      .selectFrom('timers')
      .select('due_at')
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(dueAt).toEqual(new Date(deliveries.now().getTime() + SILENCE_MS));
    await decide('open');
  });

  test.runIf(kind === 'postgres')(
    'a worker waits for a step that is under way, and the step does not wait for the worker',
    async () => {
      await decide('careful');
      const { id } = await deliveries.openDelivery(1);
      deliveries.pass(SILENCE_MS);
      const timer = await lease(id);
      const { db } = deliveries.context;
      // As the step does: first the delivery, then its timer.
      const { firing } = await holdTransaction(db, async (tx) => {
        await sql`update deliveries set status = status where id = ${id}`.execute(tx);
        const firing = fireTimer(deliveries.context, [DELIVERY_TIMERS], timer);
        await waitForLockWaits(db);
        // Fails when the worker, which waits for the delivery, has the timer: each would wait for the other.
        await sql`set local lock_timeout = '200ms'`.execute(tx);
        await sql`update timers set due_at = due_at where subject_id = ${id}`.execute(tx);
        return { firing };
      });
      await firing;
      expect(await statusOf(id)).toBe('Pending');
      await decide('open');
    },
  );

  test('a town that decides otherwise meanwhile leaves it to its Duber', async () => {
    await decide('careful');
    const { id } = await deliveries.openDelivery(1);
    await decide('open');
    deliveries.pass(SILENCE_MS + TIMER_LEASE_MS);
    await run();
    expect(await statusOf(id)).toBe('Accepted');
    expect(await sql`select from timers where subject_id = ${id}`.execute(deliveries.context.db)).toMatchObject({
      rows: [],
    });
  });
});
