import { runStatements } from './benchDatabase.ts';
import { type MeasuredCall, tokenOf } from './call.ts';
import { type BenchRequest, type KeepAliveConnection, median, openConnection, quantile, runLoad } from './load.ts';
import { pgbenchPath, runPgbench, writeScript } from './pgbench.ts';
import type { MeasuredProcess, ProductProcess } from './product.ts';
import { createReference, measureReference } from './reference.ts';

export const CONNECTIONS = 10;
const WARM_UP_S = 0.3;
/** Long enough for V8 to compile the hot code, because a server runs for weeks. */
export const COMPILE_WARM_UP_S = 3;

export type Row = {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of CPU time that the server uses per request, without PostgreSQL's. */
  readonly cpuUs: number;
  readonly bytes: number;
  /** The longest time that the server's event loop was blocked. */
  readonly blockedMs: number;
  /** The memory of the server's process (RSS, in millions of bytes): at most since its start. */
  readonly peakMb: number;
  readonly pgbenchPerSecond?: number;
  /** The share of pgbench's rate with the same statements in the same round: the median of all rounds. */
  readonly ratio?: number;
  /** The share of the reference's rate in the same round: the median of all rounds. */
  readonly toReference?: number;
  /** The least and the most that `toReference` was in a round. */
  readonly spread?: readonly [least: number, most: number];
  readonly reach?: number;
  /** Only of another program: our rate divided by its rate in the same round, the median of all rounds. */
  readonly times?: number;
  /** Only of another program: its CPU time per request divided by ours in the same round, the median of all rounds. */
  readonly cpuTimes?: number;
};

export type Round = Omit<Row, 'name' | 'reach' | 'spread' | 'times' | 'cpuTimes'>;

export type MeasureOptions = {
  readonly url: string;
  readonly calls: readonly MeasuredCall[];
  readonly product: ProductProcess;
  readonly rounds: number;
  readonly seconds: number;
  /** How often each call is warmed up before the first round. */
  readonly warmUps: number;
  /** Measures how many seconds of this machine one card hold takes. */
  readonly secondsPerHold: () => Promise<number>;
  readonly log: (line: string) => void;
};

/** Measures every call once per round, so that other load on the machine affects all of them equally. */
export async function measureOnServer({
  url,
  calls,
  product,
  rounds,
  seconds,
  warmUps,
  secondsPerHold,
  log,
}: MeasureOptions): Promise<Row[]> {
  await writeInputs(url, calls);
  await createReference(url);
  // An interrupted run has not undone its changes.
  for (const call of calls) await resetCall(url, call);
  const scripts = await Promise.all(
    calls.map(
      ({ sql, samples, singleUse = false }, call) =>
        sql && writeScript(sql, { call, count: samples.length, once: singleUse }),
    ),
  );
  const hasPgbench = pgbenchPath() !== undefined;
  const results = new Map<string, Round[]>();
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(product.host, product.port)),
  );
  try {
    for (let time = 0; time < warmUps; time += 1) {
      log(warmUps > 1 ? `warming up, ${time + 1} of ${warmUps} ...` : 'warming up ...');
      await warmUp(calls, { url, connections, product });
    }
    for (let round = 0; round < rounds; round += 1) {
      log(`round ${round + 1} of ${rounds} ...`);
      const reference = hasPgbench ? await measureReference(url, seconds) : undefined;
      for (const [index, call] of calls.entries()) {
        const script = scripts[index];
        const limit = hasPgbench && script ? await measurePgbench(url, call, script, seconds) : undefined;
        const result = await measureCall(call, { connections, product, seconds, reset: () => resetCall(url, call) });
        const cardSeconds = call.usesCardNetwork ? await secondsPerHold() : 0;
        const rate = 1 / (1 / result.perSecond - cardSeconds);
        const measured = {
          ...result,
          ...(limit === undefined ? {} : { pgbenchPerSecond: limit, ratio: rate / limit }),
          ...(reference === undefined ? {} : { toReference: rate / reference }),
        };
        results.set(call.name, [...(results.get(call.name) ?? []), measured]);
      }
    }
  } finally {
    for (const connection of connections) connection.close();
  }
  return calls.map(({ name, reach }) => ({ name, ...medianOf(results.get(name) ?? []), ...(reach ? { reach } : {}) }));
}

async function warmUp(
  calls: readonly MeasuredCall[],
  { url, ...options }: Pick<MeasureOptions, 'url'> & Pick<MeasureCallOptions, 'connections' | 'product'>,
): Promise<void> {
  for (const call of calls.filter(({ singleUse = false }) => !singleUse)) {
    const reset = () => resetCall(url, call);
    await measureCall(call, { ...options, seconds: COMPILE_WARM_UP_S, reset });
  }
}

