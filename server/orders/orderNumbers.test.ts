import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import {
  createTestDatabase,
  DATABASE_KINDS,
  type DatabaseKind,
  openTestServer,
  type TestServer,
} from '../../testing/testServer.ts';
import {
  type Database,
  openEmbeddedDatabase,
  openServerDatabase,
  queryRow,
  queryRows,
  type Tx,
} from '../db/database.ts';
import { MIGRATIONS, migrate } from '../db/migrate.ts';

const numberOf = (order: { readonly number: string }) => Number(order.number.slice(2));

describe.each(DATABASE_KINDS)('the numbers of orders on %s', (kind) => {
  let server: TestServer;
  // A second server on the same PostgreSQL database.
  let secondServer: TestServer;
  let people: Participants;
  beforeAll(async () => {
    server = await openTestServer(kind);
    secondServer = kind === 'postgres' ? await openTestServer(kind, { beside: server }) : server;
    people = await createParticipants(server);
  });
  afterAll(async () => {
    if (secondServer !== server) await secondServer?.close();
    await server?.close();
  });

  const findNumbers = async (value: string | string[], api = people.bud.api) => {
    const filters = JSON.stringify([{ field: 'number', operator: Array.isArray(value) ? 'in' : 'eq', value }]);
    const { data } = await api.listOrders({ query: { filters, fields: ['number'] } });
    return data.items.map(({ number }) => number).toSorted();
  };

  test('begin at R-1001, and differ when two servers place orders at once', async () => {
    const first = await placeOrder(people);
    expect(first.number).toBe('R-1001');
    const budAtSecond = { ...people.bud, api: secondServer.api(people.bud.token) };
    const placed = await Promise.all(
      Array.from({ length: 12 }, (_, index) => placeOrder({ ...people, ...(index % 2 ? { bud: budAtSecond } : {}) })),
    );
    expect(new Set([first, ...placed].map(({ number }) => number)).size).toBe(13);
    for (const order of placed) expect(numberOf(order)).toBeGreaterThan(1001);
  });

  test('are the same for the Bud, the Scrub and the Duber, and on the dashboard', async () => {
    const { id, number } = await placeOrder(people);
    await people.scrub.api['accept-order']({ params: { id } });
    const order = await people.scrub.api.readOrder({ params: { id } });
    expect(order.number).toBe(number);
    const [leg] = order.deliveries;
    expect(leg?.order.number).toBe(number);
    const offered = await people.duber.api.readDelivery({ params: { id: leg?.id ?? '' } });
    expect(offered.order.number).toBe(number);
    const { openOrders } = await people.bud.api.budDashboard({ query: { fields: ['openOrders'] } });
    expect(openOrders?.find((one) => one.id === id)?.number).toBe(number);
  });

  test('find an order of one’s own, however they are written', async () => {
    const { number } = await placeOrder(people);
    const digits = String(numberOf({ number }));
    for (const written of [number, digits, `r-${digits}`, `R ${digits}`, ` ${digits} `, `000${digits}`]) {
      expect(await findNumbers(written), written).toEqual([number]);
      expect(await findNumbers(written, people.scrub.api), written).toEqual([number]);
    }
    expect(await findNumbers([number, 'R-1001'])).toEqual(['R-1001', number]);
    expect(await findNumbers(digits.slice(0, -1)), 'not by a part').toEqual([]);
    expect(await findNumbers('999999999999999')).toEqual([]);
    const stranger = await server.createUser('Bud', { fullname: 'Eve Bud', north: 400 });
    expect(await findNumbers(number, stranger.api)).toEqual([]);
  });
});

const EARLIER_ORDERS = 2_500;
/** The id of the order that the first try fails at, in the second batch. */
const idOf = (n: number) => `01930000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const FAILS_AT = idOf(1_500);

/** Ids grow with time; the table has the rows in another order. */
const earlierOrders = (
  from: number,
  to: number,
) => sql`insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup,
    load_price, pickup_price, delivery_price, platform_fee, taxes, total_price, bud_address, scrub_address, distance_m,
    created_at)
  select ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${idOf(1)}, ${idOf(2)}, 'Completed', 'Small',
    true, true, 100, 0, 0, 0, 0, 100, '{}', '{}', 0, now()
  from generate_series(${from}::int, ${to}::int) n order by md5(n::text)`;

async function openDatabaseAt(kind: DatabaseKind, migration: string): Promise<Database> {
  const database =
    kind === 'postgres'
      ? openServerDatabase(await createTestDatabase(), 2, 'endless')
      : await openEmbeddedDatabase(undefined);
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateTo(migration);
  expect(error).toBeUndefined();
  return database;
}

const readNumber = async (db: Tx, n: number) =>
  Number((await queryRow<{ number: string }>(db, sql`select number from orders where id = ${idOf(n)}`))?.number);

describe.each(DATABASE_KINDS)('orders of before they had numbers, on %s,', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabaseAt(kind, '021_adjustments');
    await queryRows(
      database.db,
      sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at) values
        (${idOf(1)}, 'Ada', 'ada@rubadub.test', 'ada@rubadub.test', 'Bud', '', now()),
        (${idOf(2)}, 'Grace', 'grace@rubadub.test', 'grace@rubadub.test', 'Scrub', '', now())`,
    );
    await queryRows(database.db, earlierOrders(1, EARLIER_ORDERS));
  });
  afterAll(() => database?.close());

  test('get theirs oldest first, below those of new orders, also when the first try is cut off', async () => {
    const { db } = database;
    await queryRows(
      db,
      sql.raw(`create function fail() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`),
    );
    await queryRows(
      db,
      sql.raw(
        `create trigger fail before update on orders for each row when (new.id = '${FAILS_AT}') execute function fail()`,
      ),
    );
    await expect(migrate(db)).rejects.toThrow('cut off');
    expect([await readNumber(db, 1), await readNumber(db, 1_000), await readNumber(db, 1_001)]).toEqual([
      1_001, 2_000, 0,
    ]);
    // What a server of the previous release places meanwhile. The other one was placed after the earlier ones were counted.
    await queryRows(db, earlierOrders(EARLIER_ORDERS + 1, EARLIER_ORDERS + 2));
    await queryRows(db, sql`update orders set number = null where id = ${idOf(EARLIER_ORDERS + 2)}`);

    await queryRows(db, sql.raw('drop trigger fail on orders'));
    await migrate(db);
    const wrong = await queryRows(
      db,
      sql`select id, number, place from (select id, number, row_number() over (order by id) as place from orders
          where id <= ${idOf(EARLIER_ORDERS)}) numbered where number is distinct from 1000 + place limit 3`,
    );
    expect(wrong).toEqual([]);
    const later = [await readNumber(db, EARLIER_ORDERS + 1), await readNumber(db, EARLIER_ORDERS + 2)];
    expect(new Set(later).size).toBe(2);
    for (const number of later) expect(number).toBeGreaterThan(1_000 + EARLIER_ORDERS);
    const twice = sql`update orders set number = 1001 where id = ${idOf(2)}`;
    await expect(queryRows(db, twice)).rejects.toThrow('orders_number');
  });
});
