import { heldPhotos } from '../files/heldPhotos.ts';
import { type DatabaseSchema, promisifyRequest, withDatabase } from './indexedDb.ts';

/** The steps that wait. Not the offline cache's database: signing out clears that one, but steps wait for their user. */
export const STEPS_SCHEMA: DatabaseSchema = { name: 'rubadub-steps', version: 1, stores: { steps: 'key' } };

/** A photo of a step: the photo while it waits, and its file's id once it is sent. */
export type StepPhoto = { readonly id: string; readonly photo?: Blob; readonly fileId?: string };

export const isPhotoWaiting = ({ photo }: StepPhoto): boolean => photo !== undefined;

type StoredStep = {
  readonly key: string;
  readonly userId: string;
  readonly deliveryId: string;
  readonly action: string;
  readonly takenAt: string;
  readonly attempt?: number;
  readonly problem?: string;
};

const SIGNED_OUT =
  'You were signed out before it was sent, and what you wrote was deleted on this phone. Do it again if it still applies.';

/** What is left of a step that is not sent: which one it was and why. No PIN, place, words or photos, which say where people live. */
export const withoutDetails = (step: StoredStep, problem: string): StoredStep => {
  const { key, userId, deliveryId, action, takenAt, attempt } = step;
  return { key, userId, deliveryId, action, takenAt, problem, ...(attempt === undefined ? {} : { attempt }) };
};

/** Ends the steps that wait on this device, at the end of a session. Their user reads later that they were not sent. */
export async function endWaitingSteps(): Promise<void> {
  heldPhotos.clear();
  await endStoredSteps();
}

/** Ends the steps of everybody, or of everybody but one person. */
export async function endStoredSteps(keptUserId?: string): Promise<void> {
  await withSteps('readwrite', (store, steps) => {
    for (const step of steps)
      if (step.userId !== keptUserId) store.put(withoutDetails(step, step.problem ?? SIGNED_OUT));
  });
}

/** How many steps of a person would be lost if their session ended now. */
export async function countWaitingSteps(userId: string): Promise<number> {
  let count = 0;
  await withSteps('readonly', (_store, steps) => {
    count = steps.filter((step) => step.userId === userId && step.problem === undefined).length;
  });
  return count;
}

async function withSteps(
  mode: 'readonly' | 'readwrite',
  callback: (store: IDBObjectStore, steps: readonly StoredStep[]) => void,
): Promise<void> {
  // A browser without IndexedDB has none.
  if (!globalThis.indexedDB) return;
  await withDatabase(STEPS_SCHEMA, mode, async (store) =>
    callback(store('steps'), await promisifyRequest<StoredStep[]>(store('steps').getAll())),
  );
}
