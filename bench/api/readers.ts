import { parentPort, workerData } from 'node:worker_threads';
import { type BenchRequest, openConnection, runLoad } from './load.ts';

export type ReadersPlan = {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly BenchRequest[];
  /** How long each of them looks at an answer on average. */
  readonly pauseMs: number;
};
export type ReadersResult = { readonly count: number; readonly perSecond: number; readonly refused: number };

// A thread of its own: the process that measures the steps would be late itself while it reads thousands of answers.
const { host, port, connections: count, requests, pauseMs } = workerData as ReadersPlan;
const connections = await Promise.all(Array.from({ length: count }, () => openConnection(host, port)));
let isStopped = false;
let sent = 0;
parentPort?.once('message', () => {
  isStopped = true;
});
parentPort?.postMessage('reading');
const next = () => {
  sent += 1;
  return isStopped ? undefined : requests[sent % requests.length];
};
const load = await runLoad(connections, { next, seconds: Number.POSITIVE_INFINITY, pauseMs });
for (const connection of connections) connection.close();
const result: ReadersResult = {
  count: load.count,
  perSecond: load.count / load.seconds,
  refused: load.unexpected,
};
parentPort?.postMessage(result);
