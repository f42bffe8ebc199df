import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taxesInRefund } from '../../../domain/ledger.ts';
import { holdTransaction } from '../../../testing/holdTransaction.ts';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { DATABASE_KINDS } from '../../../testing/testServer.ts';
import { readSpending } from '../../dashboards/tallies.sql.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';
import { sumEarnedAndPaid } from '../payouts/earnings.sql.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { findAuditProblems } from './audit.sql.ts';
import { listBalances } from './ledger.sql.ts';

const setLedgerTriggers = async (tx: Tx, action: 'disable' | 'enable') => {
  for (const table of ['ledger_entries', 'ledger_lines']) {
    await sql.raw(`alter table ${table} ${action} trigger ledger_keep`).execute(tx);
  }
};

/** What someone with the database password could change, and the problem that the audit reports. */
const TAMPERINGS: readonly [string, string, RegExp][] = [
  ['an increased line', "update ledger_lines set amount = amount + 1 where account = 'duber'", /adds? up to/],
  [
    'changed lines that still add up to zero',
    "update ledger_lines set amount = amount * 2 where kind = 'captured'",
    /should have/,
  ],
  [
    'an earning moved to another user',
    `update ledger_lines set party = (select id from users where role = 'Scrub' order by id desc limit 1)
      where account = 'scrub' and kind = 'completed'`,
    /should not have/,
  ],
  [
    'a deleted capture',
    `delete from ledger_lines where kind = 'captured'; delete from ledger_entries where kind = 'captured'`,
    /has no capture/,
  ],
  ['a line with a changed time', "update ledger_lines set at = at - interval '1 week'", /kind or time is not/],
  ['a payment with a changed amount', 'update payments set amount = amount + 100', /costs 2683 cents/],
  [
    'a captured payment marked as voided',
    "update payments set state = 'voided' where state = 'captured'",
    /has a capture/,
  ],
  [
    'a completed order moved back to In_Progress',
    "update orders set status = 'In_Progress' where status = 'Completed'",
    /according to the ledger it was completed/,
  ],
  ['an order with a changed price', "update order_lines set cents = 100 where item = 'load'", /lines add up to/],
  [
    'a finished refund marked as dropped',
    "update refunds set state = 'dropped'",
    /according to the ledger it was made/,
  ],
  ['a disabled trigger', 'alter table ledger_lines disable trigger ledger_balance', /switched off/],
];

