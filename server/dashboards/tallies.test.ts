import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { queryRows, transact } from '../db/database.ts';
import { findTallyErrors, recountTallies } from './tallies.sql.ts';

describe.each(DATABASE_KINDS)('tallies on %s', (kind) => {
  let payments: PaymentHarness;
  beforeAll(async () => {
    payments = await openPaymentHarness(kind);
  });
  afterAll(() => payments?.close());

  const run = (text: string) => queryRows<{ n: number }>(payments.database.db, sql.raw(text));

  test('equal a recount after orders in different states', async () => {
    for (const status of ['Accepted', 'Completed', 'Delivered'] as const) await payments.createOrder(status);
    await payments.runPaymentJobs();
    expect(await findTallyErrors(payments.database.db)).toEqual([]);
    const [counted] = await run('select sum(orders)::int as n from order_tallies');
    expect(counted?.n).toBe(6);
    const [earned] = await run(
      "select count(*)::int as n from ledger_tallies where kind = 'delivered' and amount <> 0",
    );
    expect(earned?.n).toBe(1);
  });

  test('equal a recount after bulk inserts, updates and deletes', async () => {
    await run(`with copies as (
        insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, instructions, load_price,
            total_price, bud_address, scrub_address, distance_m, created_at, holder_id)
          select gen_random_uuid(), bud_id, scrub_id, 'Requested', load_size, self_delivery, self_pickup,
          instructions, load_price, total_price, bud_address, scrub_address, distance_m, created_at, bud_id
          from orders, generate_series(1, 100) where status = 'Accepted' returning id, load_price, total_price)
      insert into order_lines select id, item, cents, earner, true from copies cross join lateral (values
        ('load', load_price, 'scrub'), ('taxes', total_price - load_price, 'state')) l (item, cents, earner)`);
    expect(await findTallyErrors(payments.database.db)).toEqual([]);
    await run("update orders set status = 'Rejected' where status = 'Requested'");
    expect(await findTallyErrors(payments.database.db)).toEqual([]);
    await run("delete from orders where status = 'Rejected'");
    expect(await findTallyErrors(payments.database.db)).toEqual([]);
  });

  test('that are wrong are reported, and fixed by a recount', async () => {
    await run("update order_tallies set orders = orders + 1 where status = 'Completed'");
    await run("delete from ledger_tallies where kind = 'captured'");
    const found = await findTallyErrors(payments.database.db);
    expect(found.some((what) => what.startsWith('order_tallies') && what.endsWith('is too much'))).toBe(true);
    expect(found.some((what) => what.startsWith('ledger_tallies') && what.endsWith('is missing'))).toBe(true);
    await transact(payments.database.db, recountTallies);
    expect(await findTallyErrors(payments.database.db)).toEqual([]);
  });
});
