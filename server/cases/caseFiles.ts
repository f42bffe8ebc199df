import type { Tx } from '../db/database.ts';

export type CaseFiles = { readonly owner: string; readonly caseId: string; readonly fileIds: readonly string[] };

/**
 * Makes photos part of a case.
 * SEAM: with server/files this is `attachFiles(tx, { owner, fileIds, aboutKind: 'case', aboutId: caseId })`, and `isOfCase` of
 * cases.sql.ts says who sees them.
 */
export async function attachCaseFiles(_tx: Tx, _files: CaseFiles): Promise<void> {}
