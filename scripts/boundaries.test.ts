import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findViolations } from './boundaries.ts';

const violations = (files: Record<string, string>) => findViolations(new Map(Object.entries(files)));

// The violations of a file that imports another one.
const importViolations = (from: string, to: string) =>
  violations({ [from]: `import '${to}';`, [`${to.replace(/^(\.\.\/)+/, '')}`]: '' });

describe('imports between top-level folders', () => {
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
    ['testing/a.ts', '../sandbox/b.ts'],
    ['server/a.test.ts', '../testing/b.ts'],
    ['journeys/a.ts', '../testing/b.ts'],
  ])('%s may import %s', (from, to) => {
    expect(importViolations(from, to)).toEqual([]);
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
  ])('%s must not import %s', (from, to) => {
    expect(importViolations(from, to)).toEqual([expect.stringContaining(`${from} must not import ${to.slice(3)}`)]);
  });

  it.each([
    "import type { A } from '../server/b.ts';",
    "export { a } from '../server/b.ts';",
    "export * from '../server/b.ts';",
    "const b = await import('../server/b.ts');",
    'const b = await import(`../server/b.ts`);',
  ])('every form of import is checked: %s', (text) => {
    expect(violations({ 'web/a.ts': text, 'server/b.ts': '' })).toHaveLength(1);
  });

  it('only tests may import from testing/', () => {
    expect(violations({ 'server/a.ts': "import '../testing/b.ts';", 'testing/b.ts': '' })).toHaveLength(1);
    expect(violations({ 'scripts/a.ts': "import '../testing/b.ts';", 'testing/b.ts': '' })).toHaveLength(1);
    expect(violations({ 'scripts/a.test.ts': "import '../testing/b.ts';", 'testing/b.ts': '' })).toEqual([]);
  });

  it('no file may import a test', () => {
    expect(violations({ 'server/a.test.ts': "import './b.test.ts';", 'server/b.test.ts': '' })).toHaveLength(1);
  });

  it('an import of a file that does not exist is reported', () => {
    expect(violations({ 'server/a.ts': "import './gone.ts';" })).toEqual([expect.stringContaining('no such file')]);
  });
});

describe('imports between the rooms of server/', () => {
  it.each([
    ['server/orders/a.ts', '../db/b.ts'],
    ['server/http/a.ts', '../db/b.sql.ts'],
    ['server/jobs/a.ts', '../context.ts'],
    ['server/context.ts', './http/b.ts'],
    ['server/orders/a.ts', '../payments/b.ts'],
    ['server/orders/a.ts', './b.sql.ts'],
    ['server/main.ts', './orders/b.ts'],
    ['server/commands/a.ts', '../payments/b.sql.ts'],
    ['server/http/a.test.ts', '../orders/b.sql.ts'],
    ['server/payments/paymentJobs.ts', './charge/b.ts'],
    ['server/payments/payouts/a.ts', '../../cases/b.ts'],
    ['server/payments/charge/a.ts', '../refunds/b.sql.ts'],
  ])('%s may import %s', (from, to) => {
    expect(violations({ [from]: `import '${to}';`, [join(dirname(from), to)]: '' })).toEqual([]);
  });

  it.each([
    ['server/http/a.ts', '../orders/b.ts'],
    ['server/log.ts', './orders/b.ts'],
    ['server/orders/a.ts', '../promos/b.sql.ts'],
    ['server/orders/a.ts', '../reviews/b.ts'],
    ['server/events/a.ts', '../files/b.ts'],
    ['server/db/a.ts', '../context.ts'],
    ['server/attic/a.ts', '../db/b.ts'],
    ['server/orders/a.ts', '../main.ts'],
    ['server/orders/a.ts', '../commands/b.ts'],
    ['server/payments/refunds/a.ts', '../charge/b.ts'],
    ['server/payments/refunds/a.ts', '../paymentJobs.ts'],
    ['server/cases/a.ts', '../payments/payouts/b.ts'],
    ['server/payments/attic/a.ts', '../card/b.ts'],
  ])('%s must not import %s', (from, to) => {
    expect(violations({ [from]: `import '${to}';`, [join(dirname(from), to)]: '' })).toHaveLength(1);
  });
});

