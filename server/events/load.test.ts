import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { queryAt } from '../../testing/databaseConnection.ts';
import { type EventStreamListener, listenToEvents, type ReceivedEvent } from '../../testing/eventListener.ts';
import { createRandom } from '../../testing/random.ts';
import { openTestServer, type TestServer } from '../../testing/testServer.ts';
import { waitUntil } from '../../testing/waits.ts';
import { digest } from '../auth/secrets.ts';

const USERS = 50;
const EVENTS = 3_000;
const WRITERS = 12;
const SEED = Number(process.env.STORM_SEED ?? 20_261);

const INSERT_EVENT = `insert into live_events (people, entity, entity_id, status, at)
  select $2::uuid[], 'delivery', $1, $3, now()`;

type SignedInUser = { readonly id: string; readonly token: string };

describe(`a stress test of events on two servers, seed ${SEED}`, () => {
  const random = createRandom(SEED);
  let first: TestServer;
  let second: TestServer;
  let pool: pg.Pool;
  let people: SignedInUser[];
  /** The ids of the deliveries that each person must receive, in any order. */
  const expected = new Map<string, Set<string>>();

  beforeAll(async () => {
    first = await openTestServer('postgres');
    second = await openTestServer('postgres', { beside: first });
    pool = new pg.Pool({ connectionString: first.databaseUrl, max: WRITERS });
    pool.on('error', () => undefined);
    people = await Promise.all(Array.from({ length: USERS + 1 }, () => insertUser(pool)));
    for (const { id } of people) expected.set(id, new Set());
  });
  afterAll(async () => {
    await pool?.end();
    await second?.close();
    await first?.close();
  });

  // Like the servers, with transactions that stay open for a while, commit out of order, or roll back.
  async function writeOne(): Promise<void> {
    const delivery = newUuid();
    const recipients = people.slice(0, USERS).filter(() => random() < 0.04);
    const [holdS, isCommitted] = [random() < 0.3 ? random() * 0.04 : 0, random() < 0.9];
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(INSERT_EVENT, [delivery, recipients.map(({ id }) => id), 'Pending']);
      if (holdS > 0) await client.query('select pg_sleep($1)', [holdS]);
      await client.query(isCommitted ? 'commit' : 'rollback');
    } finally {
      client.release();
    }
    if (!isCommitted) return;
    for (const { id } of recipients) expected.get(id)?.add(delivery);
    await pool.query(`select pg_notify('rubadub_events', 'a third server')`);
  }

  test('each person receives each of their events exactly once and no others, although streams and connections break', async () => {
    const followers = people.map((person) => followEvents([first.apiUrl, second.apiUrl], person, random));
    onTestFinished(async () => void (await Promise.all(followers.map((one) => one.stop()))));
    await Promise.all(followers.map((one) => one.connected));
    let left = EVENTS;
    const write = async () => {
      while (left-- > 0) {
        if (left % 1000 === 500) await breakServerConnections(first.databaseUrl ?? '');
        await writeOne();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    await waitUntil(() =>
      followers.every(({ person, received }) => received.length >= (expected.get(person.id)?.size ?? 0)),
    );
    // A duplicate would arrive before this last event.
    const last = newUuid();
    await pool.query(INSERT_EVENT, [last, people.map(({ id }) => id), 'Delivered']);
    await waitUntil(() => followers.every(({ received }) => received.at(-1)?.id === last));
    for (const { person, received } of followers) {
      const ids = received.slice(0, -1).map(({ id }) => id);
      expect(ids.toSorted()).toEqual([...(expected.get(person.id) ?? [])].toSorted());
    }
    expect(followers.at(-1)?.received).toHaveLength(1);
    expect(followers.reduce((sum, one) => sum + one.disconnects(), 0)).toBeGreaterThan(USERS * 3);
  });
});

async function insertUser(pool: pg.Pool): Promise<SignedInUser> {
  const [id, token] = [newUuid(), newUuid()];
  await pool.query(
    `insert into users (id, fullname, email, email_key, role, password_hash, created_at)
     values ($1, 'Somebody', $2, $2, 'Bud', 'none', now())`,
    [id, `${id}@rubadub.test`],
  );
  await pool.query(
    'insert into sessions (token_hash, user_id, created_at, last_used_at) values ($1, $2, now(), now())',
    [digest(token), id],
  );
  return { id, token };
}

/** Closes every connection of the servers to the database, as a restart does. */
const breakServerConnections = (databaseUrl: string) =>
  queryAt(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'rubadub%'`,
  );

/** Listens to a random server, disconnects after a few events, and resumes at a random server after the last event. */
function followEvents(hosts: readonly string[], person: SignedInUser, random: () => number) {
  const received: ReceivedEvent[] = [];
  let lastId: string | undefined;
  let stopped = false;
  let disconnects = 0;
  let current: EventStreamListener | undefined;

  async function listenOnce(): Promise<void> {
    const host = hosts[Math.floor(random() * hosts.length)] ?? '';
    let left = 2 + Math.floor(random() * 20);
    const listener = await listenToEvents(host, person.token, {
      ...(lastId === undefined ? {} : { lastId }),
      onEvent: (event) => {
        // An event that arrives after the disconnect does not count.
        if (left <= 0) return;
        received.push(event);
        lastId = event.cursor;
        left -= 1;
        if (left === 0 && !stopped) {
          disconnects += 1;
          listener.disconnect();
        }
      },
    });
    current = listener;
    lastId ??= String(listener.headers['x-events-cursor'] ?? '') || undefined;
    if (stopped || listener.status !== 200) listener.disconnect();
    await listener.ended;
  }

  let isConnected = () => {};
  const connected = new Promise<void>((resolve) => {
    isConnected = resolve;
  });
  const run = async () => {
    while (!stopped) {
      const listening = listenOnce();
      await waitUntil(() => current !== undefined);
      isConnected();
      await listening;
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stopped) throw error;
  });
  const stop = () => {
    stopped = true;
    current?.disconnect();
    return running;
  };
  return { person, received, connected, disconnects: () => disconnects, stop };
}
