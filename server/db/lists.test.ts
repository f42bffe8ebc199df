import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FieldKind, type Filter, OPERATORS } from '../../contract/lists.ts';
import { BUD_ORDER_FIELDS, DELIVERY_LIST_FIELDS, SCRUB_JOB_FIELDS } from '../../contract/screenFields.ts';
import { LOAD_SIZES, ORDER_STATUSES } from '../../domain/orders.ts';
import { expectMatchesContract, expectValidationErrors, sendRequest } from '../../testing/checkedClient.ts';
import {
  type Item,
  LISTS,
  type List,
  type ListQuery,
  positionOf,
  queryReferenceModel,
  toQueryString,
} from '../../testing/listModel.ts';
import { advanceDelivery, createOrderInStatus, createParticipants } from '../../testing/orderSteps.ts';
import { pathsOf } from '../../testing/partialSchema.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

describe.each(DATABASE_KINDS)('lists on %s', (kind) => {
  let server: TestServer;
  let people: TestUser[];
  const rows = { listOrders: new Map<TestUser, Item[]>(), listDeliveries: new Map<TestUser, Item[]>() };

  beforeAll(async () => {
    server = await openTestServer(kind);
    people = await createOrders(server);
    for (const someone of people) await readAll(someone);
  });
  afterAll(() => server?.close());

  /** Reads every order and delivery of a user by its id, without lists. */
  async function readAll(someone: TestUser): Promise<void> {
    const { role, id } = someone.user;
    const mine = ordersByServer.get(server)?.filter(({ budId, scrubId }) => budId === id || scrubId === id) ?? [];
    const orders =
      role === 'Duber' ? [] : await Promise.all(mine.map((one) => someone.api.readOrder({ params: { id: one.id } })));
    rows.listOrders.set(someone, orders);
    if (role !== 'Duber')
      return void rows.listDeliveries.set(
        someone,
        orders.flatMap(({ deliveries }) => deliveries),
      );
    const accepted = (deliveriesByServer.get(server) ?? []).filter(({ duberId }) => duberId === id);
    rows.listDeliveries.set(
      someone,
      await Promise.all(accepted.map((one) => someone.api.readDelivery({ params: { id: one.id } }))),
    );
  }

  const request = (list: List, someone: TestUser, query: ListQuery | string) =>
    sendRequest(server.apiUrl, 'GET', list.path + (typeof query === 'string' ? query : toQueryString(query)), {
      token: someone.token,
    });

  async function expectMatchesModel(list: List, someone: TestUser, query: ListQuery): Promise<void> {
    const { status, body } = await request(list, someone, query);
    expect(status, JSON.stringify(body)).toBe(200);
    expectMatchesContract(list.call, body, query.fields);
    expect(body.data).toEqual(queryReferenceModel(list, rows[list.call].get(someone) ?? [], query));
  }

  const readers = (list: List) => people.filter(({ user }) => list.call === 'listDeliveries' || user.role !== 'Duber');

  /** Values of a field: of the user's items, of other users' items, and of none. */
  const valuesOf = (list: List, field: string, kind: FieldKind): (string | boolean)[] => {
    if (kind === 'boolean') return [true, false];
    if (Array.isArray(kind)) return [...kind];
    const all = [...rows[list.call].values()].flat();
    const existing = [...new Set(all.map((item) => item[field]))].filter(
      (one): one is string => typeof one === 'string',
    );
    if (kind === 'time')
      return [...existing, '1999-12-31T23:59:59Z', '2999-01-01T00:00:00.000+14:00', '2030-06-01T00:00:00-05:30'];
    if (kind === 'order-number')
      return ['999999999999999', existing[0]?.slice(2) ?? '', ...existing.slice(0, 12), 'R-1'];
    return [...existing.slice(0, 12), '0192f0c1-7a3b-7c4d-8e5f-0123456789ab', 'FFFFFFFF-7a3b-7c4d-8e5f-0123456789ab'];
  };

  test('every list has more than three items', () => {
    for (const list of LISTS) {
      for (const someone of readers(list)) expect(rows[list.call].get(someone)?.length).toBeGreaterThan(3);
    }
  });

  describe.each(LISTS)('$path', (list) => {
    const fields = Object.entries(list.shape.filters);
    const SCREEN_FIELDS = list.call === 'listOrders' ? [BUD_ORDER_FIELDS, SCRUB_JOB_FIELDS] : [DELIVERY_LIST_FIELDS];

    test.each(fields)('can be filtered by %s with every operator', async (field, kind) => {
      const values = valuesOf(list, field, kind);
      for (const operator of OPERATORS) {
        for (const [index, value] of values.slice(0, 4).entries()) {
          const someone = readers(list)[index % readers(list).length] as TestUser;
          const operand = operator === 'in' ? values.slice(index, index + 3) : value;
          const filters = [{ field, operator, value: operand }];
          await expectMatchesModel(list, someone, { filters, pageSize: 100, sumFields: [...list.shape.sums] });
        }
      }
    });

    test('gives the same as a plain implementation for any query of any user', async () => {
      const filter = fc.constantFrom(...fields).chain(([field, kind]) => {
        const value = fc.constantFrom(...valuesOf(list, field, kind));
        return fc.oneof(
          fc.record({
            field: fc.constant(field),
            operator: fc.constantFrom(...OPERATORS.filter((one) => one !== 'in')),
            value,
          }),
          fc.record({
            field: fc.constant(field),
            operator: fc.constant('in' as const),
            value: fc.array(value, { maxLength: 4 }),
          }),
        );
      });
      const query = fc.record(
        {
          pageNumber: fc.integer({ min: 1, max: 5 }),
          pageSize: fc.integer({ min: 1, max: 12 }),
          sortField: fc.constantFrom(...list.shape.sorts),
          sortDirection: fc.constantFrom('asc' as const, 'desc' as const),
          filters: fc.array(filter, { maxLength: 3 }),
          sumFields: fc.subarray([...list.shape.sums]),
          fields: fc.oneof(fc.subarray(pathsOf(list.shape.item), { maxLength: 8 }), fc.constantFrom(...SCREEN_FIELDS)),
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...readers(list)),
          query,
          fc.option(fc.nat()),
          async (someone, anyQuery, place) => {
            const items = rows[list.call].get(someone) ?? [];
            const last = place === null ? undefined : items[place % items.length];
            const after = last && positionOf(last, anyQuery.sortField ?? 'createdAt');
            await expectMatchesModel(list, someone, {
              ...anyQuery,
              ...(after && { after, pageNumber: 1 }),
            } as ListQuery);
          },
        ),
        propertyRuns(50),
      );
    });

    test('without a query has the ten newest items', async () => {
      for (const someone of readers(list)) await expectMatchesModel(list, someone, {});
    });

    test('has every item on exactly one page, in every order', async () => {
      for (const sortField of list.shape.sorts) {
        const [someone] = readers(list) as [TestUser];
        const seen: string[] = [];
        for (let pageNumber = 1; pageNumber <= 12; pageNumber += 1) {
          const { body } = await request(list, someone, { sortField, pageNumber, pageSize: 4, fields: ['id'] });
          seen.push(...body.data.items.map((item: Item) => item.id));
        }
        expect(seen.toSorted()).toEqual((rows[list.call].get(someone) ?? []).map(({ id }) => id).toSorted());
      }
    });

    test('is read to its end with the `next` of each page, in every order and direction', async () => {
      for (const sortField of list.shape.sorts) {
        for (const sortDirection of ['asc', 'desc'] as const) {
          const [someone] = readers(list) as [TestUser];
          const whole = await request(list, someone, { sortField, sortDirection, pageSize: 100, fields: ['id'] });
          const seen: Item[] = [];
          let after: string | undefined;
          do {
            const query = { sortField, sortDirection, pageSize: 4, fields: ['id'], ...(after && { after }) };
            const { data } = (await request(list, someone, query)).body;
            expect(data.totalCount).toBe(whole.body.data.totalCount);
            seen.push(...data.items);
            after = data.next ?? undefined;
          } while (after);
          expect(seen).toEqual(whole.body.data.items);
        }
      }
    });

    test('never shows an item of another user, whatever the filters are', async () => {
      const filters = fields.flatMap(([field, kind]) =>
        valuesOf(list, field, kind).map((value): Filter => ({ field, operator: 'eq', value })),
      );
      for (const someone of readers(list)) {
        const own = new Set((rows[list.call].get(someone) ?? []).map(({ id }) => id));
        for (const one of filters.filter(({ field }) => field.endsWith('Id') || field === 'id')) {
          const { body } = await request(list, someone, { filters: [one], pageSize: 100, fields: ['id'] });
          for (const { id } of body.data.items as Item[]) expect(own).toContain(id);
        }
      }
    });

    const WRONG: readonly [query: string, property: string][] = [
      ['?pageNumber=0', 'pageNumber'],
      ['?pageNumber=-1', 'pageNumber'],
      ['?pageNumber=1.5', 'pageNumber'],
      ['?pageNumber=', 'pageNumber'],
      ['?pageNumber=1000001', 'pageNumber'],
      ['?pageNumber=99999999999999999999', 'pageNumber'],
      ['?pageSize=0', 'pageSize'],
      ['?pageSize=101', 'pageSize'],
      ['?pageSize=all', 'pageSize'],
      ['?pageSize=1&pageSize=2', 'pageSize'],
      ['?after=', 'after'],
      ['?after=x', 'after'],
      ['?after=2026-01-01T00:00:00Z', 'after'],
      ['?after=yesterday_0192f0c1-7a3b-7c4d-8e5f-0123456789ab', 'after'],
      ['?after=2026-01-01T00:00:00Z_x', 'after'],
      ['?after=2026-01-01T00:00:00Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab_1', 'after'],
      ['?after=2026-01-01T00:00:00Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab&pageNumber=2', 'after'],
      ['?after=2026-01-01T00:00:00Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab&sortField=price', 'after'],
      ['?after=2026-01-01T00:00:00Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab_x&sortField=price', 'after'],
      ['?after=2026-01-01T00:00:00Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab_9999999999&sortField=price', 'after'],
      ['?after=2026-01-01T00:00:00Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab_Lost&sortField=status', 'after'],
      ['?after=x&after=y', 'after'],
      ['?sortField=password_hash', 'sortField'],
      ['?sortField=id', 'sortField'],
      ['?sortField=constructor', 'sortField'],
      ['?sortDirection=DESC', 'sortDirection'],
      ['?sortDirection=desc;drop', 'sortDirection'],
      ['?sumFields=createdAt', 'sumFields'],
      ['?sumFields=__proto__', 'sumFields'],
      ['?fields=id,password_hash', 'fields'],
      ['?fields=__proto__', 'fields'],
      ['?fields=id,,status', 'fields'],
      ['?fields=id.', 'fields'],
      ['?fields=.id', 'fields'],
      ['?fields=id.length', 'fields'],
      ['?fields=scrub.password_hash', 'fields'],
      ['?fields=scrub.constructor', 'fields'],
      ['?fields=id&fields=status', 'fields'],
      ['?page=2', 'page'],
      ['?filters=', 'filters'],
      ['?filters=x', 'filters'],
      ['?filters=null', 'filters'],
      ['?filters={}', 'filters'],
      ['?filters=[1]', 'filters'],
      ['?filters=[null]', 'filters'],
      ['?filters=[[]]', 'filters'],
    ];

    test.each(WRONG)('answers 400 to %s, about %s', async (query, property) => {
      const [someone] = readers(list) as [TestUser];
      const url = query.replaceAll('[', '%5B').replaceAll(']', '%5D').replaceAll('{', '%7B').replaceAll('}', '%7D');
      expect(expectValidationErrors(await request(list, someone, url)).map(([one]) => one)).toEqual([property]);
    });

    const eq = (field: string, value: unknown, operator = 'eq') => ({ field, operator, value });
    const BAD_FILTERS: readonly object[] = [
      {},
      { field: 'status', operator: 'eq' },
      { field: 'status', value: 'Accepted' },
      { ...eq('status', 'Accepted'), or: true },
      eq('email', 'x'),
      eq('password_hash', 'x'),
      eq('__proto__', 'x'),
      eq('toString', 'x'),
      eq('status', 'accepted'),
      eq('status', null),
      eq('status', ['Accepted']),
      eq('status', 'Accepted', 'like'),
      eq('status', 'Accepted', 'in'),
      eq('status', ['Accepted', 3], 'in'),
      eq('status', Array(101).fill('Accepted'), 'in'),
      eq('budId', 'x'),
      eq('budId', "' or 1=1"),
      eq('budId', 1),
      eq('createdAt', 'yesterday'),
      eq('createdAt', '2026-02-30T00:00:00Z'),
      eq('createdAt', '0000-01-01T00:00:00Z'),
      eq('createdAt', '2026-01-01T00:00:00+23:00'),
      eq('createdAt', 'infinity'),
      eq('createdAt', 1767225600000),
      eq('number', 'R-'),
      eq('number', 1042),
      eq('number', ['R-1042']),
      eq('number', '9'.repeat(19)),
    ];

    test.each(BAD_FILTERS)('answers 400 to the filter %j', async (filter) => {
      const [someone] = readers(list) as [TestUser];
      const query = `?${new URLSearchParams({ filters: JSON.stringify([filter]) })}`;
      expect(expectValidationErrors(await request(list, someone, query)).map(([one]) => one)).toEqual(['filters']);
    });

    test('accepts up to twenty filters, and any valid time', async () => {
      const [someone] = readers(list) as [TestUser];
      const filter: Filter = { field: 'createdAt', operator: 'gte', value: '0001-01-01T00:00:00+14:00' };
      await expectMatchesModel(list, someone, { filters: Array(20).fill(filter) });
      expect((await request(list, someone, { filters: Array(21).fill(filter) })).status).toBe(400);
      const far: Filter = { field: 'createdAt', operator: 'lte', value: '9999-12-31T23:59:59.999999-15:00' };
      await expectMatchesModel(list, someone, { filters: [far], pageNumber: 1_000_000, pageSize: 100 });
    });
  });

  test('a Duber gets 403 from the list of orders', async () => {
    for (const someone of people.filter(({ user }) => user.role === 'Duber')) {
      expect((await request(LISTS[0] as List, someone, {})).status).toBe(403);
    }
  });
});

