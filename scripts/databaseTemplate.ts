import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.ts';

const TEMPLATES_DIR = join(ROOT, '.cache', 'template');
const SOURCES = [
  join('server', 'db', 'schema.sql'),
  join('server', 'db', 'ensureSchema.ts'),
  join('scripts', 'databaseTemplate', 'create.ts'),
];
const PGLITE = join('node_modules', '@electric-sql', 'pglite', 'package.json');

/**
 * A folder with an empty embedded database that has its tables. Copying it takes a tenth of the time of creating a new one.
 * Built once per version of the schema. Undefined if the build fails, because the template is optional.
 */
export async function buildDatabaseTemplate(
  onStart: (stop: () => void) => void = () => {},
): Promise<string | undefined> {
  const name = hashSources();
  const folder = join(TEMPLATES_DIR, name);
  if (existsSync(folder)) return folder;
  // Runs in a separate process so that it does not block the start or keep memory.
  // Optimized code for a database that is used for seconds costs more than it saves.
  const script = join(ROOT, 'scripts', 'databaseTemplate', 'create.ts');
  const child = spawn(process.execPath, ['--liftoff-only', script, folder], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  onStart(() => child.kill());
  await once(child, 'exit');
  if (!existsSync(folder)) return undefined;
  for (const oldName of readdirSync(TEMPLATES_DIR)) {
    if (oldName === name || oldName.includes('.')) continue;
    rmSync(join(TEMPLATES_DIR, oldName), { recursive: true, force: true });
  }
  return folder;
}

function hashSources(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, PGLITE)));
  for (const source of SOURCES) {
    hash.update(`${source}\0`).update(readFileSync(join(ROOT, source)));
  }
  return hash.digest('hex').slice(0, 16);
}
