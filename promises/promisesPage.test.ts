import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from './mutants/all.ts';
import { PROMISES, type PromiseDefinition } from './promises.ts';
import { PAGE_FILE, readStoredFigures, renderPage } from './promisesPage.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const promises: readonly PromiseDefinition[] = PROMISES;

test('PROMISES.md is up to date with promises.ts and figures.json (npm run night -- --page writes it)', () => {
  const page = readFileSync(PAGE_FILE, 'utf8');
  expect(page).toBe(renderPage(page, readStoredFigures()));
});

describe.each(promises)('$promise', ({ suites }) => {
  test.each(suites)('$file declares the suite $id', ({ id, file, ci, night }) => {
    const declared = file.startsWith('journeys/') ? `createCaseCounter('${id}')` : `describePromise('${id}'`;
    expect(read(file)).toContain(declared);
    const isWhole = ci === night || (ci === 'may differ' && night === 'all');
    expect(isWhole || Number(ci) < Number(night)).toBe(true);
  });

  // Suites that need a browser change the page themselves.
  test.skipIf(suites.every(({ file }) => file.startsWith('journeys/')))('has at least two mutants', () => {
    const files = new Set(suites.map(({ file }) => file));
    expect(MUTANTS.filter(({ suite }) => files.has(suite)).length).toBeGreaterThanOrEqual(2);
  });
});
