import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { queryAt } from '../testing/databaseConnection.ts';
import { startPostgres } from './postgres.ts';

it('starts a private PostgreSQL, creates separate databases, and deletes everything when it stops', async () => {
  const postgres = await startPostgres();
  const [{ data_directory: folder }] = (await queryAt(postgres.url, 'show data_directory')) as [
    { data_directory: string },
  ];
  try {
    const [first, second] = [await postgres.createDatabase('one'), await postgres.createDatabase('Zwei "2"')];
    await queryAt(first, 'create table t (n int)');
    await expect(queryAt(second, 'select * from t')).rejects.toThrow('relation "t" does not exist');
    expect(existsSync(folder)).toBe(true);
  } finally {
    await postgres.stop();
  }
  expect(existsSync(folder)).toBe(false);
  await expect(queryAt(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});
