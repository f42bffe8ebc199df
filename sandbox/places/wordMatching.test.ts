import { expect, test } from 'vitest';
import { computeEditDistance, normalizeWords } from './wordMatching.ts';

test('words are normalised, and typing mistakes are counted', () => {
  expect(normalizeWords('  Café-Straße, O’Neill’s ')).toEqual(['cafe', 'straße', 'oneills']);
  expect(computeEditDistance('heron', 'heorn')).toBe(1);
  expect(computeEditDistance('kitten', 'sitting')).toBe(3);
});
