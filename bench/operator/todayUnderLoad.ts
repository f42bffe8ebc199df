import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { openTextStream } from '../../testing/textStream.ts';
import { quantile } from '../api/load.ts';

const CONSOLES = 3;
const EVENTS_PER_SECOND = 1_000;
const EVENTS_PER_STATEMENT = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const DRAIN_MS = 3_000;

export type TodayUnderLoad = {
  readonly eventsPerSecond: number;
  readonly messagesPerSecond: number;
  readonly readP50Ms: number;
  readonly readP99Ms: number;
  /** From the commit of an event until a console has an answer that was read after it. */
  readonly ageP50Ms: number;
  readonly ageP99Ms: number;
  /** Events after which a console read nothing. */
  readonly missed: number;
};

type Read = { readonly startedAt: number; readonly finishedAt: number };
type Console = { readonly reads: Read[]; readonly countMessages: () => number; readonly close: () => void };

/** A console that listens and reads Today and the map as the screen does. */
async function openConsole(port: number, token: string): Promise<Console> {
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/operator/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  const reads: Read[] = [];
  const read = async () => {
    const startedAt = performance.now();
    await Promise.all([get('today'), get('map')]);
    reads.push({ startedAt, finishedAt: performance.now() });
  };
  let isReading = false;
  let mustRead = false;
  // One read at a time. Messages during a read cause one more.
  const readAgain = async () => {
    mustRead = true;
    if (isReading) return;
    isReading = true;
    while (mustRead) {
      mustRead = false;
      await read();
    }
    isReading = false;
  };
  const headers = { authorization: `Bearer ${token}` };
  let messages = 0;
  const stream = await openTextStream(`http://127.0.0.1:${port}/api/operator/events`, headers, (block) => {
    if (!block.includes('"entity":"today"')) return;
    messages += 1;
    void readAgain();
  });
  return { reads, countMessages: () => messages, close: stream.disconnect };
}

/** Writes events as steps do, and notifies the servers as they do. Returns when each statement was committed. */
async function writeEvents(client: pg.Client): Promise<number[]> {
  const committedAt: number[] = [];
  const intervalMs = (1000 / EVENTS_PER_SECOND) * EVENTS_PER_STATEMENT;
  const startedAt = performance.now();
  for (let n = 0; performance.now() - startedAt < SECONDS * 1000; n += 1) {
    await client.query({
      name: 'write-events',
      text: `insert into live_events (people, entity, entity_id, status, at)
        select array[gen_random_uuid()], 'delivery', gen_random_uuid(), 'Pending', now() from generate_series(1, $1::int)`,
      values: [EVENTS_PER_STATEMENT],
    });
    committedAt.push(performance.now());
    await client.query(`select pg_notify('rubadub_events', 'bench')`);
    await setTimeout(Math.max(0, startedAt + (n + 1) * intervalMs - performance.now()));
  }
  return committedAt;
}

/** Measures how old Today is while steps write a thousand events a second. */
export async function measureTodayUnderLoad(port: number, token: string, client: pg.Client): Promise<TodayUnderLoad> {
  const consoles = await Promise.all(Array.from({ length: CONSOLES }, () => openConsole(port, token)));
  const startedAt = performance.now();
  const committedAt = await writeEvents(client);
  const seconds = (performance.now() - startedAt) / 1000;
  await setTimeout(DRAIN_MS);
  for (const { close } of consoles) close();
  const ages = consoles.flatMap(({ reads }) =>
    committedAt.map((at) => {
      const read = reads.find((each) => each.startedAt >= at);
      return read ? read.finishedAt - at : Number.POSITIVE_INFINITY;
    }),
  );
  const readTimes = consoles.flatMap(({ reads }) => reads.map((read) => read.finishedAt - read.startedAt));
  return {
    eventsPerSecond: (committedAt.length * EVENTS_PER_STATEMENT) / seconds,
    messagesPerSecond: consoles.reduce((sum, { countMessages }) => sum + countMessages(), 0) / CONSOLES / seconds,
    readP50Ms: quantile(readTimes, 0.5),
    readP99Ms: quantile(readTimes, 0.99),
    ageP50Ms: quantile(ages, 0.5),
    ageP99Ms: quantile(ages, 0.99),
    missed: ages.filter((age) => age === Number.POSITIVE_INFINITY).length,
  };
}

export function printTodayUnderLoad(row: TodayUnderLoad): void {
  console.log(`\n| Today, ${CONSOLES} consoles | |\n|---|---:|`);
  console.log(`| events a second | ${row.eventsPerSecond.toFixed(0)} |`);
  console.log(`| messages a second to each console | ${row.messagesPerSecond.toFixed(1)} |`);
  console.log(
    `| a read of Today and the map, p50 and p99 ms | ${row.readP50Ms.toFixed(1)}, ${row.readP99Ms.toFixed(1)} |`,
  );
  console.log(
    `| an event is on Today after, p50 and p99 ms | ${row.ageP50Ms.toFixed(0)}, ${row.ageP99Ms.toFixed(0)} |`,
  );
  console.log(`| events without a read after them | ${row.missed} |`);
}
