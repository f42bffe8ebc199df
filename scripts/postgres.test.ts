import { existsSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startPostgres } from './postgres.ts';

async function query(connectionString: string, question: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

it('a throwaway PostgreSQL comes up, gives databases of one’s own, and goes without a trace', async () => {
  const postgres = await startPostgres();
  const [place] = (await query(postgres.url, 'show data_directory')) as [{ data_directory: string }];
  try {
    const [first, second] = [await postgres.createDatabase('one'), await postgres.createDatabase('Zwei "2"')];
    await query(first, 'create table t (n int)');
    await expect(query(second, 'select * from t')).rejects.toThrow('relation "t" does not exist');
    expect(existsSync(place.data_directory)).toBe(true);
  } finally {
    await postgres.stop();
  }
  expect(existsSync(place.data_directory)).toBe(false);
  await expect(query(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});
