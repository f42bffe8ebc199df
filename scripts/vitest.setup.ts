import { buildDatabaseTemplate } from './databaseTemplate.ts';
import { startPostgres } from './postgres.ts';

const NO_DATABASE_FOLDERS = /^(?:domain|contract|web|sandbox)(?:\/|$)/;

/** Gives the tests a real PostgreSQL in TEST_DATABASE_URL, unless there is one, or only folders without any are run. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-') && argument !== 'run');
  const spared = asked.length > 0 && asked.every((path) => NO_DATABASE_FOLDERS.test(path));
  // The workers are started after this, and inherit what stands in the environment.
  const template = spared ? undefined : await buildDatabaseTemplate();
  if (template) process.env.TEST_TEMPLATE = template;
  if (process.env.TEST_DATABASE_URL || spared) return undefined;
  const postgres = await startPostgres();
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    await postgres.stop();
  };
}
