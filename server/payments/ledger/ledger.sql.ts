import { sql } from 'kysely';
import type { EntryKind, LedgerLine } from '../../../domain/ledger.ts';
import { queryRow, type Tx } from '../../db/database.ts';
import { queueMoneyNotices } from './moneyNotices.sql.ts';

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
 * Writes a ledger entry, notifies the people whose money it moves, and returns its id. Call it in the transaction of the step that
 * moves the money. An entry without lines is skipped.
 * Fails with one of the `ledger_entries_once_…` indexes when the entry exists already.
 */
export async function writeLedgerEntry(tx: Tx, entry: LedgerEntry): Promise<string | undefined> {
  if (entry.lines.length === 0) return undefined;
  const { kind, orderId = null, deliveryId = null, refundId = null, payoutId = null, at } = entry;
  const lines = JSON.stringify(entry.lines.map((line, position) => ({ ...line, position })));
  // Raw SQL: one round trip in the hot transactions, and triggers fill the columns that the builder would require.
  const written = await queryRow<{ id: string }>(
    tx,
    sql`with entry as (insert into ledger_entries (kind, order_id, delivery_id, refund_id, payout_id, at)
        values (${kind}, ${orderId}, ${deliveryId}, ${refundId}, ${payoutId}, ${at}) returning id)
      insert into ledger_lines (entry_id, position, account, party, amount)
        select entry.id, l.position, l.account, l.party, l.amount from entry,
          jsonb_to_recordset(${lines}::jsonb) as l (position integer, account text, party uuid, amount integer)
        returning entry_id as id`,
  );
  if (written) await queueMoneyNotices(tx, { entryId: written.id, kind, lines: entry.lines }, at);
  return written?.id;
}

/** The balance of each account in cents, debits above zero, and how many users have lines in it. */
export function listBalances(tx: Tx) {
  return tx
    .selectFrom('ledger_lines')
    .select([
      'account',
      sql<number>`count(distinct party)::int`.as('people'),
      sql<number>`sum(amount)::float8`.as('cents'),
    ])
    .groupBy('account')
    .orderBy('account')
    .execute();
}
