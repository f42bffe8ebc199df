import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taxesInRefund } from '../../domain/ledger.ts';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { DATABASE_KINDS } from '../../testing/testServer.ts';
import { queryRow, queryRows, type Tx, transact } from '../db/database.ts';
import { findAuditProblems } from './audit.sql.ts';
import { listBalances, sumEarnings, sumSpending } from './ledger.sql.ts';
import { requestRefund } from './refunds.ts';

const LONG_AGO = new Date(0);

const switchLedgerTriggers = async (tx: Tx, what: 'disable' | 'enable') => {
  for (const table of ['ledger_entries', 'ledger_lines']) {
    await sql.raw(`alter table ${table} ${what} trigger ledger_keep`).execute(tx);
  }
};

/** What somebody with the database's password could do, and the words that the check finds for it. */
const TAMPERINGS: readonly [string, string, RegExp][] = [
  ['a line that was made larger', "update ledger_lines set amount = amount + 1 where account = 'duber'", /adds? up to/],
  ['two lines that still add up', "update ledger_lines set amount = amount * 2 where kind = 'captured'", /should have/],
  [
    'an earning that went to another',
    `update ledger_lines set party = (select id from users where role = 'Scrub' order by id desc limit 1)
      where account = 'scrub' and kind = 'completed'`,
    /should not have/,
  ],
  [
    'a capture that is gone',
    `delete from ledger_lines where kind = 'captured'; delete from ledger_entries where kind = 'captured'`,
    /knows of no capture/,
  ],
  ['a time that was moved', "update ledger_lines set at = at - interval '1 week'", /kind or time is not/],
  ['a payment over another amount', 'update payments set amount = amount + 100', /costs 2683 cents/],
  [
    'a payment that was unmade',
    "update payments set state = 'voided' where state = 'captured'",
    /says that it was captured/,
  ],
  ['an order that was undone', "update orders set status = 'In_Progress' where status = 'Completed'", /was completed/],
  ['an order of another price', 'update orders set load_price = 100, total_price = total_price - 1150', /should have/],
  ['a refund that was kept', "update refunds set state = 'dropped'", /says that it was made/],
  ['a trigger that is off', 'alter table ledger_lines disable trigger ledger_balance', /switched off/],
];

describe.each(DATABASE_KINDS)('the ledger on %s', (kind) => {
  let till: PaymentHarness;
  let id: string;
  beforeAll(async () => {
    till = await openPaymentHarness(kind);
    id = await till.createOrder('Delivered');
  });
  afterAll(() => till?.close());
  const run = (statement: string) => queryRows(till.context.db, sql.raw(statement));

  test('tells a whole order in entries that add up to zero, and every share from them', async () => {
    const byAccount = Object.fromEntries(
      (await listBalances(till.context.db)).map(({ account, cents }) => [account, cents]),
    );
    expect(byAccount).toEqual({
      'card-clearing': 2683,
      unearned: 0,
      scrub: -1250,
      duber: -1198,
      'platform-revenue': -125,
      'taxes-payable': -110,
    });
    expect(await sumSpending(till.context.db, till.users.buds[0]?.id as never)).toBe(2683);
    const earned = await sumEarnings(till.context.db, 'scrub', till.users.scrubs[0]?.id ?? '', LONG_AGO);
    expect(earned).toEqual({ total: 1250, today: 1250 });
    expect(await findAuditProblems(till.context.db)).toEqual([]);
  });

  test('nothing in it can be changed, taken out, added to, or left unbalanced', async () => {
    await expect(run('update ledger_lines set amount = amount + 1')).rejects.toThrow('never changed');
    await expect(run('delete from ledger_lines')).rejects.toThrow('never changed');
    await expect(run('truncate ledger_entries cascade')).rejects.toThrow('never changed');
    const later = `insert into ledger_lines (entry_id, position, account, amount)
      select min(id), 90, 'unearned', 5 from ledger_entries union all select min(id), 91, 'unearned', -5
      from ledger_entries`;
    await expect(run(later)).rejects.toThrow('one transaction');
    await expect(lopsided([5, -4])).rejects.toThrow('add up to 1 cents');
    await expect(lopsided([5])).rejects.toThrow('1 lines');
    await expect(lopsided([])).rejects.toThrow('0 lines');
    expect(await findAuditProblems(till.context.db)).toEqual([]);
  });

  async function lopsided(amounts: number[]): Promise<void> {
    const order = await till.createOrder();
    await transact(till.context.db, async (tx) => {
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

  test('a refund in parts gives all of the taxes back, and is borne by the side that is liable', async () => {
    const parts = [
      await requestRefund(till.context, { orderId: id, amount: 1000, liable: 'scrub', reason: 'a torn shirt' }),
      await requestRefund(till.context, { orderId: id, liable: 'platform', reason: 'the rest' }),
    ];
    expect(parts).toMatchObject([
      { ok: true, amount: 1000, taxes: 41 },
      { ok: true, amount: 1683, taxes: 69 },
    ]);
    const more = await requestRefund(till.context, { orderId: id, amount: 1, liable: 'platform', reason: 'x' });
    expect(more).toEqual({ ok: false, why: 'all of it was given back already' });
    await till.runPaymentJobs();
    const earned = await sumEarnings(till.context.db, 'scrub', till.users.scrubs[0]?.id ?? '', LONG_AGO);
    expect(earned.total).toBe(1250 - 959);
    const refunded = await queryRow(till.context.db, sql`select refunded from payments where order_id = ${id}`);
    expect(refunded).toEqual({ refunded: 2683 });
    expect(await findAuditProblems(till.context.db)).toEqual([]);
  });

  test.each(TAMPERINGS)('the check finds %s', async (_name, tamper, words) => {
    const undo = new Error('undo');
    let found: string[] = [];
    const done = transact(till.context.db, async (tx) => {
      await switchLedgerTriggers(tx, 'disable');
      for (const statement of tamper.split('; ')) await sql.raw(statement).execute(tx);
      if (!tamper.startsWith('alter')) await switchLedgerTriggers(tx, 'enable');
      found = (await findAuditProblems(tx)).map(({ what }) => what);
      throw undo;
    });
    await expect(done).rejects.toBe(undo);
    expect(found.filter((what) => words.test(what))).not.toEqual([]);
  });
});

test('the taxes in refunds of any parts add up to all of the taxes', () => {
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
