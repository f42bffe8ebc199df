import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '..', '.cache');

/** Whether apt-get is available and we are root. */
export function canAptGet(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs Debian packages. Does not report failures: the caller checks whether the program exists afterwards. */
export function aptInstall(...packages: string[]): void {
  process.stderr.write(`rubadub: installing ${packages.join(', ')} with apt-get ...\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Several tests may install at once.
  const options = ['-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];
  const install = () => spawnSync('apt-get', ['install', ...options, ...packages], { env, stdio: 'ignore' });
  if (install().status === 0) return;
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  install();
}

/** Installs one npm package into .cache/, outside the lockfile, and returns its folder. */
export function installIntoCache(name: string, version: string): string {
  const folder = join(CACHE, name.replaceAll(/[@/]/g, '-').replace(/^-/, ''));
  const home = join(folder, 'node_modules', name);
  if (readInstalledVersion(home) === version) return home;
  process.stderr.write(`rubadub: installing ${name} ${version} into .cache/ ...\n`);
  installInto(folder, { [name]: version });
  return home;
}

/** Installs these versions of npm packages, and what they need, into a folder. */
export function installInto(folder: string, packages: Readonly<Record<string, string>>, ...more: string[]): void {
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', ...more];
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // The names go to stderr, because stdout may be a table.
  execFileSync('npm', ['install', '--prefix', folder, ...options, ...wanted], { stdio: ['ignore', 2, 2] });
}

function readInstalledVersion(home: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}
