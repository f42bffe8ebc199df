import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.ts';

const TEMPLATES_DIR = join(ROOT, '.cache', 'template');
const SOURCES = [
  join('server', 'db', 'migrations'),
  join('server', 'db', 'migrate.ts'),
  join('scripts', 'databaseTemplate', 'create.ts'),
];
const PGLITE = join('node_modules', '@electric-sql', 'pglite', 'package.json');

/**
 * A folder with an embedded database that has every table and nobody in it: copied, it is there in a tenth of the time
 * that a new one takes. Made once for each set of migrations; undefined when that fails, for nothing needs it.
 */
export async function buildDatabaseTemplate(
  onStart: (stop: () => void) => void = () => {},
): Promise<string | undefined> {
  const name = hashSources();
  const folder = join(TEMPLATES_DIR, name);
  if (existsSync(folder)) return folder;
  // A process of its own: whoever starts has other things to do, and keeps none of its memory.
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'databaseTemplate', 'create.ts'), folder], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  onStart(() => child.kill());
  await once(child, 'exit');
  if (!existsSync(folder)) return undefined;
  for (const other of readdirSync(TEMPLATES_DIR)) {
    if (other !== name && !other.includes('.')) rmSync(join(TEMPLATES_DIR, other), { recursive: true, force: true });
  }
  return folder;
}

function hashSources(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, PGLITE)));
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const files = source.endsWith('.ts')
      ? [path]
      : readdirSync(path)
          .toSorted()
          .map((name) => join(path, name));
    for (const file of files) hash.update(`${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
