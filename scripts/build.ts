import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CommandError } from '../server/commands/commandError.ts';

export const ROOT = join(import.meta.dirname, '..');
const WEB_DIR = join(ROOT, 'dist', 'web');
const STAMP_FILE = '.sources';
const COMPRESSED_FILE = '.compressed';
const SOURCES = [
  ...['web', 'contract', 'domain', 'texts', 'index.html', 'vite.config.ts', 'package-lock.json', 'package.json'],
  ...['scripts/build.ts', 'scripts/compress.ts', 'scripts/compressWeb.ts', 'scripts/vite'],
];

type BuildOptions = {
  log: (line: string) => void;
  /** Called with a function that stops the running build. */
  onStart?: (stop: () => void) => void;
  /** Whether to return before the files are compressed. They are served as they are until then. */
  mayCompressLater?: boolean;
};

/** Returns the folder of the built web app. Builds it first if its sources have changed. */
export async function buildWeb({ log, onStart, mayCompressLater = false }: BuildOptions): Promise<string> {
  const sources = hashSources();
  if (readStamp() !== sources) await build(sources, log, onStart);
  if (!existsSync(join(WEB_DIR, COMPRESSED_FILE))) {
    const compressed = compressWeb(onStart);
    // Without them everything is served as it is.
    if (mayCompressLater) compressed.catch(() => {});
    else await compressed;
  }
  return WEB_DIR;
}

async function build(sources: string, log: BuildOptions['log'], onStart: BuildOptions['onStart']): Promise<void> {
  log('building the web app (some seconds, once after a change) ...');
  const startedAt = Date.now();
  const fresh = `${WEB_DIR}.${process.pid}`;
  try {
    await runVite(fresh, onStart);
    writeFileSync(join(fresh, STAMP_FILE), sources);
    replaceWebDir(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  log(`the web app is built (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
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

// The process stays in this folder, even if another build puts a new one in its place.
async function compressWeb(onStart: BuildOptions['onStart']): Promise<void> {
  const script = join(ROOT, 'scripts', 'compressWeb.ts');
  const child = spawn(process.execPath, [script, COMPRESSED_FILE], { cwd: WEB_DIR, stdio: ['ignore', 2, 2] });
  onStart?.(() => child.kill());
  await once(child, 'exit');
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

// `npm run build` installs and builds what `npm start` would, for machines on which the server may not write into its own folder.
if (process.argv[1] === import.meta.filename)
  await buildWeb({ log: (line) => process.stderr.write(`rubadub: ${line}\n`) });
