import { expect, test } from 'vitest';
import { CASE_ROWS } from '../domain/process/case.ts';
import { DELIVERY_EXCEPTIONS, DELIVERY_FLOW } from '../domain/process/delivery.ts';
import { ORDER_EXCEPTIONS, ORDER_FLOW } from '../domain/process/order.ts';
import { KNOWN_ROWS, ROWS_LEFT_OUT } from './knownRows.ts';

type Row = { readonly action: string; readonly by: string };

const PRODUCT: Readonly<Record<keyof typeof KNOWN_ROWS, readonly Row[]>> = {
  deliveries: [...DELIVERY_FLOW, ...DELIVERY_EXCEPTIONS],
  orders: [...ORDER_FLOW, ...ORDER_EXCEPTIONS],
  cases: CASE_ROWS,
};
const namesOf = (rows: readonly Row[]) => [...new Set(rows.map(({ action, by }) => `${action} by ${by}`))];
const isLeftOut = (name: string) => Object.hasOwn(ROWS_LEFT_OUT, name);

test.each(Object.keys(KNOWN_ROWS) as (keyof typeof KNOWN_ROWS)[])(
  'the model of random lives knows every row of %s, and no other',
  (workflow) => {
    const product = namesOf(PRODUCT[workflow]).filter((name) => !isLeftOut(name));
    expect([...KNOWN_ROWS[workflow]].sort()).toEqual(product.sort());
  },
);

test('a row that the model leaves out exists, and has a reason', () => {
  const product = Object.values(PRODUCT).flatMap(namesOf);
  for (const [name, why] of Object.entries(ROWS_LEFT_OUT)) {
    expect(product).toContain(name);
    expect(why).not.toBe('');
  }
});
