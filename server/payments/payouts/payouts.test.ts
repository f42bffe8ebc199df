import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mondayBefore } from '../../../domain/ledger.ts';
import { openEarningTests } from '../../../testing/earningTests.ts';
import { findTracedProblems } from '../../../testing/orderTrace.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { createRandom } from '../../../testing/random.ts';
import { DATABASE_KINDS } from '../../../testing/testServer.ts';
import { queryRow, queryRows } from '../../db/database.ts';
import { findAuditProblems } from '../ledger/audit.sql.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { earningsHandlers } from './earnings.ts';
import { csvPayoutMethod, renderSentBatch, runDuePayouts, runPayouts, sendPayouts } from './payouts.ts';

describe.each(DATABASE_KINDS)('payouts on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    // What the workers earn from then on is payable although somebody may claim it.
    harness.setClock('2026-11-01T00:00:00Z');
    await openEarningTests(harness).earnTrust();
    harness.setClock('2026-11-16T00:00:00Z');
    await runPayouts(harness.context);
  });
  afterAll(() => harness?.close());
  const listAllPayouts = () =>
    queryRows<{ end: Date; amount: number; role: string }>(
      harness.context.db,
      sql`select w.period_end as end, w.amount, u.role from payouts w join users u on u.id = w.user_id
        where w.period_end > '2026-11-16' order by w.period_end, u.role`,
    );

  test('are created once for everything earned before Monday, even if the run is repeated', async () => {
    harness.setClock('2026-11-22T23:59:59.999Z');
    const id = await harness.createOrder('Delivered');
    expect(await runPayouts(harness.context)).toMatchObject({ people: 0 });
    harness.setClock('2026-11-23T00:00:00Z');
    await harness.createOrder('Delivered');
    const runs = await Promise.all([
      runPayouts(harness.context),
      runPayouts(harness.context),
      runPayouts(harness.context),
    ]);
    expect(runs.reduce((sum, { people }) => sum + people, 0)).toBe(2);
    await runDuePayouts(harness.context);
    const end = new Date('2026-11-23T00:00:00Z');
    expect(await listAllPayouts()).toEqual([
      { end, amount: 1198, role: 'Duber' },
      { end, amount: 1250, role: 'Scrub' },
    ]);

    // A refund after the payout is deducted from the next earnings.
    await requestRefund(harness.context, { orderId: id, liable: 'scrub', reason: 'never came back' });
    await harness.runPaymentJobs();
    const caller = harness.users.scrubs[0];
    const earnings = await earningsHandlers(harness.context).earnings({ caller } as never);
    expect(earnings).toMatchObject({ totalEarning: 11.77, paidOut: 25, balance: -13.23 });
    expect(earnings.weeks.at(-1)).toEqual({ from: end.toISOString(), earned: -13.23 });
    harness.setClock('2026-11-30T05:00:00Z');
    await runDuePayouts(harness.context);
    expect((await listAllPayouts()).length).toBe(3);
    for (let count = 0; count < 2; count += 1) await harness.createOrder('Delivered');
    harness.setClock('2026-12-07T05:00:00Z');
    await runDuePayouts(harness.context);
    const [last] = (await earningsHandlers(harness.context).earnings({ caller } as never)).payouts;
    expect(last).toMatchObject({ amount: 11.77, status: 'due', periodEnd: '2026-12-07T00:00:00.000Z' });
    const request = { caller, query: { payoutId: last?.id } };
    const lines = await earningsHandlers(harness.context).earningLines(request as never);
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['completed', 12.5],
      ['refunded', -25.73],
      ['completed', 12.5],
      ['completed', 12.5],
    ]);
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
  });

  test('are sent once, in a file that can be rendered again', async () => {
    await queryRows(
      harness.context.db,
      sql`update users set fullname = '=cmd "x"' where id = ${harness.users.scrubs[0]?.id}`,
    );
    const [first, second] = [
      await sendPayouts(harness.context, csvPayoutMethod),
      await sendPayouts(harness.context, csvPayoutMethod),
    ];
    expect(second).toBeUndefined();
    expect(first?.text.split('\r\n')).toHaveLength(9);
    expect(first?.text).toContain(`"'=cmd ""x"""`);
    expect(first?.text).toMatch(/,2026-12-07,11\.77\r\n/);
    expect((await renderSentBatch(harness.context, first?.batch ?? '', csvPayoutMethod))?.text).toBe(first?.text);
  });

  test('pay everyone exactly what they earned over years with a clock that jumps, except for laundry that nobody has seen', async () => {
    const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
    const random = createRandom(seed);
    let time = Date.parse('2027-01-01T00:00:00Z');
    let unseen = 0;
    const steps = [`STORM_SEED=${seed}`];
    for (let step = 0; step < 60; step += 1) {
      // Mostly a few days ahead, sometimes weeks back or up to a year ahead.
      const days = random() < 0.15 ? -20 * random() : random() < 0.1 ? 365 * random() : 9 * random();
      time += days * 24 * 60 * 60 * 1000;
      harness.setClock(new Date(time).toISOString());
      if (random() < 0.4) {
        const until = random() < 0.5 ? 'Completed' : 'Delivered';
        steps.push(`${new Date(time).toISOString()} ${until} order ${await harness.createOrder(until)}`);
        if (until === 'Completed') unseen += 1250;
      }
      await Promise.all([runDuePayouts(harness.context), runPayouts(harness.context)]);
    }
    harness.setClock('2040-01-01T00:00:00Z');
    await runPayouts(harness.context);
    const unpaid = await queryRow(
      harness.context.db,
      sql`select coalesce(sum(amount), 0)::int as owed from ledger_lines where account in ('scrub', 'duber')`,
    );
    expect(unpaid, steps.join('\n')).toEqual({ owed: 0 - unseen });
    expect(await findTracedProblems(harness.context.db), steps.join('\n')).toEqual([]);
  });
});

test.each([
  ['2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
  ['1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z'],
])('the last Monday at %s is %s', (time, monday) => {
  expect(mondayBefore(new Date(time)).toISOString()).toBe(monday);
});
