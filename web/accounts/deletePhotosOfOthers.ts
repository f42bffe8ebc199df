import {
  isPhotoWaiting,
  STEPS_SCHEMA,
  type StepPhoto,
  withoutBlobs,
} from '../deliveries/queuedSteps/deleteWaitingPhotos.ts';
import { promisifyRequest, withDatabase } from '../offline/indexedDb.ts';

type StoredStep = { readonly userId: string; readonly photos?: readonly StepPhoto[] };

/** Deletes the photos that wait on this device with the steps of other people than `userId`. */
export async function deletePhotosOfOthers(userId: string): Promise<void> {
  // A browser without IndexedDB has none.
  if (!globalThis.indexedDB) return;
  await withDatabase(STEPS_SCHEMA, 'readwrite', async (store) => {
    const steps = await promisifyRequest<StoredStep[]>(store('steps').getAll());
    for (const step of steps)
      if (step.userId !== userId && step.photos?.some(isPhotoWaiting))
        store('steps').put({ ...step, photos: withoutBlobs(step.photos) });
  });
}
