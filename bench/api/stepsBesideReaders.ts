import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type MeasuredCall, type Sample, tokenOf } from './call.ts';
import { type BenchRequest, openConnection, quantile, runLoad } from './load.ts';
import type { ReadersPlan, ReadersResult } from './readers.ts';

/** How many read, and how long each looks at an answer on average. Without a pause they take all that the machine has. */
const CROWDS = [
  { readers: 256, pauseMs: 0 },
  { readers: 1_000, pauseMs: 0 },
  { readers: 256, pauseMs: 2_000 },
];
const SETTLE_S = 1;
const STEPS_PER_PHASE_S = 3;

export type StepRow = {
  readonly name: string;
  readonly readers: number;
  readonly pauseMs: number;
  readonly idleP50Ms: number;
  readonly besideP50Ms: number;
  /** The median beside readers, divided by the median without them, in the same run. */
  readonly ratio: number;
  readonly refused: number;
  readonly readsPerSecond: number;
};

type StepOptions = {
  readonly host: string;
  readonly port: number;
  /** All calls of the benchmark. Its evening gives the reads; steps are taken by one client, one after the other. */
  readonly calls: readonly MeasuredCall[];
  readonly log: (line: string) => void;
};

/** Measures how long a step takes alone, and beside many clients that read, without pause or as people do. */
export async function measureStepsBesideReaders({ host, port, calls, log }: StepOptions): Promise<StepRow[]> {
  const steps = listSteps(calls);
  const requests = listReads(calls);
  const rows: StepRow[] = [];
  for (const { readers, pauseMs } of CROWDS) {
    for (const { name, samples, toBenchRequest } of steps) {
      let index = 0;
      const next = () => {
        const sample = samples[index % samples.length];
        index += 1;
        return sample && toBenchRequest(sample);
      };
      log(`${name}, alone and beside ${readers} readers ${inWords(pauseMs)} ...`);
      const idle = await takeSteps(host, port, next);
      const reading = await startReaders({ host, port, connections: readers, requests, pauseMs });
      const beside = await takeSteps(host, port, next);
      const reads = await reading.stop();
      const [idleP50Ms, besideP50Ms] = [quantile(idle.times, 0.5), quantile(beside.times, 0.5)];
      const refused = reads.refused + idle.unexpected + beside.unexpected;
      rows.push({
        name,
        readers,
        pauseMs,
        idleP50Ms,
        besideP50Ms,
        ratio: besideP50Ms / idleP50Ms,
        refused,
        readsPerSecond: reads.perSecond,
      });
    }
  }
  return rows;
}

function listSteps(calls: readonly MeasuredCall[]) {
  const find = (name: string) => calls.find((call) => call.name === name);
  const [place, session] = [find('place an order'), find('session check')];
  if (!place || !session) return [];
  const placeRequest = (sample: Sample): BenchRequest => ({
    ...place.toRequest(sample),
    token: tokenOf(sample),
    status: place.status,
  });
  const profileRequest = (sample: Sample): BenchRequest => ({
    method: 'POST',
    path: '/profile',
    body: { phone: '+12025550123' },
    token: tokenOf(sample),
    status: 200,
  });
  return [
    { name: place.name, samples: place.samples, toBenchRequest: placeRequest },
    { name: 'change a profile', samples: session.samples, toBenchRequest: profileRequest },
  ];
}

/** The reads of the evening, in their proportions. */
function listReads(calls: readonly MeasuredCall[]): BenchRequest[] {
  const evening = calls.find(({ samples }) => samples.some(({ call }) => call !== undefined));
  return (evening?.samples ?? []).flatMap((sample) => {
    const { call } = sample;
    const isStep = !call || call.singleUse || call.usesCardNetwork;
    return isStep ? [] : [{ ...call.toRequest(sample), token: tokenOf(sample), status: call.status }];
  });
}

async function takeSteps(host: string, port: number, next: () => BenchRequest | undefined) {
  const connection = await openConnection(host, port);
  try {
    await runLoad([connection], { next, seconds: SETTLE_S });
    return await runLoad([connection], { next, seconds: STEPS_PER_PHASE_S });
  } finally {
    connection.close();
  }
}

async function startReaders(plan: ReadersPlan) {
  const worker = new Worker(join(import.meta.dirname, 'readers.ts'), { workerData: plan });
  await once(worker, 'message');
  return {
    stop: async () => {
      const answered = once(worker, 'message');
      worker.postMessage('stop');
      const [result] = await answered;
      return result as ReadersResult;
    },
  };
}

const inWords = (pauseMs: number) => (pauseMs === 0 ? 'without pause' : `who pause for ${pauseMs / 1000} s`);

/** Prints the table as Markdown for the README. */
export function printStepTable(title: string, rows: readonly StepRow[]): void {
  console.log(`\n${title}\n`);
  console.log('| step | readers | alone, p50 ms | beside them, p50 ms | ratio | refused | reads/s |');
  console.log('|---|---|---:|---:|---:|---:|---:|');
  for (const { name, readers, pauseMs, idleP50Ms, besideP50Ms, ratio, refused, readsPerSecond } of rows) {
    const cells = [
      name,
      `${readers} ${inWords(pauseMs)}`,
      idleP50Ms.toFixed(1),
      besideP50Ms.toFixed(1),
      ratio.toFixed(2),
      refused,
      readsPerSecond.toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
