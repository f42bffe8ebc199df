import { expect, test } from 'vitest';
import { drawingOf } from './Avatar.tsx';

test('a name always has the same drawing, and names share all of them', () => {
  const names = Array.from({ length: 500 }, (_, index) => `Person ${index} Sudds`);
  const drawings = names.map((name) => JSON.stringify(drawingOf(name)));
  expect(names.map((name) => JSON.stringify(drawingOf(` ${name} `)))).toEqual(drawings);
  expect(new Set(drawings).size).toBe(36);
});

test.each(['', '李', '🧺'])('a name like "%s" has one too', (name) => {
  expect(drawingOf(name).shape.path).toMatch(/^M/);
});
