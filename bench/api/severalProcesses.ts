import { readChildrenCpuUs } from '../live/processCpu.ts';
import { type MeasuredCall, tokenOf } from './call.ts';
import { median, openConnection, runLoad } from './load.ts';
import { type ProductProcess, startProduct } from './product.ts';

const CALLS = ['session check', 'order detail', 'list of orders'];
const PROCESSES = 2;
/** For each process. The first process of a cluster gives new connections to each in turn. */
const CONNECTIONS = 10;
const WARM_UP_S = 3;
const SETTLE_S = 0.5;

export type ProcessesRow = {
  readonly name: string;
  /** Requests a second of one process, and of several. On a machine without free cores they are the same. */
  readonly one: number;
  readonly several: number;
  /** CPU time of a request, the least of the rounds: other load on the machine only adds to it. */
  readonly oneUs: number;
  readonly severalUs: number;
  /** How much the busiest process does, as a multiple of the mean. */
  readonly busiest: number;
  /** The rate of several processes on as many free cores, divided by their number and the rate of one process. */
  readonly share: number;
};

type Options = {
  readonly env: Readonly<Record<string, string>>;
  readonly calls: readonly MeasuredCall[];
  readonly rounds: number;
  readonly seconds: number;
};

type Sample = { readonly perSecond: number; readonly cpuUs: number; readonly busiest: number };

/** Compares several processes of one server with one process, in turns, by their CPU time. */
export async function measureSeveralProcesses({ env, calls, rounds, seconds }: Options): Promise<ProcessesRow[]> {
  const products = [await startProduct(env), await startProduct({ ...env, WORKERS: String(PROCESSES) })] as const;
  try {
    const rows: ProcessesRow[] = [];
    for (const call of calls.filter(({ name }) => CALLS.includes(name))) {
      const measureOne = (duration: number) => measure(products[0], call, { seconds: duration, processes: 1 });
      const measureAll = (duration: number) => measure(products[1], call, { seconds: duration, processes: PROCESSES });
      await measureOne(WARM_UP_S);
      await measureAll(WARM_UP_S * PROCESSES);
      const taken: [Sample, Sample][] = [];
      for (let round = 0; round < rounds; round += 1)
        taken.push([await measureOne(seconds), await measureAll(seconds)]);
      rows.push(summarize(call.name, taken));
    }
    return rows;
  } finally {
    for (const product of products) await product.stop();
  }
}

type Load = { readonly seconds: number; readonly processes: number };

async function measure(
  { host, port, pid }: ProductProcess,
  call: MeasuredCall,
  { seconds, processes }: Load,
): Promise<Sample> {
  let index = 0;
  const next = () => {
    const sample = call.samples[index % call.samples.length];
    index += 1;
    return sample && { ...call.toRequest(sample), token: tokenOf(sample), status: call.status };
  };
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS * processes }, () => openConnection(host, port)),
  );
  try {
    await runLoad(connections, { next, seconds: SETTLE_S });
    const before = readChildrenCpuUs(pid);
    const { count, seconds: taken, unexpected } = await runLoad(connections, { next, seconds });
    const after = readChildrenCpuUs(pid);
    if (unexpected > 0) throw new Error(`${call.name}: ${unexpected} unexpected answers`);
    const used = [...after].map(([process, us]) => us - (before.get(process) ?? us));
    // One process answers by itself. The first process of a cluster does next to nothing.
    const answering = used.length > 1 ? used.slice(1) : used;
    const total = used.reduce((sum, us) => sum + us, 0);
    const busiest = Math.max(...answering) / (answering.reduce((sum, us) => sum + us, 0) / answering.length);
    return { perSecond: count / taken, cpuUs: total / count, busiest };
  } finally {
    for (const connection of connections) connection.close();
  }
}

function summarize(name: string, taken: readonly [Sample, Sample][]): ProcessesRow {
  const middle = (read: (samples: [Sample, Sample]) => number) => median(taken.map(read));
  const oneUs = Math.min(...taken.map(([one]) => one.cpuUs));
  const severalUs = Math.min(...taken.map(([, several]) => several.cpuUs));
  const busiest = middle(([, several]) => several.busiest);
  return {
    name,
    ...{ oneUs, severalUs, busiest, share: oneUs / severalUs / busiest },
    one: middle(([one]) => one.perSecond),
    several: middle(([, several]) => several.perSecond),
  };
}

export function printProcessesTable(title: string, rows: readonly ProcessesRow[]): void {
  console.log(`\n${title}\n\n| call | requests/s | CPU µs | busiest | share |\n|---|---|---|---:|---:|`);
  for (const { name, one, several, oneUs, severalUs, busiest, share } of rows)
    console.log(
      `| ${name} | ${one.toFixed(0)}, ${several.toFixed(0)} | ${oneUs.toFixed(0)}, ${severalUs.toFixed(0)} | ${busiest.toFixed(2)} | ${share.toFixed(2)} |`,
    );
}
