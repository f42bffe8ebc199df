import { runStatements } from './benchDatabase.ts';
import { type MeasuredCall, tokenOf } from './call.ts';
import { type BenchRequest, type KeepAliveConnection, openConnection, quantile, runLoad } from './load.ts';
import { pgbenchPath, runPgbench, writeScript } from './pgbench.ts';
import type { ProductProcess } from './product.ts';

const CONNECTIONS = 10;
const WARM_UP_S = 0.3;
/** A server runs for weeks: what it does in the first seconds, while V8 still compiles what is hot, says little about it. */
const COMPILE_WARM_UP_S = 3;

export type Row = {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of the server's own CPU a request. */
  readonly cpuUs: number;
  readonly bytes: number;
  /** The longest time that the server's event loop was not there. */
  readonly blockedMs: number;
  readonly pgbenchPerSecond?: number;
  /** Of pgbench's rate in the same round: the median of the rounds. */
  readonly ratio?: number;
  readonly reach?: number;
};

export type Round = Omit<Row, 'name' | 'reach'>;

export type MeasureOptions = {
  readonly url: string;
  readonly calls: readonly MeasuredCall[];
  readonly product: ProductProcess;
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds that one hold takes of the machine. */
  readonly secondsPerHold: () => Promise<number>;
  readonly log: (line: string) => void;
};

/** Measures every call in turns, round by round, so that whatever else the machine does falls on all of them alike. */
export async function measureOnServer({
  url,
  calls,
  product,
  rounds,
  seconds,
  secondsPerHold: secondsAHold,
  log: say,
}: MeasureOptions): Promise<Row[]> {
  await writeInputs(url, calls);
  // A run that was cut short has put nothing back.
  for (const call of calls) await resetCall(url, call);
  const scripts = await Promise.all(
    calls.map(
      ({ sql, samples, singleUse: once = false }, call) =>
        sql && writeScript(sql, { call, count: samples.length, once }),
    ),
  );
  const hasLimit = pgbenchPath() !== undefined;
  const found = new Map<string, Round[]>();
  const lines = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(product.host, product.port)),
  );
  try {
    say('warming up ...');
    for (const call of calls.filter(({ singleUse: once = false }) => !once)) {
      await measureCall(call, {
        connections: lines,
        product,
        seconds: COMPILE_WARM_UP_S,
        reset: () => resetCall(url, call),
      });
    }
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1} of ${rounds} ...`);
      for (const [index, call] of calls.entries()) {
        const script = scripts[index];
        const limit = hasLimit && script ? await measurePgbench(url, call, script, seconds) : undefined;
        const own = await measureCall(call, {
          connections: lines,
          product,
          seconds,
          reset: () => resetCall(url, call),
        });
        const aside = call.usesCardNetwork ? await secondsAHold() : 0;
        const rate = 1 / (1 / own.perSecond - aside);
        const measured = limit === undefined ? own : { ...own, pgbenchPerSecond: limit, ratio: rate / limit };
        found.set(call.name, [...(found.get(call.name) ?? []), measured]);
      }
    }
  } finally {
    for (const line of lines) line.close();
  }
  return calls.map(({ name, reach }) => ({ name, ...medianOf(found.get(name) ?? []), ...(reach ? { reach } : {}) }));
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
    // Orders that were placed are taken away again, which the product never does.
    'create index if not exists bench_ledger_of_order on ledger_entries (order_id)',
    // Messages are written by workers after the answer: those who place orders here want none.
    `insert into notification_choices (user_id, kind, mail, push) select distinct i.x, 'placed', false, false
      from bench.inputs b cross join lateral (values (b.caller), (b.b)) i (x) join users u on u.id = i.x
      on conflict (user_id, kind) do update set mail = false, push = false`,
    // Nobody's session is noted as used while it is measured: that happens once a minute and person.
    `update sessions set last_used_at = now() + interval '1 day' where last_used_at < now() + interval '1 hour'`,
  ]);
}

const resetCall = async (url: string, { reset }: MeasuredCall) => {
  if (reset) await runStatements(url, reset);
};

async function measurePgbench(url: string, call: MeasuredCall, script: string, seconds: number): Promise<number> {
  const length = call.singleUse
    ? { times: Math.floor(call.samples.length / CONNECTIONS) }
    : { seconds: Math.ceil(seconds) };
  const { perSecond } = await runPgbench(url, script, length).catch((error: unknown) => {
    throw new Error(`${call.name}: ${error instanceof Error ? error.message : error}`);
  });
  await resetCall(url, call);
  return perSecond;
}

export type MeasureCallOptions = {
  connections: readonly KeepAliveConnection[];
  product: ProductProcess;
  seconds: number;
  reset: () => Promise<void>;
};

export async function measureCall(
  call: MeasuredCall,
  { connections: all, product, seconds, reset }: MeasureCallOptions,
): Promise<Round> {
  const next = createRequestSource(call);
  const lines = call.singleClient ? all.slice(0, 1) : all;
  if (!call.singleUse) await runLoad(lines, { next, seconds: WARM_UP_S });
  await product.startMeasuring();
  const loaded = await runLoad(lines, { next, seconds });
  const spent = await product.stopMeasuring();
  await reset();
  if (loaded.unexpected > 0)
    throw new Error(`${call.name}: ${loaded.unexpected} of ${loaded.count} answers were not what was wanted`);
  return {
    perSecond: loaded.count / loaded.seconds,
    p50Ms: quantile(loaded.times, 0.5),
    p99Ms: quantile(loaded.times, 0.99),
    cpuUs: spent.cpuUs / loaded.count,
    bytes: loaded.bytes / loaded.count,
    blockedMs: spent.blockedMs,
  };
}

function createRequestSource(call: MeasuredCall): () => BenchRequest | undefined {
  const { samples, singleUse: once } = call;
  let at = 0;
  return () => {
    const sample = samples[once ? at : at % samples.length];
    at += 1;
    if (!sample) return undefined;
    const { toRequest: ask, status } = sample.call ?? call;
    return { ...ask(sample), token: tokenOf(sample), status };
  };
}

function medianOf(rounds: readonly Round[]): Round {
  const of = (name: keyof Round) =>
    quantile(
      rounds.map((round) => round[name] ?? Number.NaN),
      0.5,
    );
  const own = {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuUs: of('cpuUs'),
    bytes: of('bytes'),
    blockedMs: Math.max(...rounds.map((round) => round.blockedMs)),
  };
  return rounds[0]?.ratio === undefined
    ? own
    : { ...own, pgbenchPerSecond: of('pgbenchPerSecond'), ratio: of('ratio') };
}
