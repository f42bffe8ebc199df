import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CommandError } from '../server/commands/commandError.ts';
import { compressTextFiles } from './compress.ts';

export const ROOT = join(import.meta.dirname, '..');
const WEB_DIR = join(ROOT, 'dist', 'web');
const STAMP_FILE = '.sources';
const SOURCES = [
  ...['web', 'contract', 'domain', 'index.html', 'vite.config.ts', 'package-lock.json', 'package.json'],
  ...['scripts/build.ts', 'scripts/compress.ts', 'scripts/vite'],
];

type BuildOptions = {
  log: (line: string) => void;
  /** Called with a function that stops the running build. */
  onStart?: (stop: () => void) => void;
};

/** Returns the folder of the built web app. Builds it first if its sources have changed. */
export async function buildWeb({ log, onStart }: BuildOptions): Promise<string> {
  const sources = hashSources();
  if (readStamp() === sources) return WEB_DIR;
  log('building the web app (some seconds, once after a change) ...');
  const startedAt = Date.now();
  const fresh = `${WEB_DIR}.${process.pid}`;
  try {
    await runVite(fresh, onStart);
    await compressTextFiles(fresh);
    writeFileSync(join(fresh, STAMP_FILE), sources);
    replaceWebDir(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  log(`the web app is built (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  return WEB_DIR;
}

// Runs in a separate process so that the compiler does not stay in the server's memory.
async function runVite(outDir: string, onStart: BuildOptions['onStart']): Promise<void> {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const child = spawn(process.execPath, [vite, ...options], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  onStart?.(() => child.kill());
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new CommandError('the web app could not be built; see the errors above');
}

// Retries, because another process may replace the same folder at the same time.
function replaceWebDir(fresh: string): void {
  const old = `${fresh}.old`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (existsSync(WEB_DIR)) renameSync(WEB_DIR, old);
      renameSync(fresh, WEB_DIR);
      break;
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

function readStamp(): string | undefined {
  const path = join(WEB_DIR, STAMP_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((name) => listFiles(join(ROOT, name)))) {
    const content = readFileSync(path);
    hash.update(`${relative(ROOT, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!/\.[a-z]+$/.test(path)) {
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name));
    return paths.filter((file) => !/\.test\.tsx?$/.test(file)).toSorted();
  }
  return [path];
}
