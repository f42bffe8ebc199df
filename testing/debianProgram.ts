import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/build.ts';

const DOWNLOAD_MS = 60_000;

/**
 * The path of a program of a Debian package: an installed one, or the one of the package, which is unpacked into `.cache/` and not installed.
 * Undefined where Debian's tools or its packages cannot be reached.
 */
export function findDebianProgram(packageName: string, path: string): string | undefined {
  if (existsSync(path)) return path;
  const folder = join(ROOT, '.cache', 'debian', packageName);
  const program = join(folder, path);
  if (existsSync(program)) return program;
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync('apt-get', ['download', '-qq', packageName], { cwd: folder, stdio: 'ignore', timeout: DOWNLOAD_MS });
    const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (file) execFileSync('dpkg-deb', ['-x', join(folder, file), folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}
