import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mondayBefore } from '../../domain/ledger.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { createRandom } from '../../testing/random.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { findAuditProblems } from './audit.sql.ts';
import { earningsHandlers } from './earnings.ts';
import { csvPayoutMethod, renderSentBatch, runDuePayouts, runPayouts, sendPayouts } from './payouts.ts';
import { requestRefund } from './refunds.ts';

describe.each(DATABASE_KINDS)('payouts on %s', (kind) => {
  let till: PaymentHarness;
  beforeAll(async () => {
    till = await openPaymentHarness(kind);
  });
  afterAll(() => till?.close());
  const paid = () =>
    queryRows<{ end: Date; amount: number; role: string }>(
      till.context.db,
      sql`select w.period_end as end, w.amount, u.role from payouts w join users u on u.id = w.user_id
        order by w.period_end, u.role`,
    );

  test('are made on Monday for what was earned before, once whatever runs twice', async () => {
    till.setClock('2026-11-22T23:59:59.999Z');
    const id = await till.createOrder('Delivered');
    expect(await runPayouts(till.context)).toMatchObject({ people: 0 });
    till.setClock('2026-11-23T00:00:00Z');
    await till.createOrder('Completed');
    const runs = await Promise.all([runPayouts(till.context), runPayouts(till.context), runPayouts(till.context)]);
    expect(runs.reduce((sum, { people }) => sum + people, 0)).toBe(2);
    await runDuePayouts(till.context);
    const end = new Date('2026-11-23T00:00:00Z');
    expect(await paid()).toEqual([
      { end, amount: 1198, role: 'Duber' },
      { end, amount: 1250, role: 'Scrub' },
    ]);

    // The refund comes after the payout: it is made up for by what is earned next.
    await requestRefund(till.context, { orderId: id, liable: 'scrub', reason: 'never came back' });
    await till.runPaymentJobs();
    const caller = till.users.scrubs[0];
    const earnings = await earningsHandlers(till.context).earnings({ caller } as never);
    expect(earnings).toMatchObject({ totalEarning: -0.73, paidOut: 12.5, balance: -13.23 });
    expect(earnings.weeks.at(-1)).toEqual({ from: end.toISOString(), earned: -13.23 });
    till.setClock('2026-11-30T05:00:00Z');
    await runDuePayouts(till.context);
    expect((await paid()).length).toBe(2);
    for (let many = 0; many < 2; many += 1) await till.createOrder('Completed');
    till.setClock('2026-12-07T05:00:00Z');
    await runDuePayouts(till.context);
    const [last] = (await earningsHandlers(till.context).earnings({ caller } as never)).payouts;
    expect(last).toMatchObject({ amount: 11.77, status: 'due', periodEnd: '2026-12-07T00:00:00.000Z' });
    const asked = { caller, query: { payoutId: last?.id } };
    const lines = await earningsHandlers(till.context).earningLines(asked as never);
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['completed', 12.5],
      ['refunded', -25.73],
      ['completed', 12.5],
      ['completed', 12.5],
    ]);
    expect(await findAuditProblems(till.context.db)).toEqual([]);
  });

  test('go out in a file that can be written again, and only once', async () => {
    await queryRows(
      till.context.db,
      sql`update users set fullname = '=cmd "x"' where id = ${till.users.scrubs[0]?.id}`,
    );
    const [first, second] = [
      await sendPayouts(till.context, csvPayoutMethod),
      await sendPayouts(till.context, csvPayoutMethod),
    ];
    expect(second).toBeUndefined();
    expect(first?.text.split('\r\n')).toHaveLength(5);
    expect(first?.text).toContain(`"'=cmd ""x"""`);
    expect(first?.text).toMatch(/,2026-12-07,11\.77\r\n/);
    expect((await renderSentBatch(till.context, first?.batch ?? '', csvPayoutMethod))?.text).toBe(first?.text);
  });

  test('of years with a clock that jumps pay everybody all that they earned, to the cent', async () => {
    const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
    console.log(`STORM_SEED=${seed}`);
    const random = createRandom(seed);
    let time = Date.parse('2027-01-01T00:00:00Z');
    for (let step = 0; step < 60; step += 1) {
      // Mostly a few days ahead, now and then weeks back or a year ahead.
      const days = random() < 0.15 ? -20 * random() : random() < 0.1 ? 365 * random() : 9 * random();
      time += days * 24 * 60 * 60 * 1000;
      till.setClock(new Date(time).toISOString());
      if (random() < 0.4) await till.createOrder(random() < 0.5 ? 'Completed' : 'Delivered');
      await Promise.all([runDuePayouts(till.context), runPayouts(till.context)]);
    }
    till.setClock('2040-01-01T00:00:00Z');
    await runPayouts(till.context);
    const left = await queryRow(
      till.context.db,
      sql`select coalesce(sum(amount), 0)::int as owed from ledger_lines where account in ('scrub', 'duber')`,
    );
    expect(left).toEqual({ owed: 0 });
    expect(await findAuditProblems(till.context.db)).toEqual([]);
  });
});

test.each([
  ['2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
  ['1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z'],
])('the Monday before %s is %s', (time, monday) => {
  expect(mondayBefore(new Date(time)).toISOString()).toBe(monday);
});