describe.each(DATABASE_KINDS)('the ledger on %s', (kind) => {
  let harness: PaymentHarness;
  let id: string;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    id = await harness.createOrder('Delivered');
  });
  afterAll(() => harness?.close());
  const scrub = () => ({ account: 'scrub' as const, userId: harness.users.scrubs[0]?.id ?? '' });
  const run = (statement: string) => queryRows(harness.context.db, sql.raw(statement));

  test('has entries that add up to zero for a whole order, and earnings and spending are sums over it', async () => {
    const byAccount = Object.fromEntries(
      (await listBalances(harness.context.db)).map(({ account, cents }) => [account, cents]),
    );
    expect(byAccount).toEqual({
      'card-clearing': 2683,
      unearned: 0,
      scrub: -1250,
      duber: -1198,
      'platform-revenue': -125,
      'taxes-payable': -110,
    });
    expect(await readSpending(harness.context.db, harness.users.buds[0]?.id as never)).toBe(2683);
    expect(await sumEarnedAndPaid(harness.context.db, scrub())).toEqual({ earned: 1250, paid: 0 });
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
  });

  test('rejects changed, deleted, added and unbalanced entries', async () => {
    await expect(run('update ledger_lines set amount = amount + 1')).rejects.toThrow('never changed');
    await expect(run('delete from ledger_lines')).rejects.toThrow('never changed');
    await expect(run('truncate ledger_entries cascade')).rejects.toThrow('never changed');
    const addedLines = `insert into ledger_lines (entry_id, position, account, amount)
      select min(id), 90, 'unearned', 5 from ledger_entries union all select min(id), 91, 'unearned', -5
      from ledger_entries`;
    await expect(run(addedLines)).rejects.toThrow('one transaction');
    await expect(insertUnbalancedEntry([5, -4])).rejects.toThrow('add up to 1 cents');
    await expect(insertUnbalancedEntry([5])).rejects.toThrow('1 lines');
    await expect(insertUnbalancedEntry([])).rejects.toThrow('0 lines');
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
  });

  test('has an order whose lines add up to its price, and rejects changes of one without the other', async () => {
    const lines = await run(
      `select item, cents, earner, is_taxed as "isTaxed" from order_lines where order_id = '${id}' order by item`,
    );
    expect(lines).toEqual([
      { item: 'delivery', cents: 599, earner: 'delivery-duber', isTaxed: false },
      { item: 'load', cents: 1250, earner: 'scrub', isTaxed: true },
      { item: 'pickup', cents: 599, earner: 'pickup-duber', isTaxed: false },
      { item: 'platform-fee', cents: 125, earner: 'platform', isTaxed: true },
      { item: 'taxes', cents: 110, earner: 'state', isTaxed: false },
    ]);
    for (const change of [
      "update order_lines set cents = cents + 1 where item = 'taxes'",
      "update order_lines set earner = 'platform' where item = 'load'",
      "delete from order_lines where item = 'pickup'",
      'update orders set total_price = total_price + 1',
      'update orders set load_price = load_price - 1, total_price = total_price - 1',
    ])
      await expect(run(change), change).rejects.toThrow('its lines add up to');
  });

  async function insertUnbalancedEntry(amounts: number[]): Promise<void> {
    const order = await harness.createOrder();
    await holdTransaction(harness.context.db, async (tx) => {
      const entry = await queryRow<{ id: string }>(
        tx,
        sql`insert into ledger_entries (kind, order_id, delivery_id, at) select 'delivered', order_id, id, now()
          from deliveries where order_id = ${order} returning id`,
      );
      for (const [position, amount] of amounts.entries()) {
        await queryRows(
          tx,
          sql`insert into ledger_lines (entry_id, position, account, amount)
            values (${entry?.id}, ${position}, 'unearned', ${amount})`,
        );
      }
    });
  }

  test('refunds all taxes when an order is refunded in parts, and charges each part to the liable side', async () => {
    const refunds = [
      await requestRefund(harness.context, { orderId: id, amount: 1000, liable: 'scrub', reason: 'a torn shirt' }),
      await requestRefund(harness.context, { orderId: id, liable: 'platform', reason: 'the rest' }),
    ];
    expect(refunds).toMatchObject([
      { ok: true, amount: 1000, taxes: 41 },
      { ok: true, amount: 1683, taxes: 69 },
    ]);
    const tooMuch = await requestRefund(harness.context, { orderId: id, amount: 1, liable: 'platform', reason: 'x' });
    expect(tooMuch).toEqual({ ok: false, why: 'all of it is refunded already' });
    await harness.runPaymentJobs();
    expect(await sumEarnedAndPaid(harness.context.db, scrub())).toEqual({ earned: 1250 - 959, paid: 0 });
    const refunded = await queryRow(harness.context.db, sql`select refunded from payments where order_id = ${id}`);
    expect(refunded).toEqual({ refunded: 2683 });
    expect(await findAuditProblems(harness.context.db)).toEqual([]);
  });

  test.each(TAMPERINGS)('the audit finds %s', async (_name, tampering, expected) => {
    const rollback = new Error('rollback');
    let problems: string[] = [];
    const transaction = holdTransaction(harness.context.db, async (tx) => {
      await setLedgerTriggers(tx, 'disable');
      for (const statement of tampering.split('; ')) await sql.raw(statement).execute(tx);
      if (!tampering.startsWith('alter')) await setLedgerTriggers(tx, 'enable');
      problems = (await findAuditProblems(tx)).map(({ what }) => what);
      throw rollback;
    });
    await expect(transaction).rejects.toBe(rollback);
    expect(problems.filter((what) => expected.test(what))).not.toEqual([]);
  });
});

test('partial refunds of any size add up to all taxes of the order', () => {
  for (const size of [1, 7, 100, 999, 2682]) {
    let [refunded, taxes] = [0, 0];
    while (refunded < 2683) {
      const amount = Math.min(size, 2683 - refunded);
      taxes += taxesInRefund({ total: 2683, taxes: 110 }, { refunded, taxes }, amount);
      refunded += amount;
    }
    expect(taxes).toBe(110);
  }
});
