import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import type { Order } from '../../../contract/orders.ts';
import type { Preset } from '../../../domain/policies.ts';
import { DELIVERY_FLOW } from '../../../domain/process/delivery.ts';
import { createRandom } from '../../../sandbox/city/random.ts';
import { setPolicy } from '../../../server/town/policies.sql.ts';
import { waitFor, waitUntil } from '../../../testing/waits.ts';
import { openProduct, type Product } from '../../openProduct.ts';
import { addPeople } from '../accounts.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE, type DemoPerson, LIVE_DUBERS, primaryAccountOf } from '../people.ts';
import { writeSeed } from '../seedState.ts';
import { type Neighbours, openNeighbours } from './neighbours.ts';
import { createSignIn } from './signIn.ts';
import { TIMES } from './times.ts';
import type { Resident } from './town.ts';

const personOf = (email: string) => {
  const person = DEMO_PEOPLE.find((one) => one.email === email);
  if (!person) throw new Error(`there is nobody called ${email}`);
  return person;
};
const VISITORS = (['Bud', 'Scrub', 'Duber'] as const).map((role) => personOf(primaryAccountOf(role)?.email ?? ''));
const HARRIET = personOf('scrub@rubadub.test');
const OTIS = personOf('otis@rubadub.test');
const TOMAS = personOf('tomas@rubadub.test');
/** Without a Bud, whose orders would keep the Duber busy. */
const CAST = [HARRIET, OTIS, LIVE_DUBERS[0]];
const PACE = 100;
/** So many that everybody has looked several times. */
const MANY_LOOKS = 30;

let dataDir: string;
let closers: (() => unknown)[];
let product: Product;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'rubadub-neighbours-'));
  closers = [];
  // Nothing is left of the demo's history, so that the test only waits for its own orders.
  writeSeed(dataDir, { state: 'done', doneAt: new Date().toISOString() });
  const maps = { MAPBOX_TOKEN: 'pk.1', MAP_STYLE_URL: 'https://tiles.example.org/style.json' };
  product = await openProduct({
    env: { DATA_DIR: dataDir, PORT: '0', DEMO: 'live', RATE_LIMIT_SCALE: '1000', ...maps },
    ...{ withWeb: false, log: () => {}, onClose: (close) => closers.push(close) },
  });
  const inboxUrl = `${product.localUrl}/sandbox/mail/messages`;
  const target = { apiUrl: apiUrl(), inboxUrl, password: DEMO_PASSWORD, isEmpty: true, send: product.maintenance.send };
  await addPeople(target, [...new Set([...VISITORS, ...CAST, TOMAS])]);
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  rmSync(dataDir, { recursive: true, force: true });
});

const apiUrl = () => `${product.localUrl}/api`;

let sent: number;
let opened: Neighbours[];
let residents: Map<string, Resident>;
let aheadMs: number;

beforeEach(() => {
  sent = 0;
  opened = [];
  residents = new Map();
  aheadMs = 0;
});

afterEach(async () => {
  for (const neighbours of opened) await neighbours.close();
});

function open(people: readonly DemoPerson[] = CAST): Neighbours {
  const { visits, maintenance } = product;
  if (!visits) throw new Error('the demo is not live');
  const send: typeof fetch = (input, init) => {
    sent += 1;
    return maintenance.send(input, init);
  };
  const enter = createSignIn({ apiUrl: apiUrl(), password: DEMO_PASSWORD, send });
  const neighbours = openNeighbours({
    people,
    enter: async (person, signal) => {
      const resident = await enter(person, signal);
      residents.set(person.email, resident);
      return resident;
    },
    ...{ visits, since: new Date(0), random: createRandom(1), pace: () => PACE, now: () => Date.now() + aheadMs },
  });
  opened.push(neighbours);
  return neighbours;
}

async function visit(email: string) {
  const { authToken, user } = await createClient(apiUrl()).login({ body: { email, password: DEMO_PASSWORD } });
  return { user, api: createClient(apiUrl(), () => authToken) };
}
type Visit = Awaited<ReturnType<typeof visit>>;

const place = (bud: Visit, scrubId: string): Promise<Order> =>
  bud.api.placeOrder({
    body: {
      ...{ budAddressId: bud.user.addresses[0]?.id ?? '', scrubId, loadSize: 'Small' },
      paymentSourceId: 'cnon:card-nonce-ok',
    },
    idempotencyKey: crypto.randomUUID(),
  });

