import type { Role } from '../../domain/accounts.ts';
import { isWorkerRole, type Requirement } from '../../domain/admissions.ts';
import type { Tx } from '../db/database.ts';
import {
  type Admission,
  type DocumentRow,
  findAdmission,
  listDocuments,
  listRequirements,
  readTakesDocuments,
} from './admissions.sql.ts';

export type AdmissionOf = {
  readonly isAsked: boolean;
  readonly admission: Admission | undefined;
  readonly requirements: readonly Requirement[];
  readonly documents: readonly DocumentRow[];
};

const MAX_DOCUMENTS = 50;

/** A person's admission, for operators. */
export async function readAdmissionOf(
  tx: Tx,
  { id, role }: { id: string; role: Role },
  now: Date,
): Promise<AdmissionOf> {
  if (!isWorkerRole(role)) return { isAsked: false, admission: undefined, requirements: [], documents: [] };
  return {
    isAsked: await readTakesDocuments(tx, now),
    admission: await findAdmission(tx, id),
    requirements: await listRequirements(tx, role),
    documents: await listDocuments(tx, id, MAX_DOCUMENTS),
  };
}

export type { DocumentRow } from './admissions.sql.ts';
