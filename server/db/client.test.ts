import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { queryRow, queryRows } from './database.ts';

describe.each(DATABASE_KINDS)('a connection to the %s database', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer(kind);
  });
  afterAll(() => server?.close());

  test('prepares a statement with parameters once, and none without', async () => {
    const prepared = await server.server.db.connection().execute(async (connection) => {
      await sql`create temporary table bought (pounds int)`.execute(connection);
      for (const pounds of [5, 8]) await queryRow(connection, sql`insert into bought values (${pounds})`);
      return queryRows<{ statement: string; calls: string }>(
        connection,
        sql`select statement, generic_plans + custom_plans as calls from pg_prepared_statements where statement ~ 'bought'`,
      );
    });
    expect(prepared).toEqual([{ statement: 'insert into bought values ($1)', calls: '2' }]);
  });
});
