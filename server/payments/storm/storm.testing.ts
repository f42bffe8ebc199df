import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { openSandbox } from '../../../sandbox/sandbox.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, row, rows, transact } from '../../database.ts';
import { deliveryHandlers } from '../../deliveries.ts';
import type { Deps } from '../../deps.ts';
import { migrate } from '../../migrate.ts';
import { expireRequests, orderHandlers } from '../../orders.ts';
import { Refusal } from '../../refuse.ts';
import { followHint, noteEvent } from '../looks.sql.ts';
import { writeRefund } from '../refunds.ts';
import { workOnPayments } from '../rounds.ts';
import { audit } from './audit.testing.ts';
import { type Network, openNetwork } from './network.testing.ts';
import { type Bud, insertPeople, type People } from './people.testing.ts';
import { cardsAt, Killed, makeDeps, type Process, startProcess } from './process.testing.ts';
import { choose, type Random, randomFrom } from './random.testing.ts';

/** A bug of ours, planted to see that the audit finds it. */
export type Plant = 'no key' | 'a new key for a retry' | 'capture before commit';

type Options = {
  /** Undefined: the embedded database, whose process is not killed. */
  readonly databaseUrl: string | undefined;
  readonly orders: number;
  readonly seed: number;
  readonly plant?: Plant;
};

export type Aftermath = {
  readonly faults: string[];
  readonly orders: number;
  /** What waits for a person, or is not finished. */
  readonly stuck: string[];
  readonly kills: number;
  readonly network: Network['happened'];
  readonly statuses: Record<string, number>;
};

type World = {
  readonly options: Options;
  readonly random: Random;
  readonly people: People;
  readonly now: () => Date;
  readonly wait: (ms: number) => void;
  /** The servers that are alive; a dead one is replaced at once. */
  readonly deps: () => Deps;
};

const LANES = 10;
const HOUR_MS = 60 * 60 * 1000;

/** Lets many people order while the network fails and servers are killed, waits for the dust to settle, and audits. */
export async function storm(options: Options): Promise<Aftermath> {
  const random = randomFrom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-storm-'));
  const sandbox = await openStandIn(dataDir);
  const network = await openNetwork(sandbox.url, random, plantIn(options.plant));
  const database = options.databaseUrl
    ? openServerDatabase(options.databaseUrl)
    : await openEmbeddedDatabase(undefined);
  try {
    await migrate(database.db);
    let ahead = 0;
    const now = () => new Date(Date.now() + ahead);
    const people = await insertPeople(database.db, 12, now());
    const servers = runServers({ options, database, squareUrl: network.url, now, random });
    const wait = (ms: number) => {
      ahead += ms;
    };
    const world: World = { options, random, people, now, wait, deps: servers.deps };
    await weather(world);
    await servers.end();
    await network.calm();
    const calm = makeDeps(database.db, cardsAt(sandbox.url), now);
    await settleDust(calm, wait);
    return await describe(calm, sandbox.url, network, servers.kills());
  } finally {
    await database.close();
    await network.close();
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function openStandIn(dataDir: string) {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  let base = '';
  const parts = { square: true, places: false, map: false, mail: false };
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => base });
  await sandbox.register(app);
  base = await app.listen({ host: '127.0.0.1', port: 0 });
  const close = async () => {
    await app.close();
    await sandbox.close();
  };
  return { url: `${base}/sandbox/square`, close };
}

// What the product would send had it the bug.
function plantIn(plant: Plant | undefined) {
  const tries = new Map<string, number>();
  return (path: string, body: string): string => {
    if (path !== '/v2/payments' || body === '' || (plant !== 'no key' && plant !== 'a new key for a retry'))
      return body;
    const request = JSON.parse(body) as { idempotency_key: string };
    const count = (tries.get(request.idempotency_key) ?? 0) + 1;
    tries.set(request.idempotency_key, count);
    const first = plant === 'a new key for a retry' && count === 1;
    return first ? body : JSON.stringify({ ...request, idempotency_key: newId() });
  };
}

