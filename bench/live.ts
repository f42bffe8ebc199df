import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { type ProductProcess, startProduct } from './api/product.ts';
import { writeResults } from './api/results.ts';
import { openEventStreams, type StreamTarget } from './live/eventStreams.ts';
import { createLatencyRecorder, type LatencyResult, type PublishEvent } from './live/latency.ts';
import { addCleanup, createTempFolder, log, runBench } from './run.ts';

const PROCESSES = 2;
const STREAMS = Number(process.env.BENCH_STREAMS ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
// How many people get each event: about as many as there are Dubers around a pickup.
const PEOPLE_PER_EVENT = 50;
const STEADY_INTERVAL_MS = 50;
const NOTIFY_INTERVAL_MS = 20;

type Row = LatencyResult & { readonly name: string; readonly kbPerStream: number };

async function measureStreams(
  name: string,
  streams: readonly StreamTarget[],
  publish: PublishEvent,
  readMemoryMb: () => Promise<number>,
): Promise<Row[]> {
  const recorder = createLatencyRecorder();
  const memoryBefore = await readMemoryMb();
  const listeners = await openEventStreams(streams, recorder.receive);
  try {
    const kbPerStream = (((await readMemoryMb()) - memoryBefore) * 1000) / streams.length;
    log(`${name}: ${listeners.countOpen()} streams are open`);
    const plan = { seconds: SECONDS, people: PEOPLE_PER_EVENT, totalPeople: streams.length };
    const steady = await recorder.run(publish, { ...plan, intervalMs: STEADY_INTERVAL_MS });
    const flood = await recorder.run(publish, { ...plan, intervalMs: 0 });
    if (listeners.countOpen() < streams.length) throw new Error(`${name}: streams were closed`);
    return [
      { name: `${name}, ${(1000 / STEADY_INTERVAL_MS) * PEOPLE_PER_EVENT} a second`, ...steady, kbPerStream },
      { name: `${name}, as fast as it goes`, ...flood, kbPerStream },
    ];
  } finally {
    listeners.close();
  }
}

async function measureProduct(): Promise<Row[]> {
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
  const client = new pg.Client(url);
  await client.connect();
  addCleanup(() => client.end());
  await client.query(
    `insert into users (id, fullname, email, email_key, role, password_hash, created_at)
      select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Somebody', n || '@bench.test', n || '@bench.test',
        'Bud', 'none', now() from generate_series(0, $1::int - 1) n`,
    [STREAMS],
  );
  await client.query(
    `insert into sessions (token_hash, user_id, created_at, last_used_at)
      select sha256(convert_to('bench-' || n, 'UTF8')), ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now()
      from generate_series(0, $1::int - 1) n`,
    [STREAMS],
  );
  const streams = Array.from({ length: STREAMS }, (_, n) => {
    const port = products[n % PROCESSES]?.port ?? 0;
    return { port, path: '/api/events', token: `bench-${n}` };
  });
  const readMemoryMb = async () => {
    let total = 0;
    for (const product of products) total += (await product.stopMeasuring()).rssMb;
    return total;
  };
  return measureStreams('Rubadub', streams, createDatabasePublisher(client), readMemoryMb);
}

/** Writes events and notifies the servers in the same way and as often as the product does. */
function createDatabasePublisher(client: pg.Client): PublishEvent {
  let notifiedAt = 0;
  return async (id, people) => {
    await client.query({
      name: 'publish',
      text: `insert into live_events (people, entity, entity_id, status, at)
        select array_agg(('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid), 'delivery', $1, 'Pending', now()
        from unnest($2::int[]) n`,
      values: [id, people],
    });
    if (performance.now() - notifiedAt < NOTIFY_INTERVAL_MS) return;
    notifiedAt = performance.now();
    await client.query(`select pg_notify('rubadub_events', 'bench')`);
  };
}

async function measureBareServer(): Promise<Row[]> {
  const servers = Array.from({ length: PROCESSES }, () => fork(join(import.meta.dirname, 'live', 'bareServer.ts')));
  addCleanup(() => servers.map((server) => server.disconnect()));
  const ports = await Promise.all(
    servers.map(async (server) => ((await once(server, 'message')) as [{ port: number }])[0].port),
  );
  const streams = Array.from({ length: STREAMS }, (_, n) => {
    return { port: ports[n % PROCESSES] ?? 0, path: `/events?n=${n}`, token: 'bench' };
  });
  const memoryOf = async (server: ChildProcess) => {
    server.send('memory');
    return ((await once(server, 'message')) as [{ rssMb: number }])[0].rssMb;
  };
  const readMemoryMb = async () => (await Promise.all(servers.map(memoryOf))).reduce((sum, mb) => sum + mb, 0);
  const publish: PublishEvent = async (id, people) => {
    const data = JSON.stringify({ entity: 'delivery', id, status: 'Pending', at: new Date().toISOString() });
    await Promise.all(
      servers.map((server, index) => {
        const to = people.filter((n) => n % PROCESSES === index);
        return new Promise<void>((resolve) => void server.send({ to, data }, () => resolve()));
      }),
    );
  };
  return measureStreams('bare server', streams, publish, readMemoryMb);
}

const HEADERS = ['', 'events/s', 'delay p50 ms', 'p99 ms', 'kB a stream', 'missed'];

// npm run bench:live
async function run(): Promise<void> {
  const rows = [...(await measureProduct()), ...(await measureBareServer())];
  console.log(`\n${STREAMS.toLocaleString('en')} streams on ${PROCESSES} processes\n`);
  console.log(`| ${HEADERS.join(' | ')} |\n|---|${'---:|'.repeat(HEADERS.length - 1)}`);
  for (const { name, perSecond, p50Ms, p99Ms, kbPerStream, missed } of rows) {
    const cells = [perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), kbPerStream.toFixed(0), missed];
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
  writeResults({ streams: STREAMS, database: 'live', seconds: SECONDS }, rows);
}

runBench(run);
