import { expect, test } from 'vitest';
import { countSlips, foldWords } from './text.ts';

test('words fold, and slips are counted', () => {
  expect(foldWords('  Café-Straße, O’Neill’s ')).toEqual(['cafe', 'straße', 'oneills']);
  expect(countSlips('heron', 'heorn')).toBe(1);
  expect(countSlips('kitten', 'sitting')).toBe(3);
});
