import { Worker } from 'node:worker_threads';
import { HOUR_MS } from '../../domain/durations.ts';
import { PHOTO_MAX_PIXELS } from '../../domain/files.ts';
import { ipNetworkOf } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { readPhotoFormat } from './photoFormat.ts';
import type { PhotoJob, PhotoResult, ReencodedPhoto } from './photoWorker.ts';
import { createTimeBudget } from './timeBudget.ts';

/** Who sends a photo: an account, and the address that it sends from. */
export type Sender = { readonly owner: string; readonly from: string };

export type PhotoReencoder = {
  /**
   * Writes a photo again, as a JPEG of pixels and nothing else: no EXIF, no place, no preview, nothing behind its end. Refuses
   * what is no photo, a second photo of its owner at the same time, and people whose photos have taken too much time.
   */
  reencode(bytes: Uint8Array, sender: Sender): Promise<ReencodedPhoto>;
  close(): Promise<void>;
};

const THREADS = 2;
/** More than these are there only in a flood, and each holds up to 6 MB. */
const MAX_PHOTOS = 12;
/** The accounts of one network leave room for other people. */
const MAX_PHOTOS_OF_NETWORK = 8;
const RETRY_AFTER_S = 5;
/** The largest photo takes two seconds. What takes longer was made to take long. */
const LIMIT_MS = 20_000;
/** Decoding leaves the thread with a large memory, which only its end gives back. */
const IDLE_MS = 10_000;
/** Thirty of the largest photos in an hour. */
const PERSON_MS_PER_HOUR = 60_000;
const NETWORK_MS_PER_HOUR = 240_000;

type Waiting = { readonly owner: string; readonly network: string; readonly start: (thread: Thread) => void };

type Options = {
  readonly limitMs?: number;
  readonly idleMs?: number;
  readonly clock?: () => number;
  readonly threadCount?: number;
  /** What the limits of a network are multiplied with. */
  readonly networkScale?: number;
};

export function createPhotoReencoder({
  limitMs = LIMIT_MS,
  idleMs = IDLE_MS,
  clock = () => performance.now(),
  networkScale = 1,
  threadCount = THREADS,
}: Options = {}): PhotoReencoder {
  const threads = Array.from({ length: threadCount }, () => createThread({ limitMs, idleMs }));
  const free = [...threads];
  const waiting: Waiting[] = [];
  /** Everybody whose photo waits or is written, with their network. */
  const senders = new Map<string, string>();
  const persons = createTimeBudget({ periodMs: HOUR_MS, mostMs: PERSON_MS_PER_HOUR, clock });
  const networks = createTimeBudget({ periodMs: HOUR_MS, mostMs: NETWORK_MS_PER_HOUR * networkScale, clock });

  /** People whose photos have taken the least time go first: a flood waits for everybody else. */
  function takeNext(): Waiting | undefined {
    const costOf = ({ owner, network }: Waiting) => Math.max(persons.spent(owner), networks.spent(network));
    const [next] = waiting.toSorted((a, b) => costOf(a) - costOf(b));
    if (next) waiting.splice(waiting.indexOf(next), 1);
    return next;
  }

  function startNext(): void {
    while (free.length > 0) {
      const next = takeNext();
      const thread = next && free.pop();
      if (!thread) return;
      next.start(thread);
    }
  }

  function refuseTooMuch({ owner, network }: { owner: string; network: string }): void {
    const waitMs = Math.max(persons.waitMs(owner), networks.waitMs(network));
    if (waitMs > 0) refuse('tooManyPhotos', { retryAfter: Math.ceil(waitMs / 1000) });
    if (senders.has(owner)) refuse('tooManyPhotos', { retryAfter: RETRY_AFTER_S });
    const ofNetwork = [...senders.values()].filter((other) => other === network).length;
    const isFull = senders.size >= MAX_PHOTOS || ofNetwork >= MAX_PHOTOS_OF_NETWORK * networkScale;
    if (isFull) refuse('notReady', { retryAfter: RETRY_AFTER_S });
  }

  return {
    async reencode(bytes, { owner, from }) {
      const format = readPhotoFormat(bytes);
      if (!format || format.width === 0 || format.height === 0) refuse('notAPhoto');
      if (format.width * format.height > PHOTO_MAX_PIXELS) refuse('tooManyPixels');
      const network = ipNetworkOf(from);
      refuseTooMuch({ owner, network });
      senders.set(owner, network);
      const { thread, startedAt } = await new Promise<{ thread: Thread; startedAt: number }>((resolve) => {
        waiting.push({ owner, network, start: (thread) => resolve({ thread, startedAt: clock() }) });
        startNext();
      });
      const result = await thread.run({ bytes, type: format.type }).finally(() => {
        const ms = clock() - startedAt;
        persons.spend(owner, ms);
        networks.spend(network, ms);
        senders.delete(owner);
        free.push(thread);
        startNext();
      });
      return result ?? refuse('notAPhoto');
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

type Thread = ReturnType<typeof createThread>;

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
