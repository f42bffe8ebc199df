import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventStreamListener, listenToEvents } from '../../testing/eventListener.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { waitFor } from '../../testing/waits.ts';
import { type KillablePostgres, startKillablePostgres } from '../killablePostgres.ts';
import { launchServer, launchStandIns, type ServerProcess, type StandIns } from '../processes.ts';
import { createTestUserAt } from '../serverPair.ts';

const LOST_ORDERS = 5;

describe('a failover that loses the last transactions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-rewind-'));
  const [data, replica] = [join(folder, 'data'), join(folder, 'replica')];
  let postgres: KillablePostgres;
  let standIns: StandIns;
  let server: ServerProcess;
  let people: Participants;

  beforeAll(async () => {
    postgres = await startKillablePostgres({ folder });
    standIns = await launchStandIns();
    server = await launchServer({ ...standIns.env, DATABASE_URL: await postgres.createDatabase('rubadub') });
    people = await createParticipants({
      createUser: (role, options) => createTestUserAt(server, standIns.url, role, options),
    });
  });
  afterAll(async () => {
    await server?.end();
    await postgres?.stop();
    await standIns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a lagging replica has, and what the primary has lost when that replica is promoted. */
  async function copyDatabase(from: string, to: string): Promise<void> {
    await postgres.kill();
    rmSync(to, { recursive: true, force: true });
    // With its owner: PostgreSQL does not run as root.
    execFileSync('cp', ['-a', from, to]);
    await postgres.restart();
  }

  /** A client as the web app is: it connects again when its stream ends, and reads what it may have missed. */
  async function listenUntil(orderId: () => string | undefined): Promise<{ heard: () => boolean; close: () => void }> {
    const { token, api } = people.scrub;
    let hasHeard = false;
    let isClosed = false;
    let stream: EventStreamListener | undefined;
    const isIt = (id: string) => {
      if (id === orderId()) hasHeard = true;
    };
    const connect = async (): Promise<void> => {
      stream = await listenToEvents(server.apiUrl, token, { onEvent: ({ id }) => isIt(id) }).catch(() => undefined);
      if (stream?.status === 200) {
        for (const { id } of (await api.listOrders().catch(() => undefined))?.data.items ?? []) isIt(id);
        await stream.ended;
      }
      if (!isClosed) setTimeout(() => void connect(), 200);
    };
    void connect();
    await expect.poll(() => stream?.status).toBe(200);
    return {
      heard: () => hasHeard,
      close: () => {
        isClosed = true;
        stream?.disconnect();
      },
    };
  }

  const placeWhenBack = () => waitFor(() => placeOrder(people));

  test('leaves no client of a live stream unaware of what happens next', async () => {
    await copyDatabase(data, replica);
    await placeWhenBack();
    let next: string | undefined;
    const client = await listenUntil(() => next);
    for (let count = 0; count < LOST_ORDERS; count += 1) await placeOrder(people);
    await copyDatabase(replica, data);
    next = (await placeWhenBack()).id;
    await expect.poll(() => client.heard()).toBe(true);
    client.close();
  });
});
