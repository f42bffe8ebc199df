import { startPostgres } from './postgres.ts';

const WITHOUT_A_DATABASE = /^(?:domain|contract|web|sandbox)(?:\/|$)/;

/** Gives the tests a real PostgreSQL in TEST_DATABASE_URL, unless there is one, or only folders without any are run. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-') && argument !== 'run');
  const spared = asked.length > 0 && asked.every((path) => WITHOUT_A_DATABASE.test(path));
  if (process.env.TEST_DATABASE_URL || spared) return undefined;
  const postgres = await startPostgres();
  // The workers are started after this, and inherit it.
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    await postgres.stop();
  };
}
