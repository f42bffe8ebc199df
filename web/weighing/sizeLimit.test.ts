import { expect, test } from 'vitest';
import { limitOf, sizesSold } from './sizeLimit.ts';

const THREE = sizesSold(undefined);
const WITH_XL = sizesSold({ largerSizes: [{ size: 'XL', pounds: 15 }] });

test('without larger sizes the three of the product are sold, and those that are sold come after them', () => {
  expect(sizesSold({})).toEqual(['Small', 'Medium', 'Large']);
  expect(WITH_XL).toEqual(['Small', 'Medium', 'Large', 'XL']);
});

test.each([
  ['nothing is chosen yet', undefined, undefined, THREE, undefined],
  ['the next size, until the Bud chooses', 'Small', undefined, THREE, 'Medium'],
  ['what the Bud chose', 'Small', 'Large', THREE, 'Large'],
  ['only what is ordered, when the Bud wants to be asked', 'Small', 'Small', THREE, 'Small'],
  ['nothing is above the largest', 'Large', undefined, THREE, 'Large'],
  ['a larger one that is sold', 'Large', undefined, WITH_XL, 'XL'],
  ['a limit below a load that was chosen afterwards', 'Large', 'Medium', WITH_XL, 'XL'],
  ['a limit that is no longer sold', 'Medium', 'Family', WITH_XL, 'Large'],
] as const)('the limit: %s', (_name, loadSize, ceilingSize, sold, limit) => {
  expect(limitOf({ loadSize, ceilingSize }, sold)).toBe(limit);
});
