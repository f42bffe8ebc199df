import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLANTED_BUGS } from './plantedBugs/all.ts';
import { PROMISES, type PromiseDefinition } from './promises.ts';
import { PAGE_FILE, readStoredFigures, renderPage } from './promisesPage.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const promises: readonly PromiseDefinition[] = PROMISES;

test('PROMISES.md says what the table and the kept figures say; npm run night -- --page makes it anew', () => {
  const page = readFileSync(PAGE_FILE, 'utf8');
  expect(page).toBe(renderPage(page, readStoredFigures()));
});

describe.each(promises)('$promise', ({ suites }) => {
  test.each(suites)('has the suite $id in $file', ({ id, file, ci, night }) => {
    const declared = file.startsWith('journeys/') ? `createCaseCounter('${id}')` : `describePromise('${id}'`;
    expect(read(file)).toContain(declared);
    expect(ci === 'all' ? night : ci).toSatisfy((count) => count === night || (count as number) < (night as number));
  });

  // What needs a browser plants its own, into the page.
  test.skipIf(suites.every(({ file }) => file.startsWith('journeys/')))('has at least two planted bugs', () => {
    const files = new Set(suites.map(({ file }) => file));
    expect(PLANTED_BUGS.filter(({ suite }) => files.has(suite)).length).toBeGreaterThanOrEqual(2);
  });
});

// Whether the suites find them is for npm run planted; that they can still be planted is for every run.
test.each(PLANTED_BUGS)('the bug "$bug" can be planted in $file', ({ file, find, replace, suite }) => {
  expect(read(file).split(find).length - 1, `how often ${file} has: ${find}`).toBe(1);
  expect(replace).not.toBe(find);
  expect(read(suite)).toContain('test');
});