type Running = { options: Options; database: Database; squareUrl: string; now: () => Date; random: Random };

/** Two servers at a time on PostgreSQL, each killed after a while and replaced; one that lives on otherwise. */
function runServers({ options, database, squareUrl, now, random }: Running) {
  const { databaseUrl } = options;
  let kills = 0;
  if (databaseUrl === undefined) {
    const deps = makeDeps(database.db, cardsAt(squareUrl), now);
    return { deps: () => deps, kills: () => 0, end: async () => {} };
  }
  const start = () => {
    const livesFor = 20 + Math.floor(random() * 400);
    return startProcess({ databaseUrl, squareUrl, now, random, livesFor });
  };
  const alive: Process[] = [start(), start()];
  return {
    deps() {
      const index = random() < 0.5 ? 0 : 1;
      if (alive[index]?.isDead()) {
        kills += 1;
        void alive[index].end();
        alive[index] = start();
      }
      return (alive[index] as Process).deps;
    },
    kills: () => kills,
    async end() {
      for (const server of alive) server.spare();
      await Promise.all(alive.filter((server) => !server.isDead()).map((server) => server.end()));
    },
  };
}

async function weather(world: World): Promise<void> {
  const wishes = Array.from({ length: world.options.orders }, (_, index) => index);
  let open = LANES;
  const lane = async () => {
    for (let wish = wishes.pop(); wish !== undefined; wish = wishes.pop()) await live(world, `wish ${wish}`);
    open -= 1;
  };
  const worker = async () => {
    while (open > 0) {
      await survive(() => workOnPayments(world.deps()));
      await survive(() => expireRequests(world.deps()));
      world.wait(500);
      await new Promise((go) => setImmediate(go));
    }
  };
  await Promise.all([...Array.from({ length: LANES }, lane), worker(), worker()]);
}

/** What a call gave, or undefined when it was refused, or its server died under it. */
async function survive<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const away =
      error instanceof Killed || error instanceof Refusal || /terminated|Connection|been destroyed/.test(String(error));
    if (away) return undefined;
    throw error;
  }
}

const PLACE_TRIES = 6;

/** One order's life: placed with a key until an answer comes, then whatever its people feel like. */
async function live(world: World, wish: string): Promise<void> {
  const { random, people } = world;
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const [bud, scrub, duber] = [pick(people.buds), pick(people.scrubs), pick(people.dubers)];
  const id = await place(world, bud, scrub.id, wish);
  if (id === undefined) return;
  const params = { id };
  const by = (action: 'accept-order' | 'reject-order' | 'start-order' | 'complete-order') =>
    survive(() => orderHandlers(world.deps())[action]({ caller: scrub, params } as never));
  const cancel = () => survive(() => orderHandlers(world.deps())['cancel-order']({ caller: bud, params } as never));
  const course = choose(random, { accept: 50, cancel: 12, reject: 8, race: 15, silence: 5, refund: 10 });
  if (random() < 0.3) await hint(world, id);
  if (course === 'cancel') await cancel();
  if (course === 'reject') await by('reject-order');
  if (course === 'race') await Promise.all([accept(world, id, scrub), cancel(), by('reject-order')]);
  if (course !== 'accept' && course !== 'refund') return;
  await accept(world, id, scrub);
  if (random() < 0.5) {
    await by('start-order');
    await by('complete-order');
    await carry(world, id, duber);
  }
  if (course === 'refund') await refund(world, id);
  if (random() < 0.3) await hint(world, id);
}

