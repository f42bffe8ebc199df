import { CallFailed } from '../../../contract/callClient.ts';
import { keyOfWaiting } from '../../files/waitingPhoto.ts';
import type { StepProof } from '../../handovers/proof.ts';
import type { StepPhoto } from '../../offline/storedSteps.ts';
import { isTemporary, RefusedHere } from '../../ui/errorMessage.ts';
import type { ProblemReport } from './waitingSteps.ts';

/** What a step says, whose `fileIds` may name photos that wait. */
type StepWithPhotos = {
  readonly proof?: StepProof;
  readonly report?: ProblemReport;
  readonly photos?: readonly StepPhoto[];
};

type SendPhoto = (key: string, photo: Blob) => Promise<string>;

const NO_LONGER_HERE =
  'Its photo was deleted when you were signed out. If it still applies, do it again with a new photo.';
const refused = (why: string) => `Its photo was refused: ${why}. Do it again with another photo.`;

/**
 * The step with the ids of its files: photos that wait are sent first. `onSent` hears of each, before the next one. A photo that
 * can never be sent throws RefusedHere.
 */
export async function sendPhotosOf<S extends StepWithPhotos>(
  step: S,
  send: SendPhoto,
  onSent: (sent: Required<Pick<StepPhoto, 'id' | 'fileId'>>) => Promise<void> = async () => undefined,
): Promise<S> {
  const ids = new Map<string, string>();
  for (const { id, photo, fileId } of step.photos ?? []) {
    const sent = fileId ?? (await sendWaiting(id, photo, send));
    if (fileId === undefined) await onSent({ id, fileId: sent });
    ids.set(id, sent);
  }
  const { proof, report } = step;
  return {
    ...step,
    ...(proof ? { proof: withFiles(proof, ids) } : {}),
    ...(report ? { report: withFiles(report, ids) } : {}),
  };
}

async function sendWaiting(id: string, photo: Blob | undefined, send: SendPhoto): Promise<string> {
  if (!photo) throw new RefusedHere(NO_LONGER_HERE);
  try {
    return await send(keyOfWaiting(id), photo);
  } catch (error) {
    if (error instanceof CallFailed && error.statusCode !== 401 && !isTemporary(error))
      throw new RefusedHere(refused(error.message));
    throw error;
  }
}

function withFiles<R extends { fileIds?: string[] | undefined }>(report: R, ids: ReadonlyMap<string, string>): R {
  if (!report.fileIds) return report;
  return { ...report, fileIds: report.fileIds.map((id) => ids.get(id) ?? id) };
}
