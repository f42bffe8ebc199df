import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import type { CaseEventAction, CaseStatus, Offer } from '../../domain/cases.ts';
import { type CaseColumns, caseTimersAt } from '../../domain/process/case.ts';
import type { Actor } from '../../domain/workflow.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { endTimers, startTimers, timersOf } from '../jobs/timers.sql.ts';
import { insertStepSql } from '../process/steps.sql.ts';

/** Who takes a step. An operator has a name, and the server nothing. */
export type StepBy =
  | { readonly role: Role; readonly id: string }
  | { readonly role: 'Operator'; readonly id: null; readonly name: string }
  | { readonly role: 'System'; readonly id: null };

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
  const { id, caseId, action, status, by, at, words, fileIds, offer, cents, place } = event;
  await queryRow(
    tx,
    insertStepSql('case', sql`(select ${caseId}::uuid as id)`, {
      id: sql`${id}::uuid`,
      action: sql`${action}::text`,
      status: sql`${status}::text`,
      actor_id: sql`${by.id}::uuid`,
      actor_role: sql`${by.role satisfies Actor}::text`,
      actor_name: sql`${by.role === 'Operator' ? by.name : null}::text`,
      words: sql`${words ?? null}::text`,
      offer: sql`${offer ?? null}::text`,
      cents: sql`${cents ?? null}::int`,
      file_ids: sql`${[...(fileIds ?? [])]}::uuid[]`,
      latitude: sql`${place?.latitude ?? null}::float8`,
      longitude: sql`${place?.longitude ?? null}::float8`,
      at: sql`${at}::timestamptz`,
    }),
  );
}

export type CaseMove = {
  readonly id: string;
  readonly from: CaseStatus;
  readonly to: CaseStatus;
  /** The number of events before it. */
  readonly steps: number;
  /** The columns that it sets besides the status. */
  readonly sets?: Partial<CaseColumns>;
};

const COLUMNS: Record<keyof CaseColumns, string> = {
  offer: 'offer',
  offerCents: 'offer_cents',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  contestedAt: 'contested_at',
  priority: 'priority',
};

/** Moves a case. The caller has locked it. */
export async function moveCase(tx: Tx, { id, from, to, steps, sets = {} }: CaseMove): Promise<void> {
  const columns = Object.entries(sets).map(
    ([name, value]) => sql`, ${sql.ref(COLUMNS[name as keyof CaseColumns])} = ${value}`,
  );
  const moved = await queryRow(
    tx,
    sql`update cases set status = ${to}, steps = steps + 1 ${sql.join(columns, sql``)}
      where id = ${id} and status = ${from} and steps = ${steps} returning 1 as one`,
  );
  if (!moved) throw new Error(`case ${id} was moved while it was locked`);
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
