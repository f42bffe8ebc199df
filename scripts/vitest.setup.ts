import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDatabaseTemplate } from './databaseTemplate.ts';
import { startPostgres } from './postgres.ts';

const NO_DATABASE_FOLDERS = /^(?:domain|contract|web|sandbox|promises\/mutants)(?:\/|$)/;

/**
 * Starts a PostgreSQL and sets TEST_DATABASE_URL, unless it is set already, the run is `npm run test:unit`, or it only
 * covers folders that use no database. Workers start later and inherit the environment.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_SCOPE === 'unit') return undefined;
  const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('-') && argument !== 'run');
  if (paths.length > 0 && paths.every((path) => NO_DATABASE_FOLDERS.test(path))) return undefined;
  const dropTemplate = await prepareTemplate();
  if (process.env.TEST_DATABASE_URL) return dropTemplate;
  const postgres = await startPostgres();
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    await dropTemplate();
    delete process.env.TEST_DATABASE_URL;
    await postgres.stop();
  };
}

/** A copy of the database template with less memory: clearing 128 MB is half of the CPU time that opening a database takes. */
async function prepareTemplate(): Promise<() => Promise<void>> {
  const template = await buildDatabaseTemplate();
  if (!template) return async () => {};
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-template-'));
  execFileSync('cp', ['-R', `${template}/.`, folder]);
  appendFileSync(join(folder, 'postgresql.conf'), '\nshared_buffers = 8MB\n');
  process.env.TEST_TEMPLATE = folder;
  return async () => {
    delete process.env.TEST_TEMPLATE;
    rmSync(folder, { recursive: true, force: true });
  };
}