async function writeInputs(url: string, calls: readonly MeasuredCall[]): Promise<void> {
  const inserts = calls.map(({ samples }, call) => {
    const list = samples.map(({ caller, a, b }, i) => `(${call}, ${i}, '${caller}', '${a}', '${b}')`);
    return `insert into bench.inputs (call, i, caller, a, b) values ${list.join(', ')}`;
  });
  await runStatements(url, [
    'drop table if exists bench.inputs',
    'create table bench.inputs (call int, i int, caller uuid, a uuid, b uuid, primary key (call, i))',
    ...inserts,
    'vacuum analyze bench.inputs',
    // For deleting the placed orders, which the product never does.
    'create index if not exists bench_ledger_of_order on ledger_entries (order_id)',
    // Workers write notifications after the response. The measured people get none, so that this does not add load.
    `insert into notification_choices (user_id, kind, mail, push) select distinct i.x, 'placed', false, false
      from bench.inputs b cross join lateral (values (b.caller), (b.b)) i (x) join users u on u.id = i.x
      on conflict (user_id, kind) do update set mail = false, push = false`,
    // The product updates last_used_at once a minute per person. A future time prevents that during a measurement.
    `update sessions set last_used_at = now() + interval '1 day' where last_used_at < now() + interval '1 hour'`,
  ]);
}

const resetCall = async (url: string, { reset }: MeasuredCall) => {
  if (reset) await runStatements(url, reset);
};

async function measurePgbench(url: string, call: MeasuredCall, script: string, seconds: number): Promise<number> {
  const duration = call.singleUse
    ? { times: Math.floor(call.samples.length / CONNECTIONS) }
    : { seconds: Math.ceil(seconds) };
  const { perSecond } = await runPgbench(url, script, duration).catch((error: unknown) => {
    throw new Error(`${call.name}: ${error instanceof Error ? error.message : error}`);
  });
  await resetCall(url, call);
  return perSecond;
}

export type MeasureCallOptions = {
  connections: readonly KeepAliveConnection[];
  product: MeasuredProcess;
  seconds: number;
  reset: () => Promise<void>;
};

export async function measureCall(
  call: MeasuredCall,
  { connections: allConnections, product, seconds, reset }: MeasureCallOptions,
): Promise<Round> {
  const next = createRequestSource(call);
  const connections = call.singleClient ? allConnections.slice(0, 1) : allConnections;
  if (!call.singleUse) await runLoad(connections, { next, seconds: WARM_UP_S });
  await product.startMeasuring();
  const load = await runLoad(connections, { next, seconds });
  const usage = await product.stopMeasuring();
  await reset();
  if (load.unexpected > 0)
    throw new Error(
      `${call.name}: ${load.unexpected} of ${load.count} responses had the unexpected status ${[...load.unexpectedStatuses]}`,
    );
  return {
    perSecond: load.count / load.seconds,
    p50Ms: quantile(load.times, 0.5),
    p99Ms: quantile(load.times, 0.99),
    cpuUs: usage.cpuUs / load.count,
    bytes: load.bytes / load.count,
    blockedMs: usage.blockedMs,
    peakMb: usage.peakRssMb,
  };
}

function createRequestSource(call: MeasuredCall): () => BenchRequest | undefined {
  const { samples, singleUse } = call;
  let index = 0;
  return () => {
    const sample = samples[singleUse ? index : index % samples.length];
    index += 1;
    if (!sample) return undefined;
    const { toRequest, status } = sample.call ?? call;
    return { ...toRequest(sample), token: tokenOf(sample), status };
  };
}

export function medianOf(rounds: readonly Round[]): Omit<Row, 'name'> {
  const valuesOf = (name: keyof Round) => rounds.flatMap((round) => round[name] ?? []);
  const middle = (name: keyof Round) => median(valuesOf(name));
  const shares = valuesOf('toReference');
  return {
    perSecond: middle('perSecond'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    cpuUs: middle('cpuUs'),
    bytes: middle('bytes'),
    blockedMs: Math.max(...valuesOf('blockedMs')),
    peakMb: Math.max(...valuesOf('peakMb')),
    ...(rounds[0]?.ratio === undefined ? {} : { pgbenchPerSecond: middle('pgbenchPerSecond'), ratio: middle('ratio') }),
    ...(shares.length === 0
      ? {}
      : { toReference: median(shares), spread: [Math.min(...shares), Math.max(...shares)] as const }),
  };
}
