import { Loader } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import { type ChangeEvent, type Ref, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { MAX_PHOTOS_OF_STEP } from '../../domain/files.ts';
import { Icon } from '../ui/icons.tsx';
import { Photo } from './Photo.tsx';
import styles from './PhotoPicker.module.css';
import { createPhotoUploads, type PhotoList, type PhotoUpload } from './photoUploads.ts';

type PhotoPickerProps = {
  readonly value: readonly string[];
  readonly onChange: (fileIds: string[]) => void;
  readonly max?: number;
  /** Whether a photo that cannot be sent now may wait on the device, because the step that takes it sends it (decision 025). */
  readonly canWait?: boolean;
  readonly label: string;
  readonly error?: string | undefined;
  /** The field, which can get the focus when it has an error. */
  readonly ref?: Ref<HTMLFieldSetElement>;
};

/**
 * Takes or chooses photos, and sends them at once. `value` are the ids of those that are sent or may wait: a step that takes
 * them is ready when there are as many as it needs.
 */
export function PhotoPicker(props: PhotoPickerProps) {
  const { value: fileIds, onChange, max = MAX_PHOTOS_OF_STEP, canWait = false, label, error, ref } = props;
  const { uploads, add, retry, remove } = usePhotoUploads({ fileIds, onChange, max, canWait });
  const hint = useId();
  const isSending = uploads.some(({ state }) => state === 'preparing' || state === 'sending');
  return (
    <fieldset
      ref={ref}
      tabIndex={error ? -1 : undefined}
      className={styles.picker}
      aria-describedby={error ? `${hint}-error ${hint}` : hint}
    >
      <legend className={styles.label}>{label}</legend>
      {uploads.length > 0 && (
        <ul className={styles.list}>
          {uploads.map((upload, index) => (
            <PickedPhoto
              key={upload.key}
              name={`photo ${index + 1}`}
              upload={upload}
              onRetry={() => void retry(upload)}
              onRemove={() => remove(upload)}
            />
          ))}
        </ul>
      )}
      {uploads.length < max && (
        <div className={styles.sources}>
          <PhotoSource text="Take photo" isCamera onPick={add} />
          <PhotoSource text="Choose photo" onPick={add} />
        </div>
      )}
      <p id={hint} className={styles.hint} role="status">
        {isSending ? 'Sending…' : `${uploads.length} of ${max} photos`}
        {uploads.some(({ state }) => state === 'waiting') && '. You can continue: they are sent as soon as possible.'}
      </p>
      {error && (
        <p id={`${hint}-error`} className={styles.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** A file input as a button. The one with the camera is for phones: elsewhere both would do the same. */
function PhotoSource({
  text,
  isCamera = false,
  onPick,
}: {
  text: string;
  isCamera?: boolean;
  onPick: (files: readonly Blob[]) => Promise<void>;
}) {
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void onPick([...(currentTarget.files ?? [])]);
    // So that the same file can be picked again after it was removed.
    currentTarget.value = '';
  };
  return (
    <label className={`${styles.source} ${isCamera ? styles.camera : ''}`}>
      <Icon name={isCamera ? 'camera' : 'plus'} />
      {text}
      <input
        type="file"
        accept="image/*"
        {...(isCamera ? { capture: 'environment' } : { multiple: true })}
        onChange={pick}
      />
    </label>
  );
}

type PickedPhotoProps = { name: string; upload: PhotoUpload; onRetry: () => void; onRemove: () => void };

function PickedPhoto({ name, upload, onRetry, onRemove }: PickedPhotoProps) {
  const { state, photo, preview, fileId, error } = upload;
  return (
    <li className={styles.photo}>
      {preview ? <img src={preview} alt={name} /> : state === 'sent' && fileId && <Photo id={fileId} alt={name} />}
      {(state === 'preparing' || state === 'sending') && (
        <Loader className={styles.loader ?? ''} aria-label={`Sending ${name}`} />
      )}
      <button type="button" className={styles.remove} aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="cross" />
      </button>
      {state === 'waiting' && <p className={styles.waits}>Waits to be sent</p>}
      {state === 'failed' && (
        <div className={styles.error} role="alert">
          <p>{error}</p>
          {photo && (
            <button type="button" onClick={onRetry}>
              Try again
            </button>
          )}
        </div>
      )}
    </li>
  );
}

const RETRY_INTERVAL_MS = 30_000;

/** The photos of a picker: those with an id are ready. `onChange` gets the ids whenever they change, until it is closed. */
function usePhotoUploads(list: PhotoList) {
  // What comes after an await must not use the props of an earlier render.
  const latest = useRef(list);
  latest.current = list;
  const [photos] = useState(() => createPhotoUploads(latest));
  const uploads = useSyncExternalStore(photos.subscribe, photos.read);
  useEffect(photos.open, [photos]);
  const isWaiting = uploads.some(({ state }) => state === 'waiting');
  useRetries(isWaiting, photos.retryWaiting);
  return { uploads, add: photos.add, retry: photos.retry, remove: photos.remove };
}

/** Tries again when the network is back, and from time to time: a server that is busy or away sends no event. */
function useRetries(isWaiting: boolean, retryAll: () => void): void {
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(retryAll, RETRY_INTERVAL_MS);
    window.addEventListener('online', retryAll);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retryAll);
    };
  }, [isWaiting, retryAll]);
}
