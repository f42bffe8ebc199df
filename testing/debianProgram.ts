import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/build.ts';
import { canAptGet } from '../scripts/install.ts';

const DOWNLOAD_MS = 60_000;

/**
 * The path of a program of Debian: an installed one, or the one of these packages, which are unpacked into `.cache/` and not installed.
 * Undefined where Debian's tools or its packages cannot be reached.
 */
export function findDebianProgram(path: string, ...packages: readonly [string, ...string[]]): string | undefined {
  if (existsSync(path)) return path;
  const folder = join(ROOT, '.cache', 'debian', packages[0]);
  const program = join(folder, path);
  if (existsSync(program)) return program;
  try {
    // The program appears when everything that it needs is there.
    const work = `${folder}.${process.pid}`;
    mkdirSync(work, { recursive: true });
    download(work, packages);
    for (const name of readdirSync(work).filter((file) => file.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', join(work, name), work], { stdio: 'ignore' });
      rmSync(join(work, name));
    }
    if (!existsSync(folder)) renameSync(work, folder);
    rmSync(work, { recursive: true, force: true });
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}

function download(folder: string, packages: readonly string[]): void {
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', args, { cwd: folder, stdio: 'ignore', timeout: DOWNLOAD_MS }).status === 0;
  // A new machine has no list of packages yet.
  if (!aptGet('download', '-qq', ...packages) && canAptGet() && aptGet('update', '-qq'))
    aptGet('download', '-qq', ...packages);
}
