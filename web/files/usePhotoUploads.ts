import { useEffect, useRef, useState } from 'react';
import { v4 as newKey } from 'uuid';
import { Unreachable } from '../../contract/callClient.ts';
import { errorMessageOf, isTemporary } from '../ui/errorMessage.ts';
import { scalePhoto, UnreadablePhoto } from './scalePhoto.ts';
import { holdPhoto, isWaitingId, keyOfWaiting, readHeldPhoto, releasePhoto, sendPhoto } from './waitingPhoto.ts';

const RETRY_INTERVAL_MS = 30_000;

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

type PhotoList = {
  readonly fileIds: readonly string[];
  readonly onChange: (fileIds: string[]) => void;
  readonly max: number;
  /** Whether a photo that cannot be sent now may wait on the device. The step that takes it must send it. */
  readonly canWait: boolean;
};

/** The photos of a picker: those with an id are ready. `onChange` gets the ids whenever they change. */
export function usePhotoUploads({ fileIds, onChange, max, canWait }: PhotoList) {
  const { uploads, readLatest, change, update } = useUploadList(fileIds, onChange);

  const send = async (key: string, photo: Blob) => {
    const heldId = canWait ? holdPhoto(key, photo) : undefined;
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
      // It may have been removed meanwhile.
      if (!readLatest().some((one) => one.key === key)) return;
      update(key, { photo, preview: URL.createObjectURL(photo) });
      await send(key, photo);
    } catch (error) {
      update(key, { state: 'failed', error: failureOf(error) });
    }
  };
  const retry = ({ key, photo }: PhotoUpload) => photo && void send(key, photo);
  const isWaiting = uploads.some(({ state }) => state === 'waiting');
  useRetries(isWaiting, () => {
    for (const upload of readLatest()) if (upload.state === 'waiting') retry(upload);
  });
  return {
    uploads,
    add: (files: readonly Blob[]) => {
      const room = max - readLatest().length;
      for (const file of files.slice(0, Math.max(0, room))) void add(file);
    },
    retry,
    remove: ({ key, fileId }: PhotoUpload) => {
      if (fileId !== undefined) releasePhoto(fileId);
      revokePreviews(readLatest().filter((one) => one.key === key));
      change((all) => all.filter((one) => one.key !== key));
    },
  };
}

/** Tries again when the network is back, and from time to time: a server that is busy or away sends no event. */
function useRetries(isWaiting: boolean, retryAll: () => void): void {
  const latest = useRef(retryAll);
  latest.current = retryAll;
  useEffect(() => {
    if (!isWaiting) return;
    const listener = () => latest.current();
    const timer = setInterval(listener, RETRY_INTERVAL_MS);
    window.addEventListener('online', listener);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', listener);
    };
  }, [isWaiting]);
}

/** A photo that was picked before the picker was closed. */
function reopen(fileId: string): PhotoUpload {
  const photo = readHeldPhoto(fileId);
  if (!photo) return { key: fileId, state: 'sent', fileId };
  return { key: keyOfWaiting(fileId), state: 'waiting', fileId, photo, preview: URL.createObjectURL(photo) };
}

/** The list of uploads, which can be read and changed after an await too. */
function useUploadList(fileIds: readonly string[], onChange: (fileIds: string[]) => void) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>(() =>
    fileIds.filter((id) => !isWaitingId(id) || readHeldPhoto(id)).map(reopen),
  );
  // What comes after an await must not use the list of an earlier render.
  const latest = useRef({ uploads, onChange });
  latest.current.onChange = onChange;
  useEffect(() => {
    const { uploads: picked, onChange: report } = latest.current;
    // Photos that were held for too long are gone.
    if (picked.length < fileIds.length) report(idsOf(picked));
    return () => revokePreviews(latest.current.uploads);
    // Only when it opens: from then on the list is its own.
  }, []);

  const change = (edit: (uploads: readonly PhotoUpload[]) => readonly PhotoUpload[]) => {
    const before = idsOf(latest.current.uploads);
    latest.current.uploads = edit(latest.current.uploads);
    setUploads(latest.current.uploads);
    const after = idsOf(latest.current.uploads);
    if (String(before) !== String(after)) latest.current.onChange(after);
  };
  const update = (key: string, values: Partial<PhotoUpload>) =>
    change((all) => all.map((one) => (one.key === key ? { ...one, ...values } : one)));
  return { uploads, readLatest: () => latest.current.uploads, change, update };
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
