import { Unreachable } from '../../contract/callClient.ts';
import { MAX_PHOTOS_OF_STEP } from '../../domain/files.ts';
import { api } from '../api/client.ts';
import { limitTime } from '../api/limitTime.ts';
import { sendUnlessPaused } from '../api/retryAfter.ts';
import { createSessionGuard } from '../api/sessionGuard.ts';
import { RefusedHere } from '../ui/errorMessage.ts';
import { heldPhotos } from './heldPhotos.ts';

/** A photo that waits for a network on this device, with the step that takes it. */
export type WaitingPhoto = { readonly id: string; readonly photo: Blob };

const PREFIX = 'waiting:';

/** Whether an id in a list of photos is one of a photo that is not sent yet. */
export const isWaitingId = (id: string): boolean => id.startsWith(PREFIX);
/** The Idempotency-Key of a photo that is not sent yet. */
export const keyOfWaiting = (id: string): string => id.slice(PREFIX.length);

/** Keeps a photo for the step that takes it, no more than a step takes. Returns its id until it is sent. */
export function holdPhoto(key: string, photo: Blob): string {
  const id = PREFIX + key;
  heldPhotos.set(id, photo);
  for (const oldest of [...heldPhotos.keys()].slice(0, -MAX_PHOTOS_OF_STEP)) heldPhotos.delete(oldest);
  return id;
}

export const readHeldPhoto = (id: string): Blob | undefined => heldPhotos.get(id);
export const releasePhoto = (id: string): void => void heldPhotos.delete(id);

/** The photos among these ids that were not sent yet when they were picked. */
export function readHeldPhotos(ids: readonly string[]): WaitingPhoto[] {
  return ids.filter(isWaitingId).map((id) => {
    const photo = heldPhotos.get(id);
    if (!photo) throw new RefusedHere('Please take the photo again.');
    return { id, photo };
  });
}

/** A session guard that says nothing about the photo, like a network that is away: a queued step is not lost by it. */
function createUploadGuard(): () => void {
  const requireSession = createSessionGuard();
  return () => {
    try {
      requireSession();
    } catch (cause) {
      throw new Unreachable(cause);
    }
  };
}

/** Longer than the server waits for a photo. After that it is tried again, and others are sent meanwhile. */
const UPLOAD_LIMIT_MS = 90_000;

const uploads = new Map<string, Promise<string>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * Sends a photo and returns the id of its file. One photo after another, because the server takes one of a person at a time;
 * the same photo once, even if a step asks for it while its form still sends it, and not before the time that the server has
 * named. When its turn comes after the session of now has ended, it is not sent.
 */
export function sendPhoto(key: string, photo: Blob): Promise<string> {
  const running = uploads.get(key);
  if (running) return running;
  const requireSession = createUploadGuard();
  const send = () => {
    requireSession();
    return sendUnlessPaused(`photo ${key}`, () =>
      limitTime(UPLOAD_LIMIT_MS, (options) => api.createFile({ photo, idempotencyKey: key }, options)),
    );
  };
  const sent = last.then(send).then(({ id }) => id);
  last = sent.catch(() => uploads.delete(key));
  uploads.set(key, sent);
  return sent;
}
