import { Refusal, refuse } from '../http/refusals.ts';
import {
  createPhotoThread,
  type PhotoOutcome,
  type PhotoThread,
  SMALL_PHOTO_PIXELS,
  type ThreadOptions,
} from './photoThread.ts';
import type { PhotoJob } from './photoWorker.ts';

export type PhotoSender = {
  readonly owner: string;
  /** Whether they may need the photo for a step now, such as a hand-over: somebody stands at a door. */
  readonly isProof: boolean;
};

export type PhotoQueue = {
  /**
   * Gives a photo to a thread. Refuses a second photo of its owner at the same time, and more than a few waiting ones: a proof
   * then takes the place of the newest that is none.
   */
  run(job: PhotoJob, sender: PhotoSender): Promise<PhotoOutcome>;
  end(): Promise<void>;
};

type Entry = PhotoSender & {
  readonly job: PhotoJob;
  readonly isLarge: boolean;
  readonly settle: PromiseWithResolvers<PhotoOutcome>;
};

const THREADS = 2;
/** In work and waiting. More than these come only in a flood, and each holds up to 6 MB. */
const MAX_HELD = 10;
const RETRY_AFTER_S = 5;

export function createPhotoQueue(options: ThreadOptions): PhotoQueue {
  const threads = Array.from({ length: THREADS }, () => createPhotoThread(options));
  const idle = [...threads];
  const running = new Set<Entry>();
  const waiting: Entry[] = [];
  const start = (thread: PhotoThread, entry: Entry) => {
    running.add(entry);
    const done = thread.run(entry.job).finally(() => {
      running.delete(entry);
      idle.push(thread);
      startNext();
    });
    done.then(entry.settle.resolve, entry.settle.reject);
  };
  const startNext = () => {
    for (const thread of [...idle]) {
      const next = takeNext(waiting, running);
      if (!next) return;
      idle.splice(idle.indexOf(thread), 1);
      start(thread, next);
    }
  };
  return {
    run(job, sender) {
      const held = [...running, ...waiting];
      if (held.some(({ owner }) => owner === sender.owner)) refuse('photoUnderWay', { retryAfter: RETRY_AFTER_S });
      if (held.length >= MAX_HELD) makeRoom(waiting, sender);
      const isLarge = job.width * job.height > SMALL_PHOTO_PIXELS;
      const entry: Entry = { ...sender, job, isLarge, settle: Promise.withResolvers() };
      waiting.push(entry);
      startNext();
      return entry.settle.promise;
    },
    async end() {
      for (const { settle } of waiting.splice(0)) settle.reject(new Refusal('notReady'));
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/**
 * The entry to start now: proofs first, each in the order in which they came. One thread is always left to proofs, and one
 * large photo is decoded at a time, because two would take the memory of a small server.
 */
function takeNext(waiting: Entry[], running: ReadonlySet<Entry>): Entry | undefined {
  const runs = (what: (entry: Entry) => boolean) => [...running].some(what);
  const mayStart = (entry: Entry) =>
    (entry.isProof || !runs(({ isProof }) => !isProof)) && !(entry.isLarge && runs(({ isLarge }) => isLarge));
  const next = waiting.find((entry) => entry.isProof && mayStart(entry)) ?? waiting.find(mayStart);
  if (next) waiting.splice(waiting.indexOf(next), 1);
  return next;
}

function makeRoom(waiting: Entry[], { isProof }: PhotoSender): void {
  const last = isProof ? waiting.findLast((entry) => !entry.isProof) : undefined;
  if (!last) refuse('notReady', { retryAfter: RETRY_AFTER_S });
  waiting.splice(waiting.indexOf(last), 1);
  last.settle.reject(new Refusal('notReady', { retryAfter: RETRY_AFTER_S }));
}
