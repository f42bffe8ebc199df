import { existsSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startPostgres } from './postgres.ts';

async function query(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

it('starts a private PostgreSQL, creates separate databases, and deletes everything when it stops', async () => {
  const postgres = await startPostgres();
  const [{ data_directory: folder }] = (await query(postgres.url, 'show data_directory')) as [
    { data_directory: string },
  ];
  try {
    const [first, second] = [await postgres.createDatabase('one'), await postgres.createDatabase('Zwei "2"')];
    await query(first, 'create table t (n int)');
    await expect(query(second, 'select * from t')).rejects.toThrow('relation "t" does not exist');
    expect(existsSync(folder)).toBe(true);
  } finally {
    await postgres.stop();
  }
  expect(existsSync(folder)).toBe(false);
  await expect(query(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});
