import { Worker } from 'node:worker_threads';
import { PHOTO_MAX_PIXELS } from '../../domain/files.ts';
import { refuse } from '../http/refusals.ts';
import { readPhotoFormat } from './photoFormat.ts';
import type { PhotoJob, PhotoResult, ReencodedPhoto } from './photoWorker.ts';

export type PhotoReencoder = {
  /**
   * Writes a photo again, as a JPEG of pixels and nothing else: no EXIF, no place, no preview, nothing behind its end. Refuses
   * what is no photo, and a second photo of its owner at the same time: one person cannot fill the queue.
   */
  reencode(bytes: Uint8Array, owner: string): Promise<ReencodedPhoto>;
  close(): Promise<void>;
};

/** One photo at a time. More than these wait only in a flood, and each holds up to 6 MB. */
const MAX_WAITING = 10;
const RETRY_AFTER_S = 5;
/** The largest photo takes two seconds. What takes longer was made to take long. */
const LIMIT_MS = 60_000;
/** Decoding leaves the thread with a large memory, which only its end gives back. */
const IDLE_MS = 10_000;

export function createPhotoReencoder({ limitMs = LIMIT_MS, idleMs = IDLE_MS } = {}): PhotoReencoder {
  const thread = createThread({ limitMs, idleMs });
  const waiting = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    async reencode(bytes, owner) {
      const format = readPhotoFormat(bytes);
      if (!format || format.width === 0 || format.height === 0) refuse('notAPhoto');
      if (format.width * format.height > PHOTO_MAX_PIXELS) refuse('tooManyPixels');
      if (waiting.has(owner)) refuse('tooManyPhotos', { retryAfter: RETRY_AFTER_S });
      if (waiting.size >= MAX_WAITING) refuse('notReady', { retryAfter: RETRY_AFTER_S });
      waiting.add(owner);
      const turn = last.then(() => thread.run({ bytes, type: format.type }));
      last = turn.catch(() => undefined);
      const result = await turn.finally(() => {
        waiting.delete(owner);
      });
      return result ?? refuse('notAPhoto');
    },
    close: () => thread.end(),
  };
}

/** A thread that starts with the first job, and ends when it was idle for a while. */
function createThread({ limitMs, idleMs }: { limitMs: number; idleMs: number }) {
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(idleTimer);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  return {
    end,
    async run(job: PhotoJob): Promise<PhotoResult> {
      clearTimeout(idleTimer);
      worker ??= startThread();
      const result = await runJob(worker, job, limitMs);
      // A codec that crashed or took too long is not used again.
      if (!result) await end();
      idleTimer = setTimeout(end, idleMs);
      idleTimer.unref();
      return result;
    },
  };
}

function startThread(): Worker {
  const worker = new Worker(new URL('./photoWorker.ts', import.meta.url));
  // It exits after an error, which is what the job waits for.
  worker.on('error', () => undefined);
  return worker;
}

/** Undefined when the photo cannot be decoded, or the thread ended before it was. */
function runJob(worker: Worker, job: PhotoJob, limitMs: number): Promise<PhotoResult> {
  return new Promise((resolve) => {
    const fail = () => finish(undefined);
    const finish = (result: PhotoResult) => {
      clearTimeout(timer);
      worker.off('message', finish).off('exit', fail);
      resolve(result);
    };
    const timer = setTimeout(fail, limitMs);
    worker.once('message', finish).once('exit', fail).postMessage(job);
  });
}
