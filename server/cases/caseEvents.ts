import { v7 as newUuid } from 'uuid';
import type { CaseEventAction, CaseStatus } from '../../domain/cases.ts';
import type { Tx } from '../db/database.ts';
import { publishCaseStep } from '../events/publish.ts';
import { attachFiles } from '../files/files.ts';
import { queueCaseNotifications } from '../notifications/queueNotifications.sql.ts';
import { insertEvent, type StepBy, type StepDetails, startCaseTimers } from './caseSteps.sql.ts';

/** The event of a step that has just moved a case to `status`. */
export type CaseEvent = {
  readonly caseId: string;
  /** The number of events before it. */
  readonly position: number;
  readonly action: CaseEventAction;
  readonly status: CaseStatus;
  readonly by: StepBy;
  readonly report: StepDetails;
};

const personOf = (by: StepBy): string | null => (by.role === 'Operator' || by.role === 'System' ? null : by.id);

/** Writes the history of a case, with the photos of the step. Returns the id of the event. */
export async function writeCaseEvent(tx: Tx, { report, ...event }: CaseEvent, at: Date): Promise<string> {
  const id = newUuid();
  await insertEvent(tx, { id, at, ...event, ...report });
  const [owner, { fileIds = [] }] = [personOf(event.by), report];
  if (owner !== null) await attachFiles(tx, { owner, fileIds, aboutKind: 'case', aboutId: event.caseId });
  return id;
}

/** Starts the timers of the new status, updates the screens of the people of a case, and mails what its row notifies. */
export async function announceCaseEvent(
  tx: Tx,
  { eventId, notifies }: { readonly eventId: string; readonly notifies: 'others' | undefined },
  { caseId, status, position, by }: Omit<CaseEvent, 'action' | 'report'>,
  at: Date,
): Promise<void> {
  await startCaseTimers(tx, { id: caseId, status, position, at });
  await publishCaseStep(tx, { id: caseId, status, at });
  if (notifies) await queueCaseNotifications(tx, { eventId, caseId, except: personOf(by) }, at);
}
