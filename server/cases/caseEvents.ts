import type { CaseEventAction, CaseKind, CaseStatus } from '../../domain/cases.ts';
import type { Tx } from '../db/database.ts';
import { publishCaseStep } from '../events/publish.ts';
import { attachFiles } from '../files/files.ts';
import { queueCaseNotifications } from '../notifications/queueNotifications.sql.ts';
import { insertEvent, type StepBy, type StepDetails, startCaseTimers } from './caseSteps.sql.ts';
import type { CaseRow } from './cases.sql.ts';

/** What steps need in addition to the transaction. */
export type StepContext = { readonly newId: () => string; readonly at: Date };

/** Actions without a mail. */
const QUIET: readonly CaseEventAction[] = ['ask', 'stale', 'close', 'taken-back', 'confirmed'];
/** The step that found a problem sends its own notice, except for these kinds. */
const NOTIFIED_BY_THE_CASE: readonly CaseKind[] = ['handover', 'wrong-pin', 'scrub-silent'];

const isNotified = (action: CaseEventAction, kind: CaseKind) =>
  action === 'open' ? NOTIFIED_BY_THE_CASE.includes(kind) : !QUIET.includes(action);

/** Writes an event of a case that has just come to `status`, notifies people, and starts the timers of that status. */
export async function recordCaseEvent(
  tx: Tx,
  { newId, at }: StepContext,
  {
    row,
    action,
    status,
    by,
    report,
  }: {
    row: Pick<CaseRow, 'id' | 'kind' | 'steps'>;
    action: CaseEventAction;
    status: CaseStatus;
    by: StepBy;
    report: StepDetails;
  },
): Promise<void> {
  const [id, caseId, position] = [newId(), row.id, row.steps];
  const personId = 'id' in by ? by.id : null;
  await insertEvent(tx, { id, caseId, position, action, status, by, at, ...report });
  if (personId !== null) {
    const { fileIds = [] } = report;
    await attachFiles(tx, { owner: personId, fileIds, aboutKind: 'case', aboutId: caseId });
  }
  await startCaseTimers(tx, { id: caseId, status, position, at });
  await publishCaseStep(tx, { id: caseId, status, at });
  if (isNotified(action, row.kind)) await queueCaseNotifications(tx, { eventId: id, caseId, except: personId }, at);
}
