import { buildDatabaseTemplate } from './databaseTemplate.ts';
import { startPostgres } from './postgres.ts';

const NO_DATABASE_FOLDERS = /^(?:domain|contract|web|sandbox)(?:\/|$)/;

/**
 * Starts a PostgreSQL and sets TEST_DATABASE_URL, unless it is set already, the run is `npm run test:unit`, or it only
 * covers folders that use no database. Workers start later and inherit the environment.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('-') && argument !== 'run');
  if (paths.length > 0 && paths.every((path) => NO_DATABASE_FOLDERS.test(path))) return undefined;
  const template = await buildDatabaseTemplate();
  if (template) process.env.TEST_TEMPLATE = template;
  if (process.env.TEST_SCOPE === 'unit') {
    delete process.env.TEST_DATABASE_URL;
    return undefined;
  }
  if (process.env.TEST_DATABASE_URL) return undefined;
  const postgres = await startPostgres();
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    await postgres.stop();
  };
}
