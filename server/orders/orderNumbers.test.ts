import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { queryRow } from '../db/database.ts';

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
    const twice = sql`update orders set number = 1001 where id = ${placed[0]?.id}`;
    await expect(queryRow(server.server.db, twice)).rejects.toThrow('orders_number');
  });

  test('are the same for the Bud, the Scrub and the Duber, and on the dashboard', async () => {
    const { id, number } = await placeOrder(people);
    await people.scrub.api['accept-order']({ params: { id } });
    const order = await people.scrub.api.readOrder({ params: { id } });
    expect(order.number).toBe(number);
    const [delivery] = order.deliveries;
    expect(delivery?.order.number).toBe(number);
    const offered = await people.duber.api.readDelivery({ params: { id: delivery?.id ?? '' } });
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
