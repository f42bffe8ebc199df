import { sql } from 'kysely';
import { DELIVERY_TIMER_ROWS, startsSilence } from '../../../domain/process/delivery.ts';
import type { Tx } from '../../db/database.ts';
import { send } from '../../db/driver.ts';
import { startTimersSql } from '../../jobs/timers.sql.ts';
import type { DeliveryStepTaken } from '../facts.ts';

/** The row is the same at each of its statuses. */
const SILENT = DELIVERY_TIMER_ROWS.filter(({ action }) => action === 'silent').slice(0, 1);

/**
 * A Duber who is silent for too long loses the delivery: the time of the row `silent` begins with its status, and with its window when they
 * have accepted it ahead.
 */
export async function startSilence(tx: Tx, { row, facts, at }: DeliveryStepTaken): Promise<undefined> {
  if (!startsSilence(row) || !facts.doesSilenceCount) return;
  const { dueFrom } = facts;
  const isAhead = row.to === 'Accepted' && dueFrom !== null && dueFrom > at;
  await startSilenceTimer(tx, facts.id, isAhead ? dueFrom : at);
}

/** Starts the silence timer, or starts it again, from the last step of the Duber. */
export async function startSilenceTimer(tx: Tx, id: string, heardAt: Date): Promise<void> {
  const step = sql`select t.subject_id, t.position, ${heardAt}::timestamptz from steps t
    where t.subject_id = ${id} order by t.position desc limit 1`;
  await send(tx, startTimersSql('delivery', SILENT, step));
}
