import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

const RESTART_DELAY_MS = 1_000;

type ClusterOptions = {
  readonly workers: number;
  /** The variables that a process gets besides those of this one: the first has place 0, and one that is replaced keeps its place. */
  readonly envOf: (place: number) => Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
};

/**
 * Starts processes of the server that share its port, one after another, so that the first one makes the tables. A process that ends
 * later is replaced. A signal is passed on to all of them; this process exits after the last one.
 */
export async function startCluster({ workers, envOf, log }: ClusterOptions): Promise<void> {
  const running = new Map<Worker, number>();
  let isUp = false;
  let stoppedBy: NodeJS.Signals | undefined;
  let exitCode = 0;
  const start = (place: number) => {
    const worker = cluster.fork(envOf(place));
    running.set(worker, place);
    return worker;
  };
  cluster.on('exit', (worker: Worker, code: number | null, signal: string | null) => {
    const place = running.get(worker) ?? 0;
    running.delete(worker);
    // A process that could not start has said why. The others end with this process.
    if (!isUp && !stoppedBy) process.exit(code || 1);
    if (stoppedBy) {
      // A process that has just begun to start does not handle signals yet.
      exitCode = Math.max(exitCode, code ?? (signal === stoppedBy ? 0 : 1));
      if (running.size === 0) process.exit(exitCode);
      return;
    }
    log(`process ${worker.process.pid} has ended (${signal ?? code}); another one takes its place`);
    setTimeout(() => !stoppedBy && start(place), RESTART_DELAY_MS);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stoppedBy = signal;
      for (const worker of running.keys()) worker.process.kill(signal);
      if (running.size === 0) process.exit(0);
    });
  for (let place = 0; place < workers && !stoppedBy; place += 1) await once(start(place), 'listening');
  isUp = true;
}
