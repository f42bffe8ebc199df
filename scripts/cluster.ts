import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../server/config/config.ts';

const RESTART_DELAY_MS = 1_000;

type ClusterOptions = Pick<Config, 'workers' | 'metrics' | 'port'> & { readonly log: (line: string) => void };

/**
 * Starts processes of the server that share its port, one after another, so that the first one makes the tables. A process that ends
 * later is replaced. A signal is passed on to all of them; this process exits after the last one. Each has metrics of its own, at
 * ports that follow each other.
 */
export async function startCluster({ workers, metrics, port, log }: ClusterOptions): Promise<void> {
  const running = new Map<Worker, number>();
  let isUp = false;
  let stoppedBy: NodeJS.Signals | undefined;
  let exitCode = 0;
  const start = (place: number) => {
    const metricsPort = metrics?.port ? { METRICS_PORT: String(metrics.port + place) } : {};
    const worker = cluster.fork({ PORT: String(port), ...metricsPort });
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
  for (let place = 0; place < workers && !stoppedBy; place += 1) await listensAt(port, start(place));
  isUp = true;
}

const listensAt = (port: number, worker: Worker) =>
  new Promise<void>((resolve) => {
    worker.on('listening', (address) => {
      if (address.port === port) resolve();
    });
  });
