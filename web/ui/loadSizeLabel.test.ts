import { expect, test } from 'vitest';
import { ORDER_SIZES } from '../../domain/orders.ts';
import { loadSizeLabel } from './loadSizeLabel.ts';

test('the name of a size says its pounds, and the first three are those of spec 9', () => {
  expect(ORDER_SIZES.map(loadSizeLabel)).toEqual([
    'Small (1-2 lbs)',
    'Medium (3-5 lbs)',
    'Large (6-8 lbs)',
    'XL (9-15 lbs)',
    'XXL (16-25 lbs)',
    'Family (26-40 lbs)',
  ]);
});
