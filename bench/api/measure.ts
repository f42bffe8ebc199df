import { type Measured, tokenOf } from './call.ts';
import { type Line, load, openLine, quantile, type Wanted } from './load.ts';
import { pgbenchPath, runPgbench, writeScript } from './pgbench.ts';
import type { Product } from './product.ts';
import { run } from './world.ts';

const LINES = 10;
const WARM_S = 0.3;
/** A server runs for weeks: what it does in the first seconds, while V8 still compiles what is hot, says little about it. */
const COMPILED_AFTER_S = 3;

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

export type Given = {
  readonly url: string;
  readonly calls: readonly Measured[];
  readonly product: Product;
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds that one hold takes of the machine. */
  readonly secondsAHold: () => Promise<number>;
  readonly say: (line: string) => void;
};

/** Measures every call in turns, round by round, so that whatever else the machine does falls on all of them alike. */
export async function measureOnServer({
  url,
  calls,
  product,
  rounds,
  seconds,
  secondsAHold,
  say,
}: Given): Promise<Row[]> {
  await writeInputs(url, calls);
  // A run that was cut short has put nothing back.
  for (const call of calls) await reset(url, call);
  const scripts = await Promise.all(
    calls.map(({ sql, samples, once = false }, call) => sql && writeScript(sql, { call, count: samples.length, once })),
  );
  const hasLimit = pgbenchPath() !== undefined;
  const found = new Map<string, Round[]>();
  const lines = await Promise.all(Array.from({ length: LINES }, () => openLine(product.host, product.port)));
  try {
    say('warming up ...');
    for (const call of calls.filter(({ once = false }) => !once)) {
      await measureCall(call, { lines, product, seconds: COMPILED_AFTER_S, reset: () => reset(url, call) });
    }
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1} of ${rounds} ...`);
      for (const [index, call] of calls.entries()) {
        const script = scripts[index];
        const limit = hasLimit && script ? await measureLimit(url, call, script, seconds) : undefined;
        const own = await measureCall(call, { lines, product, seconds, reset: () => reset(url, call) });
        const aside = call.asksForCard ? await secondsAHold() : 0;
        const rate = 1 / (1 / own.perSecond - aside);
        const measured = limit === undefined ? own : { ...own, pgbenchPerSecond: limit, ratio: rate / limit };
        found.set(call.name, [...(found.get(call.name) ?? []), measured]);
      }
    }
  } finally {
    for (const line of lines) line.close();
  }
  return calls.map(({ name, reach }) => ({ name, ...middleOf(found.get(name) ?? []), ...(reach ? { reach } : {}) }));
}

async function writeInputs(url: string, calls: readonly Measured[]): Promise<void> {
  const inserts = calls.map(({ samples }, call) => {
    const list = samples.map(({ caller, a, b }, i) => `(${call}, ${i}, '${caller}', '${a}', '${b}')`);
    return `insert into bench.inputs (call, i, caller, a, b) values ${list.join(', ')}`;
  });
  await run(url, [
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

const reset = async (url: string, { reset }: Measured) => {
  if (reset) await run(url, reset);
};

async function measureLimit(url: string, call: Measured, script: string, seconds: number): Promise<number> {
  const length = call.once ? { times: Math.floor(call.samples.length / LINES) } : { seconds: Math.ceil(seconds) };
  const { perSecond } = await runPgbench(url, script, length).catch((error: unknown) => {
    throw new Error(`${call.name}: ${error instanceof Error ? error.message : error}`);
  });
  await reset(url, call);
  return perSecond;
}

export type Under = { lines: readonly Line[]; product: Product; seconds: number; reset: () => Promise<void> };

export async function measureCall(call: Measured, { lines: all, product, seconds, reset }: Under): Promise<Round> {
  const next = inputsOf(call);
  const lines = call.alone ? all.slice(0, 1) : all;
  if (!call.once) await load(lines, { next, seconds: WARM_S });
  await product.begin();
  const loaded = await load(lines, { next, seconds });
  const spent = await product.end();
  await reset();
  if (loaded.wrong > 0)
    throw new Error(`${call.name}: ${loaded.wrong} of ${loaded.count} answers were not what was wanted`);
  return {
    perSecond: loaded.count / loaded.seconds,
    p50Ms: quantile(loaded.times, 0.5),
    p99Ms: quantile(loaded.times, 0.99),
    cpuUs: spent.cpuUs / loaded.count,
    bytes: loaded.bytes / loaded.count,
    blockedMs: spent.blockedMs,
  };
}

function inputsOf(call: Measured): () => Wanted | undefined {
  const { samples, once } = call;
  let at = 0;
  return () => {
    const sample = samples[once ? at : at % samples.length];
    at += 1;
    if (!sample) return undefined;
    const { ask, status } = sample.of ?? call;
    return { ...ask(sample), token: tokenOf(sample), status };
  };
}

function middleOf(rounds: readonly Round[]): Round {
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
