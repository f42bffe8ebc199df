import { expect, test } from 'vitest';
import { sortScrubs } from './sortScrubs.ts';

const found = [
  { name: 'new', rating: 0 },
  { name: 'near', rating: 4.5 },
  { name: 'best', rating: 5 },
  { name: 'far', rating: 4.5 },
];
const namesBy = (sort: 'distance' | 'rating') => sortScrubs(found, sort).map(({ name }) => name);

test('Scrubs stay in the order of the search, or the best rated come first and of equal ones the nearest', () => {
  expect(namesBy('distance')).toEqual(['new', 'near', 'best', 'far']);
  expect(namesBy('rating')).toEqual(['best', 'near', 'far', 'new']);
});
