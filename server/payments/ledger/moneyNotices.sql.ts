import { sql } from 'kysely';
import { type EntryKind, type LedgerLine, WORK_KINDS } from '../../../domain/ledger.ts';
import { peopleToNotify } from '../../../domain/moneyNotices.ts';
import { literals } from '../../db/columns.sql.ts';
import { queryRows, type Tx } from '../../db/database.ts';
import { insertNotificationsSql } from '../../notifications/queueNotifications.sql.ts';

/** The id of a ledger entry as a notification has it. */
const aboutEntry = (entryId: string) => sql`lpad(to_hex(${entryId}::bigint), 32, '0')::uuid`;

type Moved = { readonly entryId: string; readonly kind: EntryKind; readonly lines: readonly LedgerLine[] };

/**
 * Notifies the people whose money an entry moves, in its transaction. Who reads the same in the decision of a case, or in the notice
 * that their order has ended, gets no second one.
 */
export async function queueMoneyNotices(tx: Tx, { entryId, kind, lines }: Moved, at: Date): Promise<void> {
  await notifyOfEntry(tx, { entryId, people: peopleToNotify(kind, lines) }, at);
}

/** Notifies people of an entry. Raw SQL: the insert is shared. */
export async function notifyOfEntry(
  tx: Tx,
  { entryId, people }: { readonly entryId: string; readonly people: readonly string[] },
  at: Date,
): Promise<void> {
  if (people.length === 0) return;
  const isReader = (
    refund: string,
  ) => sql`exists (select from case_refunds cr join case_people k on k.case_id = cr.case_id
    where cr.refund_id = ${sql.ref(refund)} and k.user_id = p.id)`;
  const isInCase = sql`exists (select from refunds r where r.id = e.refund_id and ${isReader('r.id')})
    or e.kind in (${literals(WORK_KINDS)})
      and exists (select from refunds r where r.order_id = e.order_id and r.liable_user = p.id and ${isReader('r.id')})
      and not exists (select from earnings w where w.delivery_id = e.delivery_id and w.entry_id = e.id and w.bearer_id = p.id)`;
  const isInEndOfOrder = sql`exists (select from refunds r join steps t on t.subject_id = r.order_id
    where r.id = e.refund_id and r.liable = 'nobody' and t.status in ('Cancelled', 'Rejected') and t.at = r.created_at)`;
  const recipients = sql`select p.id, ${aboutEntry(entryId)} from ledger_entries e
    cross join unnest(${[...people]}::uuid[]) p (id)
    where e.id = ${entryId}::bigint and not (${isInCase}) and not (${isInEndOfOrder})`;
  await queryRows(tx, insertNotificationsSql('money', recipients, sql`${at}`));
}
