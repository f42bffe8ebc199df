import { expect, test } from 'vitest';
import { createFigures } from './figures.ts';

test('percentiles are within a twentieth of what they count', () => {
  const figures = createFigures();
  for (let ms = 1; ms <= 1_000; ms += 1) figures.answered(200, ms);
  for (const [share, exact] of [
    [0.5, 500],
    [0.99, 990],
    [1, 1_000],
  ] as const) {
    expect(figures.percentile(share)).toBeGreaterThanOrEqual(exact);
    expect(figures.percentile(share)).toBeLessThanOrEqual(exact * 1.06);
  }
  expect(figures.statuses).toEqual({ 200: 1_000 });
});
