import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Client } from '../../contract/client.ts';
import { queryAt } from '../../testing/databaseConnection.ts';
import type { Random } from '../../testing/random.ts';
import type { TestUser } from '../../testing/testServer.ts';
import { captureOutcome } from '../callOutcome.ts';
import type { ServerProcess } from '../processes.ts';
import { type StreamClient, startStreamClient } from '../streamClients.ts';
import { createWritingClients, type WritingClients } from '../writingClients.ts';

/** A Bud and a Scrub that write all the time, and the Scrub's live stream. */
export type Lane = {
  readonly clients: WritingClients;
  readonly servers: { bud: Client; scrub: Client };
  readonly scrub: TestUser;
  readonly stream: StreamClient;
};

const PAUSE_MS = 40;

export async function openLane(
  people: { bud: TestUser; scrub: TestUser },
  server: ServerProcess,
  random: Random,
): Promise<Lane> {
  const { bud, scrub } = people;
  const stream = startStreamClient(() => [server.apiUrl], scrub.token, random);
  await stream.connected;
  return {
    clients: createWritingClients({ bud, scrub, random }),
    servers: { bud: bud.api, scrub: scrub.api },
    scrub,
    stream,
  };
}

/** All lanes write until `stop`. */
export function startWriting(lanes: readonly Lane[]): { stop(): Promise<void> } {
  let isStopped = false;
  const running = lanes.map(async ({ clients, servers }) => {
    while (!isStopped) {
      await clients.writeOnce(servers);
      await setTimeout(PAUSE_MS);
    }
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

const WRITE_EVERY_MS = 100;
/** Ten seconds. */
const MAX_WRITES = 100;

/**
 * Sends one write after the other, without waiting for the answers, until one is acknowledged. Returns the seconds it took;
 * fails when more than ten seconds of writes stay without success.
 */
export async function writeUntilAnswered({ scrub: { api } }: Lane): Promise<number> {
  const startedAt = performance.now();
  const refusals: string[] = [];
  let seconds: number | undefined;
  const write = async () => {
    const { status, message } = await captureOutcome(() => api.changeVisibility({ body: { isActive: true } }));
    if (status === 200) seconds ??= (performance.now() - startedAt) / 1000;
    else refusals.push(`${status} ${message}`);
  };
  const sent: Promise<void>[] = [];
  while (seconds === undefined && sent.length < MAX_WRITES) {
    sent.push(write());
    await setTimeout(WRITE_EVERY_MS);
  }
  const answeredInTime = seconds;
  await Promise.all(sent);
  expect(answeredInTime, `${sent.length} writes after the promotion: ${refusals.slice(-3)}`).toBeDefined();
  return answeredInTime ?? 0;
}

/** Looks at the server's readiness again and again, and counts. */
export function watchReadiness(server: ServerProcess, hasPrimary: () => Promise<boolean>) {
  const counts = { refused: 0, untrue: 0 };
  let isStopped = false;
  const watch = async () => {
    while (!isStopped) {
      // Before and after, because a primary can come or go meanwhile.
      const couldWrite = await hasPrimary();
      const { status } = await fetch(`${server.apiUrl}/health/ready`);
      if (status === 503) counts.refused += 1;
      else if (!couldWrite && !(await hasPrimary())) counts.untrue += 1;
      await setTimeout(WRITE_EVERY_MS);
    }
    return counts;
  };
  const watching = watch();
  return {
    stop() {
      isStopped = true;
      return watching;
    },
  };
}

/** What the new primary has twice although it was sent once, or with one Idempotency-Key. */
export async function findDuplicates(databaseUrl: string): Promise<string[]> {
  const sql = `
    select 'order ' || instructions as what from orders group by instructions having count(*) > 1
    union all
    select 'address ' || label from addresses where label <> 'Default' group by user_id, label having count(*) > 1`;
  return (await queryPrimary<{ what: string }>(databaseUrl, sql)).map(({ what }) => what);
}

/** Each Scrub has heard once of each of their orders, unless the server has said that its stream has a gap. */
export async function expectReceived(lanes: readonly Lane[], databaseUrl: string): Promise<void> {
  const orders = await queryPrimary<{ id: string; scrub: string }>(
    databaseUrl,
    'select id, scrub_id as scrub from orders',
  );
  for (const { scrub, stream } of lanes) {
    const cursors = stream.events.map(({ cursor }) => cursor);
    expect(cursors.length).toBe(new Set(cursors).size);
    if (stream.failedResumes() > 0) continue;
    const expected = orders.filter((order) => order.scrub === scrub.user.id).map(({ id }) => id);
    await expect.poll(() => expected.filter((id) => !stream.events.some((event) => event.id === id))).toEqual([]);
  }
}

/** Gives up when no primary answers. */
export const queryPrimary = <Row extends object>(url: string, text: string): Promise<Row[]> =>
  queryAt({ connectionString: url, connectionTimeoutMillis: 3_000 }, text);
