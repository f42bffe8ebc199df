import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { signToken } from './medusa.ts';
import { boxAround } from './parse.ts';
import { copyRows, countRows, newPhone, questionOf } from './peer.ts';

it('an answer has as many rows as the list at its path, one for an object and none for nothing', () => {
  const answer = { data: { orders: { items: [1, 2, 3] }, order: { id: '7' }, me: null } };
  expect(countRows(answer, 'data.orders.items')).toBe(3);
  expect(countRows(answer, 'data.order')).toBe(1);
  expect(countRows(answer, 'data.me')).toBe(0);
  expect(countRows(answer, 'data.me.orders.items')).toBe(0);
  expect(countRows({ errors: [{ message: 'no' }] }, 'data.order')).toBe(0);
  expect(countRows([1, 2], '')).toBe(2);
});

it('the number of an order is read from the end of its id, and a place belongs to the person who asks', () => {
  const sample = { n: '12', caller: 'x', a: '01930000-0200-7000-8000-00000001431c', b: 'x' };
  expect(questionOf(sample, new Map([['12', [52, 13]]]))).toEqual({
    person: 12,
    order: 0x1431c,
    latitude: 52,
    longitude: 13,
  });
});

it('the square around a place is as wide as it is high, in metres', () => {
  const [southWest, northEast] = boxAround({ latitude: 60, longitude: 10 }, 5_000);
  const high = northEast.latitude - southWest.latitude;
  expect(high * 111_195).toBeCloseTo(10_000);
  expect((northEast.longitude - southWest.longitude) / high).toBeCloseTo(2);
});

it('copies of a row change only the columns that are named', () => {
  expect(copyRows('customer', 'bench.people p', { id: 'p.n' })).toContain(
    `jsonb_populate_record(null::customer, to_jsonb(original) || jsonb_build_object('id', p.n))`,
  );
});

it('a token of Medusa names the customer and has a valid signature', () => {
  const [head = '', payload = '', signature] = signToken('bench-42').split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    actor_id: 'cus_42',
    actor_type: 'customer',
  });
  expect(signature).toBe(createHmac('sha256', 'bench').update(`${head}.${payload}`).digest('base64url'));
});

it('each update has another phone number than the one before', () => {
  expect(newPhone()).not.toBe(newPhone());
});