const readOrder = (bud: Visit, { id }: Order) => bud.api.readOrder({ params: { id } });
const findDelivery = (order: Order, type: string) => order.deliveries.find(({ deliveryType }) => deliveryType === type);

async function waitForLooks(): Promise<void> {
  const before = sent;
  await waitUntil(() => sent >= before + MANY_LOOKS);
}

it('an order of a visitor is accepted, fetched, washed and brought back, also by neighbours who were away in between', async () => {
  const first = open();
  const bud = await visit('bud@rubadub.test');
  const nearby = await bud.api.findScrubsNearby({ query: { addressId: bud.user.addresses[0]?.id ?? '' } });
  const harriet = nearby.find(({ scrub }) => scrub.fullname === HARRIET.fullname)?.scrub.id ?? '';
  const order = await place(bud, harriet);
  await waitFor(async () => {
    const { deliveries } = await readOrder(bud, order);
    expect(deliveries[0]?.duberId).toBeTruthy();
  });
  await first.close();
  open();
  await waitFor(async () => {
    const seen = await readOrder(bud, order);
    expect(seen.status).toBe('Completed');
    expect(findDelivery(seen, 'Scrub_To_Bud')?.status).toBe('Delivered');
  });
  const { deliveries, exceptions } = await readOrder(bud, order);
  expect(exceptions).toEqual([]);
  expect(deliveries.map(({ exceptions: ofDelivery }) => ofDelivery)).toEqual([[], []]);
  for (const { id } of deliveries)
    expect((await bud.api.readPosition({ params: { id } })).position).toMatchObject({ latitude: expect.any(Number) });
});

it('a visitor who plays all three roles meets no neighbour', async () => {
  open();
  const [bud, scrub, duber] = [
    await visit('bud@rubadub.test'),
    await visit('scrub@rubadub.test'),
    await visit('duber@rubadub.test'),
  ];
  const order = await place(bud, scrub.user.id);
  const params = { id: order.id };
  await waitForLooks();
  expect((await readOrder(bud, order)).status).toBe('Requested');
  await scrub.api['accept-order']({ params });
  await waitForLooks();
  const accepted = await readOrder(bud, order);
  expect(accepted.deliveries.map(({ status }) => status)).toEqual(['Pending']);
  const drive = async (type: string) => {
    const id = findDelivery(await readOrder(bud, order), type)?.id ?? '';
    for (const { action } of DELIVERY_FLOW) await duber.api[action]({ params: { id } });
  };
  await drive('Bud_To_Scrub');
  await waitForLooks();
  expect((await readOrder(bud, order)).status).toBe('Accepted');
  await scrub.api['start-order']({ params });
  await waitForLooks();
  expect((await readOrder(bud, order)).status).toBe('In_Progress');
  await scrub.api['complete-order']({ params });
  await waitForLooks();
  expect(findDelivery(await readOrder(bud, order), 'Scrub_To_Bud')?.status).toBe('Pending');
  await drive('Scrub_To_Bud');
  const { reviews, deliveries } = await readOrder(bud, order);
  expect(reviews).toEqual([]);
  expect(deliveries.map(({ duberId }) => duberId)).toEqual([duber.user.id, duber.user.id]);
  for (const { api } of [bud, scrub, duber]) await api.logout();
});

it('one browser that plays all three roles in turn meets no neighbour either', async () => {
  open();
  const as = async <T>(email: string, act: (visitor: Visit) => Promise<T>): Promise<T> => {
    const visitor = await visit(email);
    const result = await act(visitor);
    await visitor.api.logout();
    await waitForLooks();
    return result;
  };
  const scrubId = await as('scrub@rubadub.test', async ({ user }) => user.id);
  const order = await as('bud@rubadub.test', (bud) => place(bud, scrubId));
  const params = { id: order.id };
  const accepted = await as('scrub@rubadub.test', async ({ api }) => {
    expect((await api.readOrder({ params })).status).toBe('Requested');
    await api['accept-order']({ params });
    return api.readOrder({ params });
  });
  await as('duber@rubadub.test', async ({ api }) => {
    const id = findDelivery(accepted, 'Bud_To_Scrub')?.id ?? '';
    for (const { action } of DELIVERY_FLOW) await api[action]({ params: { id } });
  });
  await as('scrub@rubadub.test', async ({ api }) => {
    expect((await api.readOrder({ params })).status).toBe('Accepted');
    await api['start-order']({ params });
    await waitForLooks();
    expect((await api.readOrder({ params })).status).toBe('In_Progress');
  });
});

