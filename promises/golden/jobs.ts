import type { Job, StartWorker } from '../../server/jobs/worker.ts';

/** Jobs that only tidy up, or that compare with what others say at the wall clock's time. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['password resets', 'reconciliation', 'old positions', 'old events', 'abandoned documents', 'old files'],
  'retention',
]);
const ORDER = ['timers', 'payments'];
const rankOf = ({ name }: Job) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The background jobs of a server that run only when they are told, one after another. */
export type Jobs = {
  readonly start: StartWorker;
  /** Runs the jobs that were woken until none has work, and payments, which look for work all the time. */
  readonly runWoken: () => Promise<void>;
  /** Runs all jobs, as after their interval. */
  readonly runAll: () => Promise<void>;
  /** Whether a message was sent since the last time. */
  readonly takeHasSent: () => boolean;
};

export function createJobs(): Jobs {
  const jobs: { readonly job: Job; isWoken: boolean }[] = [];
  let hasSent = false;
  const runWoken = async () => {
    for (;;) {
      const next = jobs.find(({ isWoken }) => isWoken);
      if (!next) return;
      next.isWoken = false;
      const { runOnce, settle = async () => {}, isPaused = () => false } = next.job;
      while (!isPaused() && (await runOnce())) {
        await settle();
        hasSent ||= next.job.settle !== undefined;
      }
    }
  };
  return {
    start: (job) => {
      const started = { job, isWoken: false };
      if (!LEFT_OUT.has(job.name)) jobs.push(started);
      jobs.sort((one, other) => rankOf(one.job) - rankOf(other.job));
      return {
        wake: () => {
          started.isWoken = true;
        },
        stop: async () => job.settle?.(),
      };
    },
    takeHasSent: () => {
      const had = hasSent;
      hasSent = false;
      return had;
    },
    runWoken: async () => {
      for (const started of jobs) if (started.job.name === 'payments') started.isWoken = true;
      await runWoken();
    },
    runAll: async () => {
      for (const started of jobs) started.isWoken = true;
      await runWoken();
    },
  };
}
