import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

const RESTART_DELAY_MS = 1_000;

type ClusterOptions = {
  readonly workers: number;
  /** The variables that the processes get besides those of this one. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
};

/**
 * Starts processes of the server that share its port, one after another, so that the first one makes the tables. A process that ends
 * later is replaced. A signal is passed on to all of them; this process exits after the last one.
 */
export async function startCluster({ workers, env, log }: ClusterOptions): Promise<void> {
  const running = new Set<Worker>();
  let isUp = false;
  let stoppedBy: NodeJS.Signals | undefined;
  let exitCode = 0;
  const start = () => {
    const worker = cluster.fork(env);
    running.add(worker);
    return worker;
  };
  cluster.on('exit', (worker: Worker, code: number | null, signal: string | null) => {
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
    setTimeout(() => !stoppedBy && start(), RESTART_DELAY_MS);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stoppedBy = signal;
      for (const worker of running) worker.process.kill(signal);
      if (running.size === 0) process.exit(0);
    });
  for (let count = 0; count < workers && !stoppedBy; count += 1) await once(start(), 'listening');
  isUp = true;
}
