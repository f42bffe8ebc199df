import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLANTED_BUGS } from './plantedBugs/all.ts';
import { editsOf } from './plantedBugs/plantedBug.ts';
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

  // Suites that need a browser inject their own bugs into the page.
  test.skipIf(suites.every(({ file }) => file.startsWith('journeys/')))('has at least two planted bugs', () => {
    const files = new Set(suites.map(({ file }) => file));
    expect(PLANTED_BUGS.filter(({ suite }) => files.has(suite)).length).toBeGreaterThanOrEqual(2);
  });
});

// `npm run planted` checks that the suites find the bugs; this checks in every run that they can still be planted.
test.each(PLANTED_BUGS)('the bug "$bug" can be planted in $file', (bug) => {
  for (const { file, find, replace } of editsOf(bug)) {
    expect(read(file).split(find).length - 1, `occurrences in ${file} of: ${find}`).toBe(1);
    expect(replace).not.toBe(find);
  }
  expect(read(bug.suite)).toContain('test');
});
