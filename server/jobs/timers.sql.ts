import { type RawBuilder, sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

// The table `timers`: what the server does by itself, and when. Raw SQL throughout: leases, intervals, and parts of the
// statements of steps.

/** A System row of a workflow. */
export type TimerRow = { readonly action: string; readonly from: string; readonly after: number };

/** The subjects of timers: their kind, and the table that has their status. */
export type TimerSubject =
  | { readonly kind: 'order'; readonly table: 'orders' }
  | { readonly kind: 'delivery'; readonly table: 'deliveries' }
  | { readonly kind: 'case'; readonly table: 'cases' }
  | { readonly kind: 'approval'; readonly table: 'approvals' }
  | { readonly kind: 'suspension'; readonly table: 'suspensions' }
  | { readonly kind: 'dispute'; readonly table: 'disputes' }
  | { readonly kind: 'admission'; readonly table: 'admissions' };

/** A timer that is due. */
export type DueTimer = {
  readonly subjectId: string;
  readonly action: string;
  readonly armedByStep: number;
  /** Whether the subject still has the status that the timer waits at. If not, the timer is gone. */
  readonly holds: boolean;
};

/**
 * Part of a `with`: starts the timers of `rows` for each row `(id, position, at)` of `steps`. A timer that has started already starts
 * again, and is taken from the worker that leased it.
 */
export function armTimersSql(
  { kind }: TimerSubject,
  rows: readonly TimerRow[],
  steps: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const values = rows.map(({ action, after }) => sql`(${sql.lit(action)}, ${sql.lit(after)})`);
  return sql`insert into timers (subject_kind, subject_id, action, due_at, armed_by_step)
    select ${sql.lit(kind)}, s.id, r.action, s.at + r.after * interval '1 millisecond', s.position
      from (${steps}) s (id, position, at), (values ${sql.join(values)}) r (action, after)
    on conflict (subject_id, action) do update set due_at = excluded.due_at, armed_by_step = excluded.armed_by_step`;
}

/** Longer than a batch takes. After a crash, its timers are due again then. */
export const TIMER_LEASE_MS = 60_000;
const BATCH_SIZE = 50;

/**
 * Leases the timers that are due longest, and deletes those whose subject has another status. Timers of rows that this release
 * does not know are left to the newer one that wrote them.
 */
export function leaseDueTimers(
  tx: Tx,
  { kind, table }: TimerSubject,
  rows: readonly TimerRow[],
  now: Date,
): Promise<DueTimer[]> {
  const known = sql.join(rows.map(({ action, from }) => sql`(${action}::text, ${from}::text)`));
  const isSame = sql`t.subject_id = d.subject_id and t.action = d.action`;
  return queryRows(
    tx,
    sql`with known as (select * from (values ${known}) k (action, status)),
      due as (
        select t.subject_id, t.action, t.armed_by_step,
            exists (select from known k where k.action = t.action and k.status = s.status) as holds
          from timers t left join ${sql.table(table)} s on s.id = t.subject_id
          where t.subject_kind = ${kind} and t.due_at <= ${now} and t.action in (select k.action from known k)
          order by t.due_at limit ${BATCH_SIZE} for update of t skip locked),
      fallen as (delete from timers t using due d where not d.holds and ${isSame}),
      leased as (
        update timers t set due_at = ${new Date(now.getTime() + TIMER_LEASE_MS)} from due d where d.holds and ${isSame})
      select d.subject_id as "subjectId", d.action, d.armed_by_step as "armedByStep", d.holds from due d`,
  );
}

/** Ends a timer in the transaction of its row. False when another worker was faster, or when it has started again. */
export async function takeTimer(tx: Tx, { subjectId, action, armedByStep }: DueTimer): Promise<boolean> {
  const taken = await queryRow(
    tx,
    sql`delete from timers where subject_id = ${subjectId} and action = ${action} and armed_by_step = ${armedByStep}
      returning 1 as one`,
  );
  return taken !== undefined;
}
