import { expect, test } from 'vitest';
import { describeCorners, formatCorners, isCorners, parseCorners } from './cornerTexts.ts';

const CORNERS = [
  { latitude: 24.8, longitude: 67 },
  { latitude: -24.9, longitude: -67.25 },
];

test('corners are typed one a line, and read back', () => {
  expect(formatCorners(CORNERS)).toBe('24.8, 67\n-24.9, -67.25');
  expect(parseCorners(formatCorners(CORNERS))).toEqual(CORNERS);
  expect(parseCorners(' 24.8 67\n\n-24.9;-67.25 \n')).toEqual(CORNERS);
  expect(parseCorners('')).toEqual([]);
});

test.each(['24.8', '24.8, 67, 1', '91, 0', '0, 181', 'north, 67', '24.8,'])('%s is no corner', (line) => {
  expect(parseCorners(`24.8, 67\n${line}`)).toBeUndefined();
});

test('corners in the details of an act are distinguished from other lists', () => {
  expect(isCorners(CORNERS)).toBe(true);
  for (const other of [[], ['a'], [null], [{ item: 'pickup' }], 'x', null]) expect(isCorners(other)).toBe(false);
  expect(describeCorners(CORNERS)).toMatch(/^2 corners, /);
});
