import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { queryAt } from '../../testing/databaseConnection.ts';
import { type CityDatabase, findBackupProgram, startCityDatabase } from './cityDatabase.ts';

const program = findBackupProgram();
let database: CityDatabase | undefined;

afterEach(async () => {
  await database?.stop();
  database = undefined;
});

const WRITES = 50;

test.skipIf(program === undefined)(
  'the replica has every write that was acknowledged when it is promoted, and takes the next ones',
  async () => {
    database = await startCityDatabase('city', program);
    const { url } = database;
    expect(database.canFailOver()).toBe(true);
    await queryAt(url, 'create table written (n int)');
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    for (let n = 0; n < WRITES; n += 1) await client.query('insert into written values ($1)', [n]);
    await database.failOver();
    await client.end().catch(() => undefined);
    expect(database.canFailOver()).toBe(false);
    const next = new URL(database.primary().url);
    next.pathname = '/city';
    await queryAt(next.href, 'insert into written values (-1)');
    expect(await queryAt(next.href, 'select count(*)::int as count from written')).toEqual([{ count: WRITES + 1 }]);
    await database.primary().kill();
    await database.primary().restart();
    expect(await queryAt(next.href, 'select count(*)::int as count from written')).toEqual([{ count: WRITES + 1 }]);
  },
);

test('without the program that copies a database there is no replica', async () => {
  database = await startCityDatabase('city');
  expect(database.canFailOver()).toBe(false);
  await expect(database.failOver()).rejects.toThrow('there is no replica');
  expect(await queryAt(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});
