import { expect, test } from 'vitest';
import { ORDER_SIZES, SIZE_POUNDS } from '../../domain/orders.ts';
import { loadSizeLabel } from './loadSizeLabel.ts';

test('the name of a size says its pounds', () => {
  for (const size of ORDER_SIZES)
    expect(loadSizeLabel(size)).toBe(`${size} (${SIZE_POUNDS[size].from}-${SIZE_POUNDS[size].to} lbs)`);
});
