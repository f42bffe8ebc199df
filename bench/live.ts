import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { quantile } from './api/load.ts';
import { METRICS, type MeasuredProcess, measureProcess, type ProductProcess, startProduct } from './api/product.ts';
import { writeResults } from './api/results.ts';
import { openEventStreams, type StreamTarget } from './live/eventStreams.ts';
import { createLatencyRecorder, type LatencyResult, type PublishEvent } from './live/latency.ts';
import { readTreeCpuUs } from './live/processCpu.ts';
import { addCleanup, createTempFolder, log, runBench } from './run.ts';

const PROCESSES = 2;
const STREAMS = Number(process.env.BENCH_STREAMS ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
// How many people get each event: about as many as there are Dubers around a pickup.
const PEOPLE_PER_EVENT = 50;
const STEADY_INTERVAL_MS = 50;
const NOTIFY_INTERVAL_MS = 20;
const WRITERS = 8;
const CLOSING_MS = 1_000;

type Servers = {
  readonly name: string;
  readonly processes: readonly MeasuredProcess[];
  readonly databasePid?: number;
  readonly streams: readonly StreamTarget[];
  readonly publish: PublishEvent;
};

/** The CPU times are in microseconds for each event that arrived. */
type Round = LatencyResult & { readonly serverUs: number; readonly databaseUs: number | undefined };

/** Opens all streams. `run` publishes events for a while and measures what that took. */
async function openServers({ name, processes, databasePid, streams, publish }: Servers) {
  const recorder = createLatencyRecorder();
  const listeners = await openEventStreams(streams, recorder.receive);
  addCleanup(listeners.close);
  log(`${name}: ${listeners.countOpen()} streams are open`);
  async function run({ intervalMs, writers }: Pace): Promise<Round> {
    await Promise.all(processes.map((one) => one.startMeasuring()));
    const databaseBefore = databasePid === undefined ? undefined : readTreeCpuUs(databasePid);
    const plan = { seconds: SECONDS, people: PEOPLE_PER_EVENT, totalPeople: streams.length, intervalMs, writers };
    const latency = await recorder.run(publish, plan);
    const databaseAfter = databasePid === undefined ? undefined : readTreeCpuUs(databasePid);
    const serverUs = await sumOf(processes, async (one) => (await one.stopMeasuring()).cpuUs);
    if (listeners.countOpen() < streams.length) throw new Error(`${name}: streams were closed`);
    return {
      ...latency,
      serverUs: serverUs / latency.received,
      databaseUs: databaseBefore && databaseAfter && (databaseAfter - databaseBefore) / latency.received,
    };
  }
  /** Closes the streams. Compared at the end, because a process loads some of its code and data a while after its start. */
  async function closeStreams(): Promise<number> {
    const readMemoryMb = () => sumOf(processes, (one) => one.readUsedMemory());
    const open = await readMemoryMb();
    listeners.close();
    await setTimeout(CLOSING_MS);
    return ((open - (await readMemoryMb())) * 1000) / streams.length;
  }
  return { name, run, closeStreams };
}

async function sumOf<T>(list: readonly T[], read: (one: T) => Promise<number>): Promise<number> {
  const values = await Promise.all(list.map(read));
  return values.reduce((sum, value) => sum + value, 0);
}

async function startProducts(): Promise<Servers> {
  const postgres = await startPostgres();
  addCleanup(postgres.stop);
  const url = await postgres.createDatabase('live');
  const products: ProductProcess[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    const dataDir = createTempFolder();
    const product = await startProduct({ DATABASE_URL: url, DATA_DIR: dataDir, SANDBOX: 'on' });
    addCleanup(product.stop);
    products.push(product);
  }
  const pool = new pg.Pool({ connectionString: url, max: WRITERS });
  addCleanup(() => pool.end());
  await pool.query(
    `insert into users (id, fullname, email, email_key, role, password_hash, created_at)
      select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Somebody', n || '@bench.test', n || '@bench.test',
        'Bud', 'none', now() from generate_series(0, $1::int - 1) n`,
    [STREAMS],
  );
  await pool.query(
    `insert into sessions (token_hash, user_id, created_at, last_used_at)
      select sha256(convert_to('bench-' || n, 'UTF8')), ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now()
      from generate_series(0, $1::int - 1) n`,
    [STREAMS],
  );
  const streams = Array.from({ length: STREAMS }, (_, n) => {
    const port = products[n % PROCESSES]?.port ?? 0;
    return { port, path: '/api/events', token: `bench-${n}` };
  });
  const publish = createDatabasePublisher(pool);
  return { name: 'Rubadub', processes: products, databasePid: postgres.pid(), streams, publish };
}

/** Writes events and notifies the servers in the same way and as often as the product does. */
function createDatabasePublisher(pool: pg.Pool): PublishEvent {
  let notifiedAt = 0;
  return async (id, people) => {
    await pool.query({
      name: 'publish',
      text: `insert into live_events (people, entity, entity_id, status, at)
        select array_agg(('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid), 'delivery', $1, 'Pending', now()
        from unnest($2::int[]) n`,
      values: [id, people],
    });
    if (performance.now() - notifiedAt < NOTIFY_INTERVAL_MS) return;
    notifiedAt = performance.now();
    await pool.query(`select pg_notify('rubadub_events', 'bench')`);
  };
}

async function startBareServers(): Promise<Servers> {
  const file = join(import.meta.dirname, 'live', 'bareServer.ts');
  const servers = Array.from({ length: PROCESSES }, () => fork(file, { execArgv: ['--import', METRICS] }));
  addCleanup(() => servers.map((server) => server.disconnect()));
  const ports = await Promise.all(
    servers.map(async (server) => ((await once(server, 'message')) as [{ port: number }])[0].port),
  );
  const streams = Array.from({ length: STREAMS }, (_, n) => {
    return { port: ports[n % PROCESSES] ?? 0, path: `/events?n=${n}`, token: 'bench' };
  });
  const publish: PublishEvent = async (id, people) => {
    const data = JSON.stringify({ entity: 'delivery', id, status: 'Pending', at: new Date().toISOString() });
    await Promise.all(
      servers.map((server, index) => {
        const to = people.filter((n) => n % PROCESSES === index);
        return new Promise<void>((resolve) => void server.send({ to, data }, () => resolve()));
      }),
    );
  };
  return { name: 'bare server', processes: servers.map(measureProcess), streams, publish };
}

type Pace = { readonly name: string; readonly intervalMs: number; readonly writers: number };
const PACES: readonly Pace[] = [
  { name: `${(1000 / STEADY_INTERVAL_MS) * PEOPLE_PER_EVENT} a second`, intervalMs: STEADY_INTERVAL_MS, writers: 1 },
  { name: 'one writes without pause', intervalMs: 0, writers: 1 },
  { name: `${WRITERS} write without pause`, intervalMs: 0, writers: WRITERS },
];

const MEASURES = ['perSecond', 'p50Ms', 'p99Ms', 'serverUs', 'databaseUs', 'received', 'missed'] as const;
const HEADERS = ['events/s', 'ratio', 'delay p50 ms', 'p99 ms', 'servers µs', 'database µs', 'kB a stream', 'missed'];

const median = (values: readonly (number | undefined)[]) =>
  quantile(
    values.map((value) => value ?? Number.NaN),
    0.5,
  );
const medianOf = (rounds: readonly Round[]) =>
  Object.fromEntries(MEASURES.map((name) => [name, median(rounds.map((round) => round[name]))])) as Round;
/** The share of the bare server's rate in the same round. */
const ratioOf = (rounds: readonly Round[], bare: readonly Round[]) =>
  median(rounds.map(({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? Number.NaN)));

const cell = (value: number | undefined, digits: number) =>
  value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits);

// npm run bench:live
async function run(): Promise<void> {
  const contestants = [await openServers(await startProducts()), await openServers(await startBareServers())];
  const lines = contestants.map(() => PACES.map((): Round[] => []));
  for (let round = 0; round < ROUNDS; round += 1) {
    log(`round ${round + 1} of ${ROUNDS} ...`);
    for (const [index, contestant] of contestants.entries()) {
      for (const [line, pace] of PACES.entries()) lines[index]?.[line]?.push(await contestant.run(pace));
    }
  }
  const rows: (Round & { name: string; ratio: number; kbPerStream: number })[] = [];
  for (const [index, { name, closeStreams }] of contestants.entries()) {
    const kbPerStream = await closeStreams();
    for (const [pace, rounds] of (lines[index] ?? []).entries()) {
      const ratio = ratioOf(rounds, lines.at(-1)?.[pace] ?? []);
      rows.push({ name: `${name}, ${PACES[pace]?.name}`, ...medianOf(rounds), ratio, kbPerStream });
    }
  }
  console.log(`\n${STREAMS.toLocaleString('en')} streams on ${PROCESSES} processes\n`);
  console.log(`| | ${HEADERS.join(' | ')} |\n|---|${'---:|'.repeat(HEADERS.length)}`);
  for (const row of rows) {
    const times = [row.p50Ms, row.p99Ms, row.serverUs, row.databaseUs].map((value) => cell(value, 1));
    const cells = [cell(row.perSecond, 0), cell(row.ratio, 2), ...times, cell(row.kbPerStream, 0), row.missed];
    console.log(`| ${[row.name, ...cells].join(' | ')} |`);
  }
  writeResults({ streams: STREAMS, database: 'live', seconds: SECONDS, rounds: ROUNDS }, rows);
}

runBench(run);
