import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { queryRow, queryRows, type Tx, transact } from '../db/database.ts';
import { TIMER_LEASE_MS } from '../jobs/timers.sql.ts';
import { releaseOrder } from '../payments/pays.ts';

// Servers of the previous release know one round only. When they cancel or reject an order of a later round, they treat it as a
// request whose card was not charged, and refund nothing. The timer of the request still exists, so the refund happens when it is
// due. A later release drops this.

const BATCH_SIZE = 50;

/** The orders of a later round that have ended although the clock of their request runs, and is due. */
function listEnded(tx: Tx, now: Date): Promise<{ id: string; action: string }[]> {
  return queryRows(
    tx,
    sql`select o.id, t.action from timers t join orders o on o.id = t.subject_id
      where t.subject_kind = 'order' and t.due_at <= ${now} and t.action in ('expire-request', 'expire-given-back')
        and o.round > 1 and o.status in ('Cancelled', 'Rejected')
      order by t.due_at limit ${BATCH_SIZE}`,
  );
}

/** Refunds the unearned money of orders that ended like this. Does nothing when it was refunded already. */
export async function releaseEndedRounds({ db, now, log }: Pick<Context, 'db' | 'now' | 'log'>): Promise<void> {
  for (const { id, action } of await listEnded(db, now())) {
    await transact(db, async (tx) => {
      await queryRow(tx, sql`select o.id from orders o where o.id = ${id} for no key update`);
      await tx.deleteFrom('timers').where('subject_id', '=', id).where('action', '=', action).execute();
      await releaseOrder(tx, id, now());
    }).catch(async (error: unknown) => {
      log.error(
        { err: error, order: id, action },
        'the money of an ended order did not go back and will be tried again',
      );
      const later = new Date(now().getTime() + TIMER_LEASE_MS);
      await db.updateTable('timers').set({ due_at: later }).where('subject_id', '=', id).execute();
    });
  }
}
