import { expect, test } from 'vitest';
import { rankOf } from './testOrder.ts';

test('the tests of what a change touches run first, then those of its folders, then the long ones', () => {
  const changed = new Set(['server/orders/orders.ts', 'docs/words.md']);
  const files = [
    'web/x.test.ts',
    'promises/city.test.ts',
    'server/orders/list.test.ts',
    'server/orders/orders.test.ts',
  ];
  expect(files.map((file) => rankOf(file, changed))).toEqual([3, 2, 1, 0]);
});
