import { type Kysely, sql } from 'kysely';

// What the server does by itself when nobody does anything: a System row of a workflow and when it is due. Older
// requests, and those that servers of the previous release still place, get their timer from the worker.
const TIMERS = [
  `create table timers (
    subject_kind text not null check (subject_kind in ('order')),
    subject_id uuid not null,
    action text not null,
    -- Later while a worker has it.
    due_at timestamptz not null,
    -- The position of the step that started it. A timer that another step started again is another timer.
    armed_by_step integer not null,
    primary key (subject_id, action)
  )`,
  'create index timers_due on timers (due_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of TIMERS) await sql.raw(statement).execute(db);
}
