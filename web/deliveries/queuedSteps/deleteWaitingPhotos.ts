import { heldPhotos } from '../../files/heldPhotos.ts';
import { type DatabaseSchema, promisifyRequest, withDatabase } from '../../offline/indexedDb.ts';

/** The steps that wait. Not the offline cache's database: signing out clears that one, but steps wait for their user. */
export const STEPS_SCHEMA: DatabaseSchema = { name: 'rubadub-steps', version: 1, stores: { steps: 'key' } };

/** A photo of a step: the photo while it waits, and its file's id once it is sent. Neither once its user has signed out. */
export type StepPhoto = { readonly id: string; readonly photo?: Blob; readonly fileId?: string };

export const isPhotoWaiting = ({ photo }: StepPhoto): boolean => photo !== undefined;

/** The photos of a step without those that wait. */
export const withoutBlobs = (photos: readonly StepPhoto[] = []): StepPhoto[] =>
  photos.map(({ photo: _photo, ...rest }) => rest);

type StoredStep = { readonly userId: string; readonly photos?: readonly StepPhoto[] };

/** Deletes the photos that wait on this device, at the end of a session: they show where people live. */
export async function deleteWaitingPhotos(): Promise<void> {
  heldPhotos.clear();
  await deleteStoredPhotos();
}

/** Deletes the photos that wait with the steps of everybody, or of everybody but one person. */
export async function deleteStoredPhotos(keptUserId?: string): Promise<void> {
  // A browser without IndexedDB has none.
  if (!globalThis.indexedDB) return;
  await withDatabase(STEPS_SCHEMA, 'readwrite', async (store) => {
    const steps = await promisifyRequest<StoredStep[]>(store('steps').getAll());
    for (const step of steps)
      if (step.userId !== keptUserId && step.photos?.some(isPhotoWaiting))
        store('steps').put({ ...step, photos: withoutBlobs(step.photos) });
  });
}
