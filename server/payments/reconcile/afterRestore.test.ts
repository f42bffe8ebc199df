import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DayTests, openDayTests } from '../../../testing/dayTests.ts';
import { createPayment } from '../../../testing/squareSandbox.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow, queryRows } from '../../db/database.ts';
import { countStuck } from '../../operator/today.sql.ts';
import { recordRestore } from './afterRestore.sql.ts';

const PRICE = 2683;

describe.each(RULE_DATABASES)('the first start after a restore, on %s', (kind) => {
  let days: DayTests;
  beforeAll(async () => {
    days = await openDayTests(kind);
  });
  afterAll(() => days?.close());

  const concernOf = async (orderId: string) =>
    (await queryRow<{ concern: string | null }>(days.db, sql`select concern from payments where order_id = ${orderId}`))
      ?.concern;

  test('finds a hold that is gone and a charge of today that is unknown, and looks at the day again when it is over', async () => {
    days.setClock('2026-11-10T09:00:00Z');
    const paymentSourceId = 'cnon:card-nonce-ok';
    const cancelled = await days.harness.createOrder('Requested', { paymentSourceId });
    const untouched = await days.harness.createOrder('Requested', { paymentSourceId });
    await days.charge();
    // Since the backup: the order was called off, and somebody else has paid for one that is not in it.
    const held = await queryRow<{ squareId: string }>(
      days.db,
      sql`select square_id as "squareId" from payments where order_id = ${cancelled}`,
    );
    const release = { orderId: cancelled, amount: PRICE, squareId: held?.squareId ?? null, versionToken: null };
    expect(await days.harness.context.cards.release(release)).toEqual({ kind: 'released' });
    days.setClock('2026-11-10T11:00:00Z');
    const stranger = await createPayment(days.sandbox, { locationId: 'L1' });
    days.setClock('2026-11-10T14:00:00Z');
    await days.compare();
    await days.harness.runPaymentJobs();
    expect(await countStuck(days.db)).toMatchObject({ stuckPayments: 0, differingDays: 0 });

    await recordRestore(days.db, days.harness.context.now());
    await days.compare();
    await days.harness.runPaymentJobs();
    expect(await concernOf(cancelled)).toBe('the hold is CANCELED at the card network');
    expect(await concernOf(untouched)).toBeNull();
    expect(await countStuck(days.db)).toMatchObject({ stuckPayments: 1, differingDays: 1 });
    const today = await days.dayOf('2026-11-10');
    expect(today.differences.filter(({ what }) => what === 'charged')).toEqual([
      { what: 'charged', squareId: stranger.id, orderId: null, orderNumber: null, ours: 0, theirs: PRICE },
    ]);

    // Once: the next start compares nothing.
    expect(await days.compare()).toBe(0);
    days.setClock('2026-11-12T00:00:00Z');
    await days.settle();
    expect(await days.compare()).toBeGreaterThan(0);
    const again = await days.dayOf('2026-11-10');
    expect(again).toMatchObject({ state: 'differs', counts: { charged: 2 }, isDue: false });
    const rows = sql`select day, is_early as "isEarly" from reconciled_days order by day`;
    expect(
      (await queryRows<{ day: string; isEarly: boolean }>(days.db, rows)).filter(({ isEarly }) => isEarly),
    ).toEqual([]);
  });
});
