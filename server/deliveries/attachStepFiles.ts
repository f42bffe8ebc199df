import type { Tx } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';

/** Makes the photos that a person uploaded belong to a step of a delivery. Returns how many there are. */
export async function attachStepFiles(
  tx: Tx,
  files: { owner: string; fileIds: readonly string[]; aboutKind: 'delivery'; aboutId: string },
): Promise<number> {
  await attachFiles(tx, files);
  return new Set(files.fileIds).size;
}
