import pg from 'pg';
import { v7 as newUuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type EventStreamListener,
  listenToEvents,
  type ReceivedEvent,
  waitUntil,
} from '../../testing/eventListener.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { digest } from '../auth/secrets.ts';

const USERS = 50;
const EVENTS = 3_000;
const WRITERS = 12;
const SEED = Number(process.env.STORM_SEED ?? 20_261);

type SignedInUser = { readonly id: string; readonly token: string };

/** Numbers from 0 to below 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe.runIf(DATABASE_KINDS.includes('postgres'))(`a storm of events over two servers, seed ${SEED}`, () => {
  const random = randomFrom(SEED);
  let first: TestServer;
  let second: TestServer;
  let pool: pg.Pool;
  let people: SignedInUser[];
  /** What each person is to be told: the ids of the deliveries, whatever order they commit in. */
  const told = new Map<string, Set<string>>();

  beforeAll(async () => {
    first = await openTestServer('postgres');
    second = await openTestServer('postgres', { beside: first });
    pool = new pg.Pool({ connectionString: first.databaseUrl, max: WRITERS });
    pool.on('error', () => undefined);
    people = await Promise.all(Array.from({ length: USERS + 1 }, () => insertUser(pool)));
    for (const { id } of people) told.set(id, new Set());
  });
  afterAll(async () => {
    await pool?.end();
    await second?.close();
    await first?.close();
  });

  // As the servers write them, with transactions that stay open for a while, commit out of order, or do not commit.
  async function writeOne(): Promise<void> {
    const delivery = newUuid();
    const whom = people.slice(0, USERS).filter(() => random() < 0.04);
    const [holdS, isKept] = [random() < 0.3 ? random() * 0.04 : 0, random() < 0.9];
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into events (user_id, entity, entity_id, status, at)
         select person, 'delivery', $1, 'Pending', now() from unnest($2::uuid[]) person`,
        [delivery, whom.map(({ id }) => id)],
      );
      if (holdS > 0) await client.query('select pg_sleep($1)', [holdS]);
      await client.query(isKept ? 'commit' : 'rollback');
    } finally {
      client.release();
    }
    if (!isKept) return;
    for (const { id } of whom) told.get(id)?.add(delivery);
    await pool.query(`select pg_notify('rubadub_events', 'a third server')`);
  }

  test('nobody misses one, nobody hears one twice, and a stranger hears none, however often they are cut off', async () => {
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
    await waitUntil(
      () => followers.every(({ person, heard }) => heard.length >= (told.get(person.id)?.size ?? 0)),
      20_000,
    );
    // What would come twice has come before this.
    const last = newUuid();
    await pool.query(
      `insert into events (user_id, entity, entity_id, status, at)
       select person, 'delivery', $1, 'Delivered', now() from unnest($2::uuid[]) person`,
      [last, people.map(({ id }) => id)],
    );
    await waitUntil(() => followers.every(({ heard }) => heard.at(-1)?.id === last), 20_000);
    for (const { person, heard } of followers) {
      const ids = heard.slice(0, -1).map(({ id }) => id);
      expect(ids.toSorted()).toEqual([...(told.get(person.id) ?? [])].toSorted());
    }
    expect(followers.at(-1)?.heard).toHaveLength(1);
    expect(followers.reduce((sum, one) => sum + one.cuts(), 0)).toBeGreaterThan(USERS * 3);
  }, 60_000);
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

/** Breaks every connection of the servers to the database, as its restart does. */
async function breakServerConnections(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'rubadub%'`,
  );
  await client.end();
}

/** Listens at one server or the other, is cut off after a few events, and goes on elsewhere after the last one heard. */
function followEvents(hosts: readonly string[], person: SignedInUser, random: () => number) {
  const heard: ReceivedEvent[] = [];
  let lastId: string | undefined;
  let stopped = false;
  let cuts = 0;
  let now: EventStreamListener | undefined;

  async function once(): Promise<void> {
    const host = hosts[Math.floor(random() * hosts.length)] ?? '';
    let left = 2 + Math.floor(random() * 20);
    const listener = await listenToEvents(host, person.token, {
      ...(lastId === undefined ? {} : { lastId }),
      onEvent: (event) => {
        // What arrives after the cut was not heard.
        if (left <= 0) return;
        heard.push(event);
        lastId = event.cursor;
        left -= 1;
        if (left === 0 && !stopped) {
          cuts += 1;
          listener.disconnect();
        }
      },
    });
    now = listener;
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
      const round = once();
      await waitUntil(() => now !== undefined);
      isConnected();
      await round;
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stopped) throw error;
  });
  const stop = () => {
    stopped = true;
    now?.disconnect();
    return running;
  };
  return { person, heard, connected, cuts: () => cuts, stop };
}
