import { expect, test } from 'vitest';
import { addUpFigures, type Figures } from './figures.ts';
import { divideIntoParts } from './nightParts.ts';
import { findSuite } from './promises.ts';

const figures = (more: Partial<Figures>): Figures => ({
  ...{ suite: 'unplanned-steps', column: 'night', held: true, ran: 500, stated: 500, seconds: 100, seed: 1 },
  ...{ date: '2026-11-27T00:00:00.000Z', machine: '2 × CPU', skipped: [], figures: {} },
  ...more,
});

test('the parts of a night are added up', () => {
  const sum = addUpFigures([
    figures({ figures: { 'answered 200': 10, kept: 'all' } }),
    figures({ ran: 499, held: false, figures: { 'answered 200': 5, 'answered 404': 1 } }),
  ]);
  expect(sum).toMatchObject({ ran: 999, stated: 1_000, held: false });
  expect(sum.figures).toEqual({ 'answered 200': 15, 'answered 404': 1, kept: 'all' });
});

test('the cases of a night are divided into parts, each with its own seed', () => {
  let next = 0;
  const parts = divideIntoParts({ ...findSuite('unplanned-steps'), night: 103, nightParts: 4 }, () => {
    next += 1;
    return next / 10;
  });
  expect(parts.map(({ cases }) => cases)).toEqual([26, 26, 26, 25]);
  expect(new Set(parts.map(({ seed }) => seed)).size).toBe(4);
});