describe('imports between the rooms of web/', () => {
  it.each([
    ['web/orders/a.tsx', '../deliveries/b.tsx'],
    ['web/orders/a.tsx', './place/b.tsx'],
    ['web/hooks/a.ts', '../clock.ts'],
    ['web/routes.tsx', './orders/b.tsx'],
    ['web/main.tsx', './routes.tsx'],
    ['web/ui/a.test.tsx', '../orders/b.tsx'],
  ])('%s may import %s', (from, to) => {
    expect(violations({ [from]: `import '${to}';`, [join(dirname(from), to)]: '' })).toEqual([]);
  });

  it.each([
    ['web/deliveries/a.tsx', '../orders/b.tsx'],
    ['web/orders/a.tsx', '../live/b.tsx'],
    ['web/api/a.ts', '../session/b.ts'],
    ['web/attic/a.ts', '../ui/b.ts'],
    ['web/orders/a.tsx', '../attic/b.ts'],
    ['web/shell/a.tsx', '../routes.tsx'],
  ])('%s must not import %s', (from, to) => {
    expect(violations({ [from]: `import '${to}';`, [join(dirname(from), to)]: '' })).toHaveLength(1);
  });
});

describe('imports of packages', () => {
  it.each([
    ['domain/a.ts', 'zod'],
    ['domain/a.ts', 'node:fs'],
    ['contract/a.ts', 'fastify'],
    ['contract/a.ts', 'fs'],
    ['web/a.tsx', 'node:path'],
  ])('%s may not use %s', (path, name) => {
    expect(violations({ [path]: `import '${name}';` })).toHaveLength(1);
  });

  it.each([
    ['contract/a.ts', 'zod'],
    ['server/a.ts', 'pg'],
    ['web/a.tsx', '@mantine/core'],
    ['domain/a.test.ts', 'vitest'],
  ])('%s may use %s', (path, name) => {
    expect(violations({ [path]: `import '${name}';` })).toEqual([]);
  });
});

describe('import cycles', () => {
  it('a cycle is reported, even through type imports and re-exports', () => {
    const files = {
      'web/ui/a.ts': "import './b.ts';",
      'web/ui/b.ts': "import type { C } from './c.tsx';",
      'web/ui/c.tsx': "export { a } from './a.ts';",
    };
    expect(violations(files)).toEqual(['import cycle: web/ui/a.ts → web/ui/b.ts → web/ui/c.tsx → web/ui/a.ts']);
  });

  it('a cycle of folders is reported, even without a cycle of files', () => {
    const files = {
      'web/orders/a.ts': "import './page/b.ts';",
      'web/orders/page/b.ts': '',
      'web/orders/page/c.ts': "import '../d.ts';",
      'web/orders/d.ts': '',
    };
    expect(violations(files)).toEqual(['cycle of folders: web/orders → web/orders/page → web/orders']);
  });

  it('a cycle of folders is reported inside a room of server/, where a folder and the folders in it count as one', () => {
    const files = {
      'server/db/a.ts': "import './lists/b.ts';",
      'server/db/lists/b.ts': "import '../backup/c.ts';",
      'server/db/lists/d.ts': "import '../e.ts';",
      'server/db/backup/c.ts': '',
      'server/db/backup/f.ts': "import '../lists/d.ts';",
      'server/db/e.ts': '',
    };
    expect(violations(files)).toEqual(['cycle of folders: server/db/lists → server/db/backup → server/db/lists']);
  });

  it('a room may use the folders in it, or be used by them', () => {
    const files = {
      'web/orders/a.ts': "import './place/b.ts';",
      'web/orders/place/b.ts': '',
      'web/cases/page/c.ts': "import '../d.ts';",
      'web/cases/d.ts': '',
    };
    expect(violations(files)).toEqual([]);
  });

  it('two import paths to the same file are not a cycle', () => {
    const files = {
      'city/a.ts': "import './b.ts'; import './c.ts';",
      'city/b.ts': "import './c.ts';",
      'city/c.ts': '',
    };
    expect(violations(files)).toEqual([]);
  });
});
