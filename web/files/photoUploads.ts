import { v4 as newKey } from 'uuid';
import { Unreachable } from '../../contract/callClient.ts';
import { errorMessageOf, isTemporary } from '../ui/errorMessage.ts';
import { scalePhoto, UnreadablePhoto } from './scalePhoto.ts';
import { holdPhoto, isWaitingId, keyOfWaiting, readHeldPhoto, releasePhoto, sendPhoto } from './waitingPhoto.ts';

export type PhotoUpload = {
  /** Also the Idempotency-Key, so that a retry is no second photo. */
  readonly key: string;
  readonly state: 'preparing' | 'sending' | 'waiting' | 'sent' | 'failed';
  /** What is sent, once it is scaled. Missing for a photo that was sent earlier. */
  readonly photo?: Blob | undefined;
  /** The address of a preview. */
  readonly preview?: string | undefined;
  /** The id of the file; of a photo that can wait, until then the id under which it is held. */
  readonly fileId?: string | undefined;
  readonly error?: string;
};

export type PhotoList = {
  readonly fileIds: readonly string[];
  readonly onChange: (fileIds: string[]) => void;
  readonly max: number;
  /** Whether a photo that cannot be sent now may wait on the device. The step that takes it must send it. */
  readonly canWait: boolean;
};

/** The uploads of a picker, which can be read and changed after an await too. `list` has the props of its last render. */
export function createPhotoUploads(list: { readonly current: PhotoList }) {
  const state = createUploadList(list);
  const { read, change, isClosed } = state;
  const update = (key: string, values: Partial<PhotoUpload>) =>
    change((all) => all.map((one) => (one.key === key ? { ...one, ...values } : one)));

  const send = async (key: string, photo: Blob) => {
    const heldId = list.current.canWait ? holdPhoto(key, photo) : undefined;
    update(key, { state: 'sending', fileId: heldId });
    try {
      update(key, { state: 'sent', fileId: await sendPhoto(key, photo) });
    } catch (error) {
      if (heldId && isTemporary(error)) return update(key, { state: 'waiting' });
      if (heldId) releasePhoto(heldId);
      update(key, { state: 'failed', fileId: undefined, error: failureOf(error) });
    }
  };
  const add = async (file: Blob) => {
    const key = newKey();
    change((all) => [...all, { key, state: 'preparing' }]);
    try {
      const photo = await scalePhoto(file);
      // It may have been removed meanwhile, or nobody would revoke its preview.
      if (isClosed() || !read().some((one) => one.key === key)) return;
      update(key, { photo, preview: URL.createObjectURL(photo) });
      await send(key, photo);
    } catch (error) {
      update(key, { state: 'failed', error: failureOf(error) });
    }
  };
  const retry = async ({ key, photo }: PhotoUpload) => photo && send(key, photo);
  return {
    ...state,
    add: async (files: readonly Blob[]) => {
      const room = list.current.max - read().length;
      await Promise.all(files.slice(0, Math.max(0, room)).map(add));
    },
    retry,
    retryWaiting: () => {
      for (const upload of read()) if (upload.state === 'waiting') void retry(upload);
    },
    remove: ({ key, fileId }: PhotoUpload) => {
      if (fileId !== undefined) releasePhoto(fileId);
      revokePreviews(read().filter((one) => one.key === key));
      change((all) => all.filter((one) => one.key !== key));
    },
  };
}

/** The list itself. Once its picker is closed it no longer writes into the form, whose photos are those of the next picker. */
function createUploadList(list: { readonly current: PhotoList }) {
  const { fileIds } = list.current;
  let uploads: readonly PhotoUpload[] = fileIds.filter((id) => !isWaitingId(id) || readHeldPhoto(id)).map(reopen);
  let isClosed = false;
  const listeners = new Set<() => void>();
  return {
    read: () => uploads,
    isClosed: () => isClosed,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Returns the function that closes it. */
    open: () => {
      isClosed = false;
      // Photos that were held for too long are gone.
      if (uploads.length < fileIds.length) list.current.onChange(idsOf(uploads));
      return () => {
        isClosed = true;
        revokePreviews(uploads);
      };
    },
    change: (edit: (uploads: readonly PhotoUpload[]) => readonly PhotoUpload[]) => {
      const before = idsOf(uploads);
      uploads = edit(uploads);
      for (const notify of listeners) notify();
      const after = idsOf(uploads);
      if (!isClosed && String(before) !== String(after)) list.current.onChange(after);
    },
  };
}

/** A photo that was picked before the picker was closed. */
function reopen(fileId: string): PhotoUpload {
  const photo = readHeldPhoto(fileId);
  if (!photo) return { key: fileId, state: 'sent', fileId };
  return { key: keyOfWaiting(fileId), state: 'waiting', fileId, photo, preview: URL.createObjectURL(photo) };
}

const idsOf = (uploads: readonly PhotoUpload[]) => uploads.flatMap(({ fileId }) => fileId ?? []);

function revokePreviews(uploads: readonly PhotoUpload[]): void {
  for (const { preview } of uploads) if (preview !== undefined) URL.revokeObjectURL(preview);
}

function failureOf(error: unknown): string {
  if (error instanceof UnreadablePhoto) return 'This file cannot be read as a photo. Please choose another one.';
  if (error instanceof Unreachable) return 'There is no connection. Please try again.';
  return errorMessageOf(error, 'The photo could not be sent. Please try again.');
}
