import { describe, expect, test } from 'vitest';
import { FIELDS_OF_CALLS } from '../testing/fieldSets.ts';
import { pathsOf } from '../testing/partialSchema.ts';
import { ALL_FIELDS, defaultFields, type FieldTree, fieldTree, parseFields, type WithFields } from './answerFields.ts';
import { API } from './api.ts';
import type { Call } from './call.ts';
import { createClient } from './client.ts';
import type { duberDashboard } from './dashboards.ts';
import { ORDER_LIST, type Order } from './orders.ts';

const order = ORDER_LIST.item;

test('the calls with `fields` are known to the tests', () => {
  const calls = Object.entries(API) as [string, Call][];
  const withFields = calls.filter(([, { query }]) => query && 'fields' in query.shape).map(([name]) => name);
  expect(withFields.toSorted()).toEqual(Object.keys(FIELDS_OF_CALLS).toSorted());
});

describe('fields are read', () => {
  test('as dot paths joined by commas, in the order of the shape', () => {
    expect(fieldTree(order, ['scrub.fullname', 'status', 'deliveries.order.bud.id', ' id'])).toEqual({
      id: true,
      status: true,
      scrub: { fullname: true },
      deliveries: { order: { bud: { id: true } } },
    });
    const text = (fields: FieldTree) => JSON.stringify(fields);
    expect(text(fieldTree(order, ['status', 'id']))).toBe(text(fieldTree(order, ['id', 'status', 'id'])));
  });

  test('without any as all but the optional ones', () => {
    const fields = defaultFields(order);
    expect(fields).toMatchObject({ id: true, isScrubAway: true });
    expect(fields).not.toHaveProperty('situation');
    expect(parseFields(order, '')).toEqual({ fields });
    expect(parseFields(order, '', ['id'])).toEqual({ fields });
  });

  test('with those that are always included', () => {
    expect(parseFields(order, 'status', ['id'])).toEqual({ fields: { id: true, status: true } });
  });

  test('the same for a whole property, for it and a part of it, and for all its parts', () => {
    const whole = fieldTree(order, ['price']);
    expect(fieldTree(order, ['price', 'price.taxes'])).toEqual(whole);
    expect(fieldTree(order, ['price.taxes', 'price'])).toEqual(whole);
    const parts = ['loadPrice', 'delivery', 'pickup', 'platformFee', 'taxes', 'totalPrice'];
    expect(fieldTree(order, parts.map((part) => `price.${part}`).toReversed())).toEqual(whole);
    expect(fieldTree(order, pathsOf(order))).toBe(ALL_FIELDS);
  });

  test('an optional property only by its name', () => {
    const { answer } = API.budDashboard;
    const usual = Object.keys(answer.shape).filter((name) => name !== 'openOrders');
    expect(parseFields(answer, '')).toEqual({ fields: fieldTree(answer, usual) });
    expect(fieldTree(answer, [...usual, 'openOrders'])).toBe(ALL_FIELDS);
    expect(fieldTree(answer, ['openOrders.scrub.fullname'])).toEqual({ openOrders: { scrub: { fullname: true } } });
  });

  test.each([
    ['password', 'fields has no "password": it may name id, number, '],
    ['status,scrub.email', 'fields has no "scrub.email": scrub may name id, fullname, addresses'],
    ['status.length', 'fields has no "status.length": status has no properties'],
    ['scrub,scrub.nothing', 'fields has no "scrub.nothing": scrub may name '],
    ['__proto__', 'fields has no "__proto__": '],
    ['scrub.constructor', 'fields has no "scrub.constructor": '],
    ['id,,status', 'fields has no "": '],
    ['x'.repeat(5_000), `fields has no "${'x'.repeat(100)}": `],
  ])('and an unknown one in %s is named', (text, message) => {
    const result = parseFields(order, text);
    expect('problem' in result && result.problem.slice(0, message.length)).toBe(message);
  });
});

test('the client has the type of what was asked for', async () => {
  const sent: string[] = [];
  const send = async (url: unknown) => {
    sent.push(String(url));
    return Response.json({
      data: { items: [{ id: '1', scrub: { fullname: 'Grace' } }], totalCount: 1, sumFields: {} },
    });
  };
  const api = createClient('/api', () => undefined, send as typeof fetch);
  const [row] = (await api.listOrders({ query: { fields: ['id', 'scrub.fullname'] } })).data.items;
  const fullname: string | undefined = row?.scrub.fullname;
  // @ts-expect-error the status was not asked for
  const { status } = row ?? {};
  // @ts-expect-error nor were the addresses
  const { addresses } = row?.scrub ?? {};
  expect([fullname, status, addresses]).toEqual(['Grace', undefined, undefined]);
  expect(sent).toEqual(['/api/scrub-orders?fields=id%2Cscrub.fullname']);
  // @ts-expect-error there is no such field
  await api.listOrders({ query: { fields: ['id', 'scrub.password'] } });
  const [whole] = (await api.listOrders()).data.items;
  const everything: Order | undefined = whole;
  // @ts-expect-error a part of an order is not an order
  const part: Order | undefined = row;
  expect([everything, part]).toHaveLength(2);
});

test('a field of null or of a list keeps its null or its list', () => {
  type Dashboard = WithFields<
    ReturnType<typeof duberDashboard.answer.parse>,
    'activeDelivery.id' | 'latestDeliveries.id'
  >;
  const shown: Dashboard = { activeDelivery: null, latestDeliveries: [{ id: '1' }] };
  // @ts-expect-error it may be null
  expect(() => shown.activeDelivery.id).toThrow();
});
