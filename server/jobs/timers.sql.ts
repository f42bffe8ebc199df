import { type RawBuilder, sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';

// The table `timers`: what the server does by itself, and when. Raw SQL throughout: leases, intervals, and parts of the
// statements of steps.

/** What timers are of. */
export type TimerSubject =
  | 'order'
  | 'delivery'
  | 'case'
  | 'approval'
  | 'suspension'
  | 'dispute'
  | 'admission'
  | 'erasure';

/** A System row of a workflow. */
export type TimerRow = { readonly action: string; readonly after: number };

/** A timer that is due. */
export type DueTimer = {
  readonly subject: TimerSubject;
  readonly subjectId: string;
  readonly action: string;
  readonly startedByStep: number;
};

/** A timer that has started already starts again: it is another timer, also for a worker that has leased it. */
const STARTS_AGAIN = sql`on conflict (subject_id, action) do update
  set due_at = excluded.due_at, armed_by_step = greatest(excluded.armed_by_step, timers.armed_by_step + 1)`;

/** Part of a `with`: starts the timers of `rows` for each row `(id, position, at)` of `steps`. */
export function startTimersSql(
  subject: TimerSubject,
  rows: readonly TimerRow[],
  steps: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const values = rows.map(({ action, after }) => sql`(${sql.lit(action)}, ${sql.lit(after)})`);
  return sql`insert into timers (subject_kind, subject_id, action, due_at, armed_by_step)
    select ${sql.lit(subject)}, s.id, r.action, s.at + r.after * interval '1 millisecond', s.position
      from (${steps}) s (id, position, at), (values ${sql.join(values)}) r (action, after)
    ${STARTS_AGAIN}`;
}

/** A timer to start. */
export type NewTimer = { readonly action: string; readonly dueAt: Date };

/** When the rows are taken whose time begins at `at`. */
export const timersOf = (rows: readonly TimerRow[], at: Date): NewTimer[] =>
  rows.map(({ action, after }) => ({ action, dueAt: new Date(at.getTime() + after) }));

/** Starts timers of a subject. `step` is the position of the step that starts them. */
export async function startTimers(
  tx: Tx,
  subject: TimerSubject,
  { id, step }: { readonly id: string; readonly step: number },
  timers: readonly NewTimer[],
): Promise<void> {
  if (timers.length === 0) return;
  const rows = timers.map(
    ({ action, dueAt }) => sql`(${subject}, ${id}::uuid, ${action}, ${dueAt}::timestamptz, ${step}::int)`,
  );
  await send(
    tx,
    sql`insert into timers (subject_kind, subject_id, action, due_at, armed_by_step) values ${sql.join(rows)} ${STARTS_AGAIN}`,
  );
}

/** Ends the timers of a subject, except for those of the kept actions. */
export async function endTimers(
  tx: Tx,
  subject: TimerSubject,
  id: string,
  kept: readonly string[] = [],
): Promise<void> {
  await send(
    tx,
    sql`delete from timers where subject_kind = ${subject} and subject_id = ${id} and action <> all(${[...kept]}::text[])`,
  );
}

/** Longer than a batch takes. After a crash, its timers are due again then. */
export const TIMER_LEASE_MS = 60_000;
const BATCH_SIZE = 50;

/** Leases the timers that are due longest. Actions that this release does not know are left to the newer one that wrote them. */
export function leaseDueTimers(
  tx: Tx,
  kinds: readonly { readonly subject: TimerSubject; readonly rows: readonly { readonly action: string }[] }[],
  now: Date,
): Promise<DueTimer[]> {
  const known = kinds.map(
    ({ subject, rows }) =>
      sql`(t.subject_kind = ${subject} and t.action = any(${[...new Set(rows.map(({ action }) => action))]}::text[]))`,
  );
  return queryRows(
    tx,
    sql`with due as (
        select t.subject_kind, t.subject_id, t.action, t.armed_by_step, t.due_at from timers t
          where t.due_at <= ${now} and (${sql.join(known, sql` or `)})
          order by t.due_at limit ${BATCH_SIZE} for update skip locked),
      leased as (
        update timers t set due_at = ${new Date(now.getTime() + TIMER_LEASE_MS)} from due d
          where t.subject_id = d.subject_id and t.action = d.action)
      select d.subject_kind as subject, d.subject_id as "subjectId", d.action, d.armed_by_step as "startedByStep"
        from due d order by d.due_at`,
  );
}

/** Ends a timer in the transaction of its row. False when another worker was faster, or when it has started again. */
export async function takeTimer(tx: Tx, { subjectId, action, startedByStep }: DueTimer): Promise<boolean> {
  const taken = await queryRow(
    tx,
    sql`delete from timers where subject_id = ${subjectId} and action = ${action} and armed_by_step = ${startedByStep}
      returning 1 as one`,
  );
  return taken !== undefined;
}
