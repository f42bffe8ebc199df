import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, DATABASE_KINDS } from '../../testing/testServer.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRow, queryRows } from './database.ts';
import { areLargeIndexesMade, type LargeIndex, makeLargeIndexes } from './largeIndexes.sql.ts';

const unique = (name: string, more: Partial<LargeIndex>): LargeIndex => ({
  name,
  create: `create unique index concurrently ${name} on socks (pair)`,
  ...more,
});

const FIRST = unique('socks_first', { replaces: { table: 'socks', constraint: 'socks_once' } });
const SECOND = unique('socks_second', { replaces: { index: 'socks_first' } });
const THIRD = unique('socks_third', { replaces: { index: 'socks_second' } });

describe.each(DATABASE_KINDS)('large indexes on %s', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database =
      kind === 'postgres'
        ? openServerDatabase(await createTestDatabase(), 2, 'endless')
        : await openEmbeddedDatabase(undefined);
  });
  afterAll(() => database?.close());

  const run = (statement: string) => queryRows(database.db, sql.raw(statement));
  const make = (indexes: readonly LargeIndex[]) =>
    database.db.connection().execute((session) => makeLargeIndexes(session, indexes, 5));
  /** What keeps two rows from having the same pair. */
  const listUniques = async () => {
    const rows = await queryRows<{ name: string }>(
      database.db,
      sql`select indexname as name from pg_indexes where tablename = 'socks' order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const createSocks = async () => {
    await run('drop table if exists socks');
    await run('create table socks (pair bigint constraint socks_once unique)');
  };

  test('take the place of a constraint, and then of each other, one release after the other', async () => {
    await createSocks();
    for (const [indexes, name] of [
      [[FIRST], 'socks_first'],
      [[FIRST, SECOND], 'socks_second'],
      [[FIRST, SECOND, THIRD], 'socks_third'],
    ] as const) {
      expect(await areLargeIndexesMade(database.db, indexes)).toBe(false);
      await make(indexes);
      expect(await listUniques()).toEqual([name]);
      expect(await areLargeIndexesMade(database.db, indexes)).toBe(true);
    }
  });

  test('that a later one replaces are not made at all when releases are skipped', async () => {
    await createSocks();
    const never = { ...FIRST, create: 'this must not run' };
    await make([never, { ...SECOND, create: 'nor this' }, THIRD]);
    expect(await listUniques()).toEqual(['socks_third']);
  });

  test('hold before what they replace is dropped', async () => {
    await createSocks();
    await make([FIRST]);
    await expect(make([FIRST, { ...SECOND, create: 'select 1 / 0' }])).rejects.toThrow('division by zero');
    expect(await listUniques()).toEqual(['socks_first']);
  });

  test('are filled once, before they are made', async () => {
    await createSocks();
    await run('insert into socks values (null)');
    let fills = 0;
    const filled = unique('socks_filled', {
      fill: async (session) => {
        fills += 1;
        await sql`update socks set pair = 7`.execute(session);
      },
    });
    await make([filled]);
    await make([filled]);
    expect(fills).toBe(1);
    expect(await queryRow(database.db, sql`select pair from socks`)).toEqual({ pair: '7' });
    expect(await listUniques()).toEqual(['socks_filled', 'socks_once']);
  });
});