it('while nobody visits they send nothing, until the next visitor does something', async () => {
  const neighbours = open();
  const bud = await visit('bud@rubadub.test');
  await waitForLooks();
  aheadMs = TIMES.awake;
  await waitUntil(neighbours.isAsleep);
  const before = sent;
  // What an app reads because of a live event says nothing about people.
  for (let i = 0; i < 10; i += 1) await bud.api.budDashboard();
  expect(sent).toBe(before);
  expect(neighbours.isAsleep()).toBe(true);
  aheadMs = 0;
  await bud.api.session();
  await waitForLooks();
});

it('where hand-overs are proved, a neighbour who washes says what has arrived, and the Bud does so at the own door', async () => {
  const choose = (value: Preset) =>
    setPolicy(product.server.db, { name: 'proof', value, setBy: 'the test' }, new Date());
  await choose('careful');
  open();
  const bud = await visit('bud@rubadub.test');
  await waitUntil(() => residents.has('otis@rubadub.test'));
  const order = await place(bud, residents.get('otis@rubadub.test')?.id ?? '');
  await waitFor(async () => {
    expect(findDelivery(await readOrder(bud, order), 'Scrub_To_Bud')?.status).toBe('Way_To_Drop');
  });
  await bud.api.confirmReceived({ params: { id: order.id }, body: { bags: 1 } });
  await waitFor(async () => {
    expect(findDelivery(await readOrder(bud, order), 'Scrub_To_Bud')?.status).toBe('Delivered');
  });
  await choose('open');
});

it('where hand-overs are proved, a neighbour counts as many bags at the own door as their Duber', async () => {
  const { db } = product.server;
  const choose = (value: Preset) => setPolicy(db, { name: 'proof', value, setBy: 'the test' }, new Date());
  await choose('careful');
  await visit('bud@rubadub.test');
  open([OTIS, LIVE_DUBERS[0], TOMAS]);
  await waitUntil(() => residents.has(TOMAS.email) && residents.has(OTIS.email));
  const [tomas, otis] = [residents.get(TOMAS.email) as Resident, residents.get(OTIS.email) as Resident];
  const order = await tomas.api.placeOrder({
    body: {
      ...{ budAddressId: tomas.home.id, scrubId: otis.id, loadSize: 'Large' },
      paymentSourceId: 'cnon:card-nonce-ok',
    },
    idempotencyKey: crypto.randomUUID(),
  });
  await waitFor(async () => {
    const seen = await tomas.api.readOrder({ params: { id: order.id } });
    expect(findDelivery(seen, 'Scrub_To_Bud')?.status).toBe('Delivered');
  });
  expect(await db.selectFrom('cases').select('kind').where('order_id', '=', order.id).execute()).toEqual([]);
  await choose('open');
});

it('an account that its owner has locked keeps nobody else from going on, and closing waits for nothing', async () => {
  const bud = await visit('bud@rubadub.test');
  const neighbours = open();
  await waitUntil(() => residents.has('otis@rubadub.test'));
  const otis = residents.get('otis@rubadub.test');
  await otis?.api.endOtherSessions();
  await otis?.api.logout();
  const order = await place(bud, otis?.id ?? '');
  await waitFor(async () => expect((await readOrder(bud, order)).status).not.toBe('Requested'));
  await neighbours.close();
  const before = sent;
  await bud.api.session();
  expect(sent).toBe(before);
});

it('neighbours order from each other while somebody visits, never from the Scrub whom visitors play', async () => {
  await visit('bud@rubadub.test');
  open([...CAST, TOMAS]);
  const orders = await waitFor(async () => {
    const tomas = residents.get(TOMAS.email);
    const items = (await tomas?.api.listOrders())?.data.items ?? [];
    expect(items.length).toBeGreaterThan(0);
    return items;
  });
  for (const { scrub } of orders) expect(scrub.fullname).not.toBe(HARRIET.fullname);
});