const ordersByServer = new WeakMap<TestServer, { id: string; budId: string; scrubId: string }[]>();
const deliveriesByServer = new WeakMap<TestServer, { id: string; duberId: string }[]>();

/** Two groups of participants who trade with each other, with orders of every status, size and kind. */
async function createOrders(server: TestServer): Promise<TestUser[]> {
  const groups = [await createParticipants(server), await createParticipants(server)] as const;
  const orders: { id: string; budId: string; scrubId: string }[] = [];
  const deliveries: { id: string; duberId: string }[] = [];
  for (let index = 0; index < 24; index += 1) {
    const { bud } = groups[index % 2] ?? groups[0];
    const { scrub, duber } = groups[Math.floor(index / 3) % 2] ?? groups[0];
    const status = ORDER_STATUSES[index % 6 === 5 ? 3 : index % ORDER_STATUSES.length] ?? 'Requested';
    const order = await createOrderInStatus({ bud, scrub }, status, {
      loadSize: LOAD_SIZES[index % 3],
      selfDelivery: index % 5 === 1,
      selfPickup: index % 7 === 2,
    });
    orders.push({ id: order.id, budId: bud.user.id, scrubId: scrub.user.id });
    for (const delivery of order.deliveries.slice(0, index % 3)) {
      await advanceDelivery(duber, delivery.id);
      deliveries.push({ id: delivery.id, duberId: duber.user.id });
    }
    server.advanceClock(1 + (index % 4) * 60_000);
  }
  // And one delivery under way for each group.
  for (const { bud, scrub, duber } of groups) {
    const order = await createOrderInStatus({ bud, scrub }, 'Accepted');
    orders.push({ id: order.id, budId: bud.user.id, scrubId: scrub.user.id });
    const [delivery] = order.deliveries;
    await advanceDelivery(duber, delivery?.id ?? '', 2);
    deliveries.push({ id: delivery?.id ?? '', duberId: duber.user.id });
  }
  ordersByServer.set(server, orders);
  deliveriesByServer.set(server, deliveries);
  return groups.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]);
}
