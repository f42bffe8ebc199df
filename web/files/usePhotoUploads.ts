import { useEffect, useRef, useState } from 'react';
import { v4 as newKey } from 'uuid';
import { Unreachable } from '../../contract/callClient.ts';
import { api } from '../api.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { scalePhoto, UnreadablePhoto } from './scalePhoto.ts';

export type PhotoUpload = {
  /** Also the Idempotency-Key, so that a retry is no second photo. */
  readonly key: string;
  readonly state: 'preparing' | 'sending' | 'sent' | 'failed';
  /** What is sent, once it is scaled. Missing for a photo that was sent earlier. */
  readonly photo?: Blob;
  /** The address of a preview. */
  readonly preview?: string;
  readonly fileId?: string;
  readonly error?: string;
};

/** The photos of a picker: those with an id are sent. `onChange` gets the ids whenever they change. */
export function usePhotoUploads(fileIds: readonly string[], onChange: (fileIds: string[]) => void, max: number) {
  const { uploads, readLatest, change, update } = useUploadList(fileIds, onChange);
  const lastSent = useRef(Promise.resolve());

  /** One after another: the server takes one photo of a person at a time. */
  const send = (key: string, photo: Blob) => {
    lastSent.current = lastSent.current.then(() => sendNow(key, photo));
    return lastSent.current;
  };
  const sendNow = async (key: string, photo: Blob) => {
    update(key, { state: 'sending' });
    try {
      const { id } = await api.createFile({ photo, idempotencyKey: key });
      update(key, { state: 'sent', fileId: id });
    } catch (error) {
      update(key, { state: 'failed', error: failureOf(error) });
    }
  };
  const add = async (file: Blob) => {
    const key = newKey();
    change((all) => [...all, { key, state: 'preparing' }]);
    try {
      const photo = await scalePhoto(file);
      update(key, { photo, preview: URL.createObjectURL(photo) });
      await send(key, photo);
    } catch (error) {
      update(key, { state: 'failed', error: failureOf(error) });
    }
  };
  return {
    uploads,
    add: (files: readonly Blob[]) => {
      const room = max - readLatest().length;
      for (const file of files.slice(0, Math.max(0, room))) void add(file);
    },
    retry: ({ key, photo }: PhotoUpload) => photo && void send(key, photo),
    remove: ({ key }: PhotoUpload) => {
      revokePreviews(readLatest().filter((one) => one.key === key));
      change((all) => all.filter((one) => one.key !== key));
    },
  };
}

/** The list of uploads, which can be read and changed after an await too. */
function useUploadList(fileIds: readonly string[], onChange: (fileIds: string[]) => void) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>(() =>
    fileIds.map((fileId) => ({ key: fileId, state: 'sent', fileId })),
  );
  // What comes after an await must not use the list of an earlier render.
  const latest = useRef({ uploads, onChange });
  latest.current.onChange = onChange;
  useEffect(() => () => revokePreviews(latest.current.uploads), []);

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
