import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/testServer.ts';
import { createStatementNames, NamedStatementClient } from './client.ts';

// Other tests of this process may have used up its names.
const nameOf = createStatementNames();
class ClientWithOwnNames extends NamedStatementClient {
  protected override statementNameOf(text: string) {
    return nameOf(text);
  }
}

let client: NamedStatementClient;
beforeAll(async () => {
  client = new ClientWithOwnNames(await createTestDatabase());
  await client.connect();
});
afterAll(() => client?.end());

test('a connection prepares a statement with parameters once, and none without', async () => {
  await client.query('create temporary table bought (pounds int)', []);
  for (const pounds of [5, 8]) await client.query('insert into bought values ($1)', [pounds]);
  const { rows } = await client.query(
    `select statement, generic_plans + custom_plans as calls from pg_prepared_statements where statement ~ 'bought'`,
    [],
  );
  expect(rows).toEqual([{ statement: 'insert into bought values ($1)', calls: '2' }]);
});
