import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsIn, PERSONAL_DATA, personalColumnsOf } from '../../domain/personal.ts';
import { type Database, openEmbeddedDatabase, queryRows } from '../db/database.ts';
import { ensureSchema } from '../db/ensureSchema.ts';

/** The columns that a way leads over. */
const columnsOfWay = (table: string, way: string): string[] => {
  const [column = '', ...rest] = way.split('>');
  const [other = '', key = '', ...person] = rest.join('>').split('.');
  const next = other ? [`${other}.${key.replace('::text', '')}`, ...columnsOfWay(other, person.join('.'))] : [];
  return [`${table}.${column}`, ...next];
};

describe('the map of personal data', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmbeddedDatabase(undefined);
    await ensureSchema(database.db);
  });
  afterAll(() => database?.close());

  const listColumns = async () => {
    const rows = await queryRows<{ name: string }>(
      database.db,
      sql`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' order by 1`,
    );
    return rows.map(({ name }) => name).toSorted();
  };

  test('names every column of every table exactly once', async () => {
    const named = Object.entries(PERSONAL_DATA).flatMap(([table, { plain, parts = [] }]) =>
      [...columnsIn(plain), ...parts.flatMap(personalColumnsOf)].map((column) => `${table}.${column}`),
    );
    expect(named.toSorted()).toEqual(await listColumns());
  });

  test('leads to people over columns that exist', async () => {
    const columns = await listColumns();
    const needed = Object.entries(PERSONAL_DATA).flatMap(([table, { parts = [] }]) =>
      parts.flatMap(({ whose = [], about = [], secret }) => [
        ...columnsIn(secret).map((column) => `${table}.${column}`),
        ...[...whose, ...about].flatMap((way) => columnsOfWay(table, way)),
      ]),
    );
    expect(needed.filter((name) => !columns.includes(name))).toEqual([]);
  });
});
