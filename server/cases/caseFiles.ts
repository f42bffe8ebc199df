import type { Tx } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';

export type CaseFiles = { readonly owner: string; readonly caseId: string; readonly fileIds: readonly string[] };

/** Makes photos part of a case. Its people see them. */
export const attachCaseFiles = (tx: Tx, { owner, caseId, fileIds }: CaseFiles): Promise<void> =>
  attachFiles(tx, { owner, fileIds, aboutKind: 'case', aboutId: caseId });
