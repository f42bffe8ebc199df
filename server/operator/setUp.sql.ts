import { WORKER_ROLES, type WorkerRole } from '../../domain/admissions.ts';
import type { Tx } from '../db/database.ts';

/** The documents that each role sends where they are required. */
export async function listNeededDocuments(tx: Tx) {
  const rows = await tx.selectFrom('requirements').select(['role', 'kind']).where('needed', '=', true).execute();
  const kindsOf = (role: WorkerRole) => rows.filter((row) => row.role === role).map(({ kind }) => kind);
  return WORKER_ROLES.map((role) => ({ role, kinds: kindsOf(role) }));
}
