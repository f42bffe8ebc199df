import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/durations.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { useLegs } from '../../testing/legs.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { leaseDueTimers, TIMER_LEASE_MS } from '../jobs/timers.sql.ts';
import { fireTimer, runTimers } from '../jobs/timers.ts';
import { setPolicy } from '../town/policies.sql.ts';
import { positionHandlers } from './positions.ts';
import { DELIVERY_TIMERS } from './silence.ts';

const SILENCE_MS = 20 * MINUTE_MS;

describe.each(RULE_DATABASES)('a silent Duber, on %s', (kind) => {
  const legs = useLegs(kind);

  const decide = (value: 'open' | 'careful') => {
    legs.pass(1);
    return setPolicy(legs.context.db, { name: 'silence', value, setBy: 'Ada' }, legs.now());
  };
  const run = () => runTimers(legs.context, [DELIVERY_TIMERS]);
  const statusOf = async (id: string) =>
    (await legs.context.db.selectFrom('deliveries').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status;
  const sharePosition = (id: string) =>
    positionHandlers(legs.context).sharePosition({
      caller: legs.alan,
      params: { id },
      body: { latitude: 24.001, longitude: 67 },
    } as never);

  test('keeps the delivery while the town has decided nothing', async () => {
    const { id } = await legs.openLeg(1);
    legs.pass(24 * 60 * MINUTE_MS);
    expect(await run()).toBe(0);
    expect(await statusOf(id)).toBe('Accepted');
  });

  test('loses it after 20 minutes without a step and a position, and is notified', async () => {
    await decide('careful');
    const { id } = await legs.openLeg(1);
    legs.pass(SILENCE_MS - 1_000);
    await run();
    expect(await statusOf(id)).toBe('Accepted');
    await legs.step('way-to-pickup', id);
    legs.pass(SILENCE_MS - 1_000);
    await sharePosition(id);
    legs.pass(1_000);
    await run();
    expect(await statusOf(id)).toBe('Way_To_Pick');
    legs.pass(SILENCE_MS - 1_000);
    await run();
    expect(await statusOf(id)).toBe('Pending');
    expect(await legs.notified(id)).toContainEqual({ kind: 'dropped', id: legs.alan.id });
    const steps = await legs.context.db
      .selectFrom('delivery_steps')
      .select(['action', 'actor_role as by', 'attempt'])
      .where('delivery_id', '=', id)
      .orderBy('position', 'desc')
      .executeTakeFirst();
    expect(steps).toEqual({ action: 'silent', by: 'System', attempt: 1 });
    expect(await run()).toBe(0);
    await decide('open');
  });

  const lease = async (id: string) => {
    const due = await leaseDueTimers(legs.context.db, [DELIVERY_TIMERS], legs.now());
    return due.find(({ subjectId }) => subjectId === id) ?? expect.fail('the timer is not due');
  };

  test.each(['way-to-pickup', 'collected'] as const)(
    'who takes the step %s at the last moment keeps it, although a worker has the timer already',
    async (action) => {
      await decide('careful');
      const { id } = await legs.openLeg(action === 'collected' ? 2 : 1);
      legs.pass(SILENCE_MS);
      const timer = await lease(id);
      await legs.step(action, id);
      const status = await statusOf(id);
      await fireTimer(legs.context, [DELIVERY_TIMERS], timer);
      expect(await statusOf(id)).toBe(status);
      await decide('open');
    },
  );

  test('who shares a position at the last moment keeps it, and the time runs from then', async () => {
    await decide('careful');
    const { id } = await legs.openLeg(2);
    legs.pass(SILENCE_MS);
    const timer = await lease(id);
    await sharePosition(id);
    await fireTimer(legs.context, [DELIVERY_TIMERS], timer);
    expect(await statusOf(id)).toBe('Way_To_Pick');
    const { due_at: dueAt } = await legs.context.db
      .selectFrom('timers')
      .select('due_at')
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(dueAt).toEqual(new Date(legs.now().getTime() + SILENCE_MS));
    await decide('open');
  });

  test.runIf(kind === 'postgres')(
    'a worker waits for a step that is under way, and the step does not wait for the worker',
    async () => {
      await decide('careful');
      const { id } = await legs.openLeg(1);
      legs.pass(SILENCE_MS);
      const timer = await lease(id);
      const { db } = legs.context;
      // As the step does: first the delivery, then its timer.
      const { firing } = await holdTransaction(db, async (tx) => {
        await sql`update deliveries set status = status where id = ${id}`.execute(tx);
        const firing = fireTimer(legs.context, [DELIVERY_TIMERS], timer);
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
    const { id } = await legs.openLeg(1);
    await decide('open');
    legs.pass(SILENCE_MS + TIMER_LEASE_MS);
    await run();
    expect(await statusOf(id)).toBe('Accepted');
    expect(await sql`select from timers where subject_id = ${id}`.execute(legs.context.db)).toMatchObject({ rows: [] });
  });
});
