import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './build.ts';

/** A seed that is not written in the file. What fast-check makes up, it prints by itself. */
const IS_RANDOM = /Math\.random\(|createRandom\((?!\d)/;
/** It is in the title or in the text of a failure. */
const SAYS_SEED = /describePromise\(|seed[ =]\$\{/i;

test('every suite that makes up its steps says with which seed', () => {
  const suites = globSync('{domain,contract,server,web,sandbox,scripts,promises,bench,city}/**/*.test.{ts,tsx}', {
    cwd: ROOT,
  });
  const random = suites
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => IS_RANDOM.test(text));
  expect(random.length).toBeGreaterThan(5);
  expect(random.filter(({ text }) => !SAYS_SEED.test(text)).map(({ path }) => path)).toEqual([]);
});
