import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { DeliveryDetails } from '../../contract/deliveries.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { AT_THE_DOOR, failureOf, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { decideCase } from '../cases/decideCase.ts';
import { queryRows } from '../db/database.ts';
import { handoverHandlers } from '../handovers/handovers.ts';

describe.each(RULE_DATABASES)('a step of a delivery that is taken back, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  /** The failure of Undo. What the Duber reads must have said it before. */
  const undo = async (id: string, duber = deliveries.alan) => {
    const { isFinal = false } = ((await deliveries.read(duber, id)) ?? expect.fail()) as DeliveryDetails;
    const outcome = await failureOf(deliveries.take(duber, 'correct', id));
    expect(isFinal).toBe(!outcome.startsWith('taken'));
    return outcome;
  };

  test('a Duber reads that it is final once the server refuses to take it back, and not before', async () => {
    const { id } = await deliveries.openDelivery(5);
    for (const _ of [1, 2]) {
      expect(await undo(id)).toContain('Way_To_Drop');
      await deliveries.step('delivered', id);
    }
    expect(await undo(id)).toBe('undoOver');
    // Only its Duber reads it.
    expect(await deliveries.read(deliveries.bud, id)).not.toHaveProperty('isFinal');
    const collected = await deliveries.openDelivery(3, deliveries.bob);
    expect(await undo(collected.id, deliveries.bob)).toContain('Way_To_Pick');
  });

  test("a step pressed by mistake is taken back within ten minutes of the server's time, and later by an operator", async () => {
    const { take, alan, pass } = deliveries;
    const { id } = await deliveries.openDelivery(5);
    pass(10 * MINUTE_MS);
    expect(await take(alan, 'correct', id)).toMatchObject({ status: 'Way_To_Drop', attempt: 2 });
    expect(await deliveries.rowOf(id)).toMatchObject({ has_laundry: true, delivered_at: null, duber_id: alan.id });
    await deliveries.step('delivered', id);
    pass(10 * MINUTE_MS + 1);
    expect(await failureOf(take(alan, 'correct', id))).toBe('undoOver');
    // Not even a device whose clock is behind.
    const takenAt = new Date(deliveries.now().getTime() - MINUTE_MS);
    expect(await failureOf(take(alan, 'correct', id, { takenAt }))).toBe('undoOver');
    const next = await deliveries.openDelivery(1);
    expect(await failureOf(take(OPERATOR, 'correct', id, { reason: 'asked' }))).toBe('alreadyBusy');
    await take(alan, 'drop-delivery', next.id, { reason: 'ill' });
    expect(await take(OPERATOR, 'correct', id, { reason: 'asked' })).toMatchObject({ status: 'Way_To_Drop' });
    const collected = await deliveries.openDelivery(3, deliveries.bob);
    expect(await take(deliveries.bob, 'correct', collected.id)).toMatchObject({ status: 'Way_To_Pick' });
    expect(await deliveries.rowOf(collected.id)).toMatchObject({ has_laundry: false });
    await deliveries.step('collected', collected.id, deliveries.bob);
  });

  test('laundry that its recipient has is not refused, lost, or taken back; another failure of its delivery is', async () => {
    const { take, step, bud, scrub, bob } = deliveries;
    const confirm = (caller: typeof bud | typeof scrub, orderId: string) =>
      handoverHandlers(deliveries.context).confirmReceived({
        caller,
        params: { id: orderId },
        body: { bags: 1 },
      } as never);
    const onTheWay = await deliveries.openDelivery(4);
    await confirm(scrub, onTheWay.orderId);
    for (const [action, body] of [
      ['drop-failed', { reason: 'unsafe' }],
      ['report-lost', { words: 'The bag is gone.' }],
    ] as const)
      expect(await failureOf(take(deliveries.alan, action, onTheWay.id, body)), action).toBe('takerHasIt');
    await step('delivered', onTheWay.id);
    expect(await undo(onTheWay.id)).toBe('takerHasIt');
    // The Scrub pressed by mistake, the town helps, and the Duber still has it.
    for (const goesOn of ['try-again', 'bring-back'] as const) {
      const mistaken = await deliveries.openDelivery(4);
      await confirm(scrub, mistaken.orderId);
      deliveries.pass(MINUTE_MS);
      await take(OPERATOR, 'report-lost', mistaken.id, { reason: 'silent' });
      await take(deliveries.alan, goesOn, mistaken.id);
      const lost = await failureOf(take(deliveries.alan, 'report-lost', mistaken.id, { words: 'The bag is gone.' }));
      expect(lost, goesOn).toMatch(/^taken/);
      await take(OPERATOR, 'call-off', mistaken.id, { reason: 'lost' });
    }
    const { id, orderId } = await deliveries.openDelivery(4);
    await take(deliveries.alan, 'drop-failed', id, { reason: 'unsafe' });
    for (const action of ['bring-back', 'brought-back'] as const) await take(deliveries.alan, action, id);
    await confirm(bud, orderId);
    await take(bud, 're-offer', id);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    await take(bob, 'pickup-failed', id, { reason: 'unsafe' });
    expect(await undo(id, bob)).toContain('Way_To_Pick');
  });

  test('an earlier arrival still counts: the Duber does not have to wait again, and is paid', async () => {
    const { take, alan, pass } = deliveries;
    const { id, orderId, price } = await deliveries.openDelivery(2);
    const fail = async (reason: string) =>
      failureOf(take(alan, 'pickup-failed', id, { reason, ...(await deliveries.photo(alan)) }));
    await take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR });
    pass(5 * MINUTE_MS);
    expect(await fail('not-laundry')).toContain('taken');
    expect(await undo(id)).toContain('Way_To_Pick');
    expect(await deliveries.earned(orderId)).toBe(0);
    expect(await fail('nobody-home')).toContain('taken');
    expect(await deliveries.earned(orderId)).toBe(price);
    // Offered again, it is another trip.
    await take(deliveries.bud, 're-offer', id);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await deliveries.step(action, id);
    expect(await fail('nobody-home')).toBe('notArrived');
  });

  test('a failure that was pressed by mistake is no longer a case of the town, unless it has decided', async () => {
    const { take, alan, context } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    const fail = (words: string) => take(alan, 'pickup-failed', id, { reason: 'unsafe', words });
    const casesOf = () =>
      queryRows<{ status: string; words: string; last: string }>(
        context.db,
        sql`select c.status, (select e.words from steps e where e.subject_id = c.id and e.action = 'open') as words,
            (select e.action from steps e where e.subject_id = c.id order by e.position desc limit 1) as last
          from cases c where c.delivery_id = ${id} order by c.no`,
      );
    await fail('The wrong button.');
    expect(await undo(id)).toContain('Way_To_Pick');
    expect(await casesOf()).toEqual([{ status: 'closed', words: 'The wrong button.', last: 'taken-back' }]);
    await fail('A dog barks.');
    expect((await casesOf()).at(-1)).toEqual({ status: 'with-town', words: 'A dog barks.', last: 'open' });
    const [, open] = await queryRows<{ id: string }>(
      context.db,
      sql`select id from cases where delivery_id = ${id} order by no`,
    );
    const decided = { caseId: open?.id ?? '', items: [], reason: 'We know the dog.', name: 'olga' };
    expect(await decideCase(context, decided)).toMatchObject({ ok: true });
    await sql`update cases set status = 'with-town' where id = ${open?.id}`.execute(context.db); // As a contested decision is.
    expect(await undo(id)).toContain('Way_To_Pick');
    expect((await casesOf()).at(-1)).toMatchObject({ status: 'with-town', last: 'decide' });
  });

  test('a case stays open when a later failure of its delivery is taken back', async () => {
    const { take, alan, bob, bud, context } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    const fail = (by: typeof alan, words: string) => take(by, 'pickup-failed', id, { reason: 'unsafe', words });
    await fail(alan, 'A dog bit me.');
    deliveries.pass(1);
    await take(bud, 're-offer', id);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await deliveries.step(action, id, bob);
    await fail(bob, 'The wrong button.');
    deliveries.pass(1);
    await take(bob, 'correct', id);
    const cases = sql`select status from cases where delivery_id = ${id}`;
    expect(await queryRows(context.db, cases)).toEqual([{ status: 'with-town' }]);
  });

  test('a delivery of an order that has ended since is not taken back by its Duber', async () => {
    const { id, orderId } = await deliveries.openDelivery(5);
    await deliveries.context.db.updateTable('orders').set({ status: 'Cancelled' }).where('id', '=', orderId).execute();
    expect(await undo(id)).toBe('undoOver');
  });

  test('a delivery whose laundry the Scrub has weighed, started or finished is taken back by an operator, and not by the Duber', async () => {
    const { take, pass, context } = deliveries;
    for (const action of ['weigh', 'start-order', 'complete-order'] as const) {
      const { id, orderId } = await deliveries.openDelivery(5);
      const order = await context.db
        .selectFrom('orders')
        .select(['scrub_id', 'status'])
        .where('id', '=', orderId)
        .executeTakeFirstOrThrow();
      const by = { actor_id: order.scrub_id, actor_role: 'Scrub' } as const;
      const step = { subject_kind: 'order', subject_id: orderId, status: order.status, action, ...by } as const;
      // A step at the same moment may have been before.
      await context.db
        .insertInto('steps')
        .values({ ...step, attempt: 1, position: 9, at: deliveries.now() })
        .execute();
      expect(await undo(id)).toContain('Way_To_Drop');
      await deliveries.step('delivered', id);
      pass(MINUTE_MS);
      await context.db
        .insertInto('steps')
        .values({ ...step, attempt: 2, position: 10, at: deliveries.now() })
        .execute();
      expect(await undo(id)).toBe('undoOver');
      expect(await take(OPERATOR, 'correct', id, { reason: 'mistake' })).toMatchObject({ status: 'Way_To_Drop' });
      await deliveries.step('delivered', id);
    }
  });
});