async function place(world: World, bud: Bud, scrubId: string, wish: string): Promise<string | undefined> {
  const { random } = world;
  const card = choose(random, { ok: 90, declined: 10 });
  const asked = {
    caller: bud,
    body: {
      budAddressId: bud.addressId,
      scrubId,
      loadSize: choose(random, { Small: 1, Medium: 1, Large: 1 }),
      selfDelivery: random() < 0.3,
      selfPickup: random() < 0.3,
      orderInstructions: wish,
      paymentSourceId: `cnon:card-nonce-${card}`,
    },
    idempotencyKey: wish,
  };
  const patience = random() < 0.15 ? 1 : PLACE_TRIES;
  for (let attempt = 0; attempt < patience; attempt += 1) {
    const twice = random() < 0.1;
    const call = () => survive(() => orderHandlers(world.deps()).placeOrder(asked as never));
    const [order] = (await Promise.all(twice ? [call(), call()] : [call()])).filter((answer) => answer !== undefined);
    if (order) return order.id;
  }
  return undefined;
}

async function accept(world: World, id: string, scrub: People['scrubs'][number]): Promise<void> {
  await survive(async () => {
    const deps = world.deps();
    if (world.options.plant === 'capture before commit') {
      const held = await row<{ squareId: string; versionToken: string; amount: number }>(
        deps.db,
        sql`select square_id as "squareId", version_token as "versionToken", amount from payments where order_id = ${id}`,
      );
      if (held) await deps.cards.capture({ orderId: id, ...held }).catch(() => undefined);
    }
    return orderHandlers(deps)['accept-order']({ caller: scrub, params: { id } } as never);
  });
}

async function carry(world: World, orderId: string, duber: People['dubers'][number]): Promise<void> {
  const legs = await survive(() =>
    rows<{ id: string }>(world.deps().db, sql`select id from deliveries where order_id = ${orderId}`),
  );
  for (const params of legs ?? []) {
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await survive(() => deliveryHandlers(world.deps())[action]({ caller: duber, params } as never));
    }
  }
}

async function refund(world: World, orderId: string): Promise<void> {
  for (const amount of [100, 250]) {
    const wish = { orderId, amount, liable: choose(world.random, { platform: 1, scrub: 1 }), reason: 'a torn shirt' };
    await survive(() => writeRefund(world.deps(), wish));
  }
}

/** A webhook's event about an order, true or not, and twice. */
async function hint(world: World, orderId: string): Promise<void> {
  const event = { eventId: newId(), type: 'payment.updated', squareId: null, orderId };
  for (let times = 0; times < 2; times += 1) {
    await survive(() => {
      const { db, now } = world.deps();
      return transact(db, async (tx) => {
        if (await noteEvent(tx, event, now())) await followHint(tx, event, now());
      });
    });
  }
}

/** Days pass without anything failing, until nothing is due any more. */
async function settleDust(deps: Deps, wait: (ms: number) => void): Promise<void> {
  for (let hours = 0; hours < 72; hours += 1) {
    wait(HOUR_MS);
    for (let round = 0; round < 10_000 && (await workOnPayments(deps)); round += 1) {}
    for (let round = 0; round < 1_000 && (await expireRequests(deps)) > 0; round += 1) {}
  }
}

async function describe(deps: Deps, squareUrl: string, network: Network, kills: number): Promise<Aftermath> {
  const found = await rows<{ status: string; many: number }>(
    deps.db,
    sql`select status, count(*)::int as many from orders group by status order by status`,
  );
  const stuck = await rows<{ what: string }>(
    deps.db,
    sql`select concat_ws(' ', 'order', order_id, state, failure, concern, due_at) as what from payments
      where state = 'stuck' or concern is not null or due_at is not null
      union all select concat_ws(' ', 'refund', id, state, failure, due_at) from refunds where state <> 'refunded'`,
  );
  return {
    faults: await audit(deps.db, squareUrl),
    orders: found.reduce((sum, { many }) => sum + many, 0),
    stuck: stuck.map(({ what }) => what),
    kills,
    network: network.happened,
    statuses: Object.fromEntries(found.map(({ status, many }) => [status, many])),
  };
}
