import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRestored, takeBackup } from '../../testing/backupFiles.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { createPromo } from '../../testing/promos.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { orderHandlers } from '../orders/orders.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';

describe.each(RULE_DATABASES)('promo codes of a restored backup, from %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness?.close());

  test('a code is used as often as the orders say that are in it, and gives back and takes uses as before', async () => {
    const { code } = await createPromo(harness.context, { maxUses: 2 });
    const usesIn = async (db: Tx) =>
      (await queryRow<{ uses: number }>(db, sql`select uses from promos where code = ${code}`))?.uses;
    const held = await harness.createOrder('Requested', { promoCode: code });
    const backup = await takeBackup(harness.context.db, harness.context.now());
    // What happens after it is lost: one use more, and one that is given back.
    await harness.createOrder('Accepted', { promoCode: code });
    const bud = harness.users.buds[0];
    const cancel = { caller: bud, params: { id: held } } as never;
    await orderHandlers(harness.context)['cancel-order'](cancel);
    const restored = await openRestored(backup);
    expect(await usesIn(restored.db)).toBe(1);
    expect(await findAuditProblems(restored.db)).toEqual([]);
    const context = { ...harness.context, db: restored.db };
    await orderHandlers(context)['cancel-order'](cancel);
    expect(await usesIn(restored.db)).toBe(0);
    const body = {
      ...{ budAddressId: bud?.addressId, scrubId: harness.users.scrubs[0]?.id, loadSize: 'Medium', promoCode: code },
      ...{ selfDelivery: false, selfPickup: false, paymentSourceId: 'cnon:ok' },
    };
    const place = () => orderHandlers(context).placeOrder({ caller: bud, body, from: '127.0.0.1' } as never);
    await place();
    await place();
    await expect(place()).rejects.toMatchObject({ failure: 'promoUsedUp' });
    expect(await usesIn(restored.db)).toBe(2);
    expect(await findAuditProblems(restored.db)).toEqual([]);
    await restored.close();
  });
});
