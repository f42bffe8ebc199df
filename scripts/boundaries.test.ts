import { describe, expect, it } from 'vitest';
import { findBreaches, findLongFiles } from './boundaries.ts';

const breaches = (files: Record<string, string>) => findBreaches(new Map(Object.entries(files)));

// What a file that stands there is asked to import.
const leaning = (from: string, to: string) =>
  breaches({ [from]: `import '${to}';`, [`${to.replace(/^(\.\.\/)+/, '')}`]: '' });

describe('who may lean on whom', () => {
  it.each([
    ['contract/a.ts', '../domain/b.ts'],
    ['server/a.ts', '../domain/b.ts'],
    ['server/a.ts', '../contract/b.ts'],
    ['web/orders/a.tsx', '../../contract/b.ts'],
    ['web/orders/a.tsx', '../../domain/b.ts'],
    ['scripts/a.ts', '../server/b.ts'],
    ['scripts/a.ts', '../sandbox/b.ts'],
    ['journeys/a.ts', '../scripts/b.ts'],
    ['bench/a.ts', '../server/b.ts'],
    ['server/a.test.ts', '../sandbox/b.ts'],
    ['server/testing.ts', '../sandbox/b.ts'],
  ])('%s may lean on %s', (from, to) => {
    expect(leaning(from, to)).toEqual([]);
  });

  it.each([
    ['domain/a.ts', '../contract/b.ts'],
    ['contract/a.ts', '../server/b.ts'],
    ['server/a.ts', '../sandbox/b.ts'],
    ['server/a.ts', '../web/b.ts'],
    ['server/a.ts', '../scripts/b.ts'],
    ['web/a.ts', '../server/b.ts'],
    ['web/a.ts', '../sandbox/b.ts'],
    ['sandbox/a.ts', '../domain/b.ts'],
    ['sandbox/a.ts', '../server/b.ts'],
    ['scripts/a.ts', '../web/b.ts'],
    ['journeys/a.ts', '../web/b.ts'],
    ['server/a.test.ts', '../web/b.ts'],
  ])('%s may not lean on %s', (from, to) => {
    expect(leaning(from, to)).toEqual([expect.stringContaining(`${from} must not lean on ${to.slice(3)}`)]);
  });

  it.each([
    "import type { A } from '../server/b.ts';",
    "export { a } from '../server/b.ts';",
    "export * from '../server/b.ts';",
    "const b = await import('../server/b.ts');",
    'const b = await import(`../server/b.ts`);',
  ])('however it is written: %s', (text) => {
    expect(breaches({ 'web/a.ts': text, 'server/b.ts': '' })).toHaveLength(1);
  });

  it('a test is leant on by tests only', () => {
    expect(breaches({ 'server/a.ts': "import './testing.ts';", 'server/testing.ts': '' })).toHaveLength(1);
    expect(breaches({ 'server/a.test.ts': "import './testing.ts';", 'server/testing.ts': '' })).toEqual([]);
  });

  it('a file that is not there is told', () => {
    expect(breaches({ 'server/a.ts': "import './gone.ts';" })).toEqual([expect.stringContaining('no such file')]);
  });
});

describe('packages', () => {
  it.each([
    ['domain/a.ts', 'zod'],
    ['domain/a.ts', 'node:fs'],
    ['contract/a.ts', 'fastify'],
    ['contract/a.ts', 'fs'],
    ['web/a.tsx', 'node:path'],
  ])('%s may not use %s', (path, name) => {
    expect(breaches({ [path]: `import '${name}';` })).toHaveLength(1);
  });

  it.each([
    ['contract/a.ts', 'zod'],
    ['server/a.ts', 'pg'],
    ['web/a.tsx', '@mantine/core'],
    ['domain/a.test.ts', 'vitest'],
  ])('%s may use %s', (path, name) => {
    expect(breaches({ [path]: `import '${name}';` })).toEqual([]);
  });
});

describe('cycles', () => {
  it('a way back is found, types and all', () => {
    const files = {
      'web/a.ts': "import './b.ts';",
      'web/b.ts': "import type { C } from './c/c.tsx';",
      'web/c/c.tsx': "export { a } from '../a.ts';",
    };
    expect(breaches(files)).toEqual(['a cycle: web/a.ts → web/b.ts → web/c/c.tsx → web/a.ts']);
  });

  it('two ways to the same file are none', () => {
    const files = { 'web/a.ts': "import './b.ts'; import './c.ts';", 'web/b.ts': "import './c.ts';", 'web/c.ts': '' };
    expect(breaches(files)).toEqual([]);
  });
});

it('a file of 300 lines is long enough', () => {
  const sources = new Map([
    ['web/a.css', 'a\n'.repeat(300)],
    ['web/b.ts', 'b\n'.repeat(301)],
    ['web/c.ts', `${'c\n'.repeat(300)}c`],
  ]);
  expect(findLongFiles(sources)).toEqual([
    'web/b.ts has 301 lines, more than 300',
    'web/c.ts has 301 lines, more than 300',
  ]);
});
