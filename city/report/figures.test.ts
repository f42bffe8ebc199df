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

test('trouble that people see after an injected fault counts for this fault, until the next fault or the end of the faults', () => {
  const figures = createFigures(() => 0);
  figures.answered(503, 5);
  figures.beginFault('the database is away');
  figures.answered(503, 20.4);
  figures.answered(200, 10);
  figures.unanswered();
  figures.beginFault('a server is killed');
  figures.answered(200, 1);
  figures.endFault();
  figures.unanswered();
  expect(figures.faults).toEqual([
    { at: 0, what: 'the database is away', answered: 2, unavailable: 1, unanswered: 1, slowestMs: 20 },
    { at: 0, what: 'a server is killed', answered: 1, unavailable: 0, unanswered: 0, slowestMs: 1 },
  ]);
  expect(figures.counts).toEqual({ 'requests without an answer': 2 });
});
