import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCase } from '../../contract/cases.ts';
import { type CaseHarness, openCaseHarness } from '../../testing/caseHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRows, transact } from '../db/database.ts';
import { holdCredits } from '../payments/earnings/earnings.ts';
import { earningsHandlers } from '../payments/payouts/earnings.ts';
import { closeCase } from './decideCase.ts';
import { openCase } from './openCase.ts';

const NAME = 'olga';

describe.each(RULE_DATABASES)('cases for the town, on %s', (kind) => {
  let harness: CaseHarness;
  beforeAll(async () => {
    harness = await openCaseHarness(kind);
  });
  afterAll(() => harness?.close());

  test('a problem that a step found opens one case, which its people see and the town closes', async () => {
    const orderId = await harness.createOrder('Delivered');
    const open = () =>
      transact(harness.context.db, (tx) =>
        openCase(tx, { kind: 'lost', orderId, words: 'The bag is gone.' }, harness.context.now()),
      );
    const id = await open();
    expect(await open()).toBe(id);
    expect(await harness.read(harness.scrub, id)).toMatchObject({ kind: 'lost', priority: 'high', openedBy: 'System' });
    const close = { caseId: id, reason: 'It was found.', name: NAME };
    expect(await closeCase(harness.context, close)).toEqual({ ok: true, cents: 0 });
    expect(await open()).not.toBe(id);
  });

  test('the earnings of the Duber of lost laundry wait until its case is closed', async () => {
    const { context, duber } = harness;
    const orderId = await harness.createOrder('Delivered');
    // Nobody can claim it any more.
    await harness.passHours(8 * 24);
    const lost = { orderId, account: 'duber', userId: duber.id, reason: 'lost' } as const;
    const aboutUser = { userId: duber.id, role: 'Duber' } as const;
    const caseId = await transact(context.db, async (tx) => {
      await holdCredits(tx, lost, context.now());
      return openCase(tx, { kind: 'lost', orderId, aboutUser }, context.now());
    });
    const heldCents = async () =>
      Math.round((await earningsHandlers(context).earnings({ caller: duber } as never)).held * 100);
    expect(await heldCents()).toBe(2 * 599);
    expect(await closeCase(context, { caseId, reason: 'It was found.', name: NAME })).toEqual({ ok: true, cents: 0 });
    expect(await heldCents()).toBe(0);
  });

  test('a Duber who cannot continue asks the town, and only the asker reads the question', async () => {
    const orderId = await harness.createOrder('Delivered');
    const deliveries = await harness.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', orderId)
      .execute();
    const relay = {
      kind: 'relay',
      deliveryId: deliveries[0]?.id,
      words: 'A flat tire.',
      place: { latitude: 24, longitude: 67 },
    };
    await expect(harness.create(harness.duber, relay)).rejects.toMatchObject({ failure: 'wrongStatus' });
    await queryRows(
      harness.context.db,
      sql`update deliveries set status = 'Collected' where id = ${deliveries[0]?.id}`,
    );
    const opened = await harness.create(harness.duber, relay);
    expect(opened).toMatchObject({ status: 'with-town', priority: 'high', orderId });
    await expect(harness.create(harness.duber, relay)).rejects.toMatchObject({ failure: 'caseIsOpen' });
    await expect(harness.read(harness.bud, opened.id)).rejects.toMatchObject({ failure: 'notFound' });
    await queryRows(
      harness.context.db,
      sql`update deliveries set status = 'Delivered' where id = ${deliveries[0]?.id}`,
    );
    const question = { kind: 'question', words: 'Where do I see my payout?' };
    expect(await harness.create(harness.scrub, question)).toMatchObject({ status: 'with-town', orderId: null });
    const foreign = { ...question, orderId };
    const [, other] = harness.users.buds;
    const stranger = { id: other?.id ?? '', role: 'Bud' } as const;
    await expect(harness.create(stranger, foreign)).rejects.toMatchObject({ failure: 'notFound' });
    await expect(harness.create(stranger, relay)).rejects.toMatchObject({ failure: 'wrongRole' });
  });

  test('a Duber whose phone does not say where it is asks for another Duber as urgently', async () => {
    const orderId = await harness.createOrder('Delivered');
    const delivery = await harness.context.db
      .updateTable('deliveries')
      .set({ status: 'Collected' })
      .where('order_id', '=', orderId)
      .where('delivery_type', '=', 'Scrub_To_Bud')
      .returning('id')
      .executeTakeFirstOrThrow();
    const body = createCase.body.parse({
      kind: 'relay',
      deliveryId: delivery.id,
      words: 'A flat tire, at the bridge.',
    });
    expect(await harness.create(harness.duber, body)).toMatchObject({ kind: 'relay', priority: 'high', orderId });
    await queryRows(harness.context.db, sql`update deliveries set status = 'Delivered' where id = ${delivery.id}`);
  });
});
