import { sql } from 'kysely';
import type { BudId } from '../../domain/accounts.ts';
import type { EntryKind, LedgerLine } from '../../domain/ledger.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

export type LedgerEntry = {
  readonly kind: EntryKind;
  readonly orderId?: string;
  readonly deliveryId?: string;
  readonly refundId?: string;
  readonly payoutId?: string;
  readonly at: Date;
  readonly lines: readonly LedgerLine[];
};

/**
 * Writes what moved money, in the transaction of what it tells. Nothing is written of what moved none.
 * Breaks one of the `ledger_entries_once_…` indexes when it was written before.
 */
export async function writeLedgerEntry(tx: Tx, entry: LedgerEntry): Promise<void> {
  if (entry.lines.length === 0) return;
  const { kind, orderId = null, deliveryId = null, refundId = null, payoutId = null, at } = entry;
  const lines = JSON.stringify(entry.lines.map((line, position) => ({ ...line, position })));
  await queryRows(
    tx,
    sql`with entry as (insert into ledger_entries (kind, order_id, delivery_id, refund_id, payout_id, at)
        values (${kind}, ${orderId}, ${deliveryId}, ${refundId}, ${payoutId}, ${at}) returning id)
      insert into ledger_lines (entry_id, position, account, party, amount)
        select entry.id, l.position, l.account, l.party, l.amount from entry,
          jsonb_to_recordset(${lines}::jsonb) as l (position integer, account text, party uuid, amount integer)`,
  );
}

/** What was captured from a Bud, less refunds, in cents. */
export async function sumSpending(tx: Tx, budId: BudId): Promise<number> {
  const total = await queryRow<{ spent: number }>(
    tx,
    sql`select coalesce(sum(amount), 0)::float8 as spent from ledger_lines
      where party = ${budId} and account = 'card-clearing'`,
  );
  return total?.spent ?? 0;
}

/** What a person earned, less refunds that they bear, in cents; `today` counts what was completed or delivered since. */
export async function sumEarnings(
  tx: Tx,
  account: 'scrub' | 'duber',
  userId: string,
  today: Date,
): Promise<{ total: number; today: number }> {
  const earned = await queryRow<{ total: number; today: number }>(
    tx,
    sql`select coalesce(-sum(amount), 0)::float8 as total,
        coalesce(-sum(amount) filter (where kind <> 'refunded' and at >= ${today}), 0)::float8 as today
      from ledger_lines where party = ${userId} and account = ${account}
        and kind in ('completed', 'delivered', 'refunded')`,
  );
  return earned ?? { total: 0, today: 0 };
}

export type Balance = { readonly account: string; readonly people: number; readonly cents: number };

/** What stands on each account, in cents, debits above zero. */
export function listBalances(tx: Tx): Promise<Balance[]> {
  return queryRows(
    tx,
    sql`select account, count(distinct party)::int as people, sum(amount)::float8 as cents from ledger_lines
      group by account order by account`,
  );
}
