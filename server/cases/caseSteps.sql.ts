import { type RawBuilder, sql } from 'kysely';
import { type CaseEventAction, type CaseStatus, caseTimersAt, type Offer } from '../../domain/cases.ts';
import type { Actor } from '../../domain/workflow.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { endTimers, startTimers, timersOf } from '../jobs/timers.sql.ts';

/** Who takes a step. An operator has a name, and the server nothing. */
export type StepBy =
  | { readonly role: 'Bud' | 'Scrub' | 'Duber'; readonly id: string }
  | { readonly role: 'Operator'; readonly name: string }
  | { readonly role: 'System' };

/** The details of a step. */
export type StepDetails = {
  readonly words?: string | null | undefined;
  readonly fileIds?: readonly string[] | undefined;
  readonly offer?: Offer | null;
  /** The amount that was offered or refunded. */
  readonly cents?: number | null;
  readonly place?: { readonly latitude: number; readonly longitude: number } | undefined;
};

export type NewEvent = {
  readonly id: string;
  readonly caseId: string;
  readonly position: number;
  readonly action: CaseEventAction;
  readonly status: CaseStatus;
  readonly by: StepBy;
  readonly at: Date;
} & StepDetails;

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { id, caseId, position, action, status, by, at, words, fileIds, offer, cents, place } = event;
  await tx
    .insertInto('case_events')
    .values({
      id,
      case_id: caseId,
      position,
      action,
      status,
      by_id: 'id' in by ? by.id : null,
      by_role: by.role satisfies Actor,
      set_by: 'name' in by ? by.name : null,
      words: words ?? null,
      offer: offer ?? null,
      cents: cents ?? null,
      file_ids: [...(fileIds ?? [])],
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      at,
    })
    .execute();
}

export type CaseMove = {
  readonly id: string;
  readonly from: CaseStatus;
  readonly to: CaseStatus;
  /** The number of events before it. */
  readonly steps: number;
  readonly changes?: RawBuilder<unknown> | undefined;
};

/** Compare-and-swap: moves a case if nobody else has taken a step. `changes` sets more columns. */
export async function moveCase(tx: Tx, { id, from, to, steps, changes = sql`` }: CaseMove): Promise<boolean> {
  const moved = await queryRow(
    tx,
    sql`update cases set status = ${to}, steps = steps + 1 ${changes}
      where id = ${id} and status = ${from} and steps = ${steps} returning 1 as one`,
  );
  return moved !== undefined;
}

/** Ends the timers of a case and starts those of its new status, in the transaction of the step that leads to it. */
export async function startCaseTimers(
  tx: Tx,
  { id, status, position, at }: { id: string; status: CaseStatus; position: number; at: Date },
): Promise<void> {
  const rows = caseTimersAt(status);
  const kept = rows.map(({ action }) => action);
  await endTimers(tx, 'case', id, kept);
  await startTimers(tx, 'case', { id, step: position }, timersOf(rows, at));
}

/** Allows people to read a case. */
export async function addCasePeople(tx: Tx, caseId: string, people: readonly string[]): Promise<void> {
  await tx
    .insertInto('case_people')
    .values([...new Set(people)].map((userId) => ({ case_id: caseId, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
