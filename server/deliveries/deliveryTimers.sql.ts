import { type RawBuilder, sql } from 'kysely';
import { type DeliveryStatus, SILENT_DUBER_MS } from '../../domain/deliveries.ts';
import { DELIVERY_TIMER_ROWS } from '../../domain/process/delivery.ts';
import { literals } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { armTimersSql, type TimerSubject } from '../jobs/timers.sql.ts';
import { isSilenceCareful } from '../town/policies.sql.ts';

export const DELIVERIES: TimerSubject = { kind: 'delivery', table: 'deliveries' };

const SILENT = { action: 'silent', from: 'Accepted', after: SILENT_DUBER_MS } as const;
/** The statuses before the pickup, in which silence counts. */
export const WATCHED_STATUSES: readonly DeliveryStatus[] = DELIVERY_TIMER_ROWS.filter(
  ({ action }) => action === SILENT.action,
).map(({ from }) => from);
const WATCHED = literals(WATCHED_STATUSES);

/**
 * Part of the `with` that moves a delivery, after its parts `moved` and `step`: starts the silence timer where the policy is
 * `careful`.
 */
export const armSilenceSql = (now: RawBuilder<unknown>): RawBuilder<unknown> =>
  armTimersSql(
    DELIVERIES,
    [SILENT],
    sql`select t.delivery_id, t.position, t.created_at from step t
      where t.status in (${WATCHED}) and ${isSilenceCareful(now)}`,
  );

/** Starts the silence timer again, where the policy is `careful`. */
export async function armSilenceTimer(tx: Tx, id: string, now: Date): Promise<void> {
  const step = sql`select t.delivery_id, t.position, t.created_at from delivery_steps t
    where t.delivery_id = ${id} and ${isSilenceCareful(sql`${now}`)} order by t.position desc limit 1`;
  await queryRow(tx, armTimersSql(DELIVERIES, [SILENT], step));
}

/** Restarts the silence timer from the Duber's last sign. */
export async function rearmSilenceTimer(
  tx: Tx,
  { id, position, heardAt }: { id: string; position: number; heardAt: Date },
): Promise<void> {
  const step = sql`values (${id}::uuid, ${position}::int, ${heardAt}::timestamptz)`;
  await queryRow(tx, armTimersSql(DELIVERIES, [SILENT], step));
}

/** When the Duber of a delivery last took a step or shared a position, and whether the policy is still `careful`. */
export function readSilence(tx: Tx, id: string, now: Date) {
  return queryRow<{ heardAt: Date; isCareful: boolean }>(
    tx,
    sql`select greatest((select max(t.created_at) from delivery_steps t where t.delivery_id = d.id),
          (select p.at from delivery_positions p where p.delivery_id = d.id)) as "heardAt",
        ${isSilenceCareful(sql`${now}`)} as "isCareful"
      from deliveries d where d.id = ${id}`,
  );
}
