import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { PhotoAnswer, PhotoJob } from './photoWorker.ts';

/** How a photo ended, and how long the thread was busy with it. */
export type PhotoOutcome = { readonly answer: PhotoAnswer | 'died' | 'tookTooLong'; readonly ms: number };

export type PhotoThread = {
  run(job: PhotoJob): Promise<PhotoOutcome>;
  end(): Promise<void>;
};

export type ThreadOptions = {
  readonly script?: URL;
  /** Calls `onOver` when a photo has taken too long. Returns how to stop waiting for that. */
  readonly startLimit?: (onOver: () => void) => () => void;
};

/** What the app sends. A photo with more pixels leaves the thread with a large memory. */
export const SMALL_PHOTO_PIXELS = 1_600 * 1_600;
/** The largest photo takes two seconds. What takes longer was made to take long. */
const LIMIT_MS = 10_000;
const IDLE_MS = 10_000;

function startTimeLimit(onOver: () => void): () => void {
  const timer = setTimeout(onOver, LIMIT_MS);
  return () => clearTimeout(timer);
}

/**
 * A thread that starts with the first job. It ends when it was idle for a while, and after a large photo: only its end gives
 * back the memory of WebAssembly. A codec that broke or took too long is not used again either.
 */
export function createPhotoThread({ script, startLimit = startTimeLimit }: ThreadOptions = {}): PhotoThread {
  let worker: Promise<Worker> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(idleTimer);
    const ending = worker;
    worker = undefined;
    await (await ending)?.terminate();
  };
  return {
    end,
    async run(job) {
      clearTimeout(idleTimer);
      worker ??= startWorker(script);
      const ready = await worker;
      const startedAt = performance.now();
      const answer = await runJob(ready, job, startLimit);
      const outcome = { answer, ms: performance.now() - startedAt };
      if (typeof answer === 'string' || job.width * job.height > SMALL_PHOTO_PIXELS) await end();
      else idleTimer = setTimeout(end, IDLE_MS).unref();
      return outcome;
    },
  };
}

/** A worker that has loaded its modules, so that a slow start does not count as a slow photo. */
function startWorker(script = new URL('./photoWorker.ts', import.meta.url)): Promise<Worker> {
  const worker = new Worker(script);
  // It exits after an error, which is what a job waits for.
  worker.on('error', () => undefined);
  return new Promise((resolve) => {
    const done = () => {
      worker.off('message', done).off('exit', done);
      resolve(worker);
    };
    worker.once('message', done).once('exit', done);
  });
}

function runJob(
  worker: Worker,
  job: PhotoJob,
  startLimit: (onOver: () => void) => () => void,
): Promise<PhotoOutcome['answer']> {
  return new Promise((resolve) => {
    const finish = (answer: PhotoOutcome['answer']) => {
      stopLimit();
      worker.off('message', finish).off('exit', die);
      resolve(answer);
    };
    const die = () => finish('died');
    const stopLimit = startLimit(() => finish('tookTooLong'));
    worker.once('message', finish).once('exit', die);
    // A thread that ended before it has no id: it will not answer.
    if (worker.threadId < 0) die();
    else worker.postMessage(job);
  });
}
