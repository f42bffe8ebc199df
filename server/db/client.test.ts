import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/testServer.ts';
import { createStatementNames, NamedStatementClient, RARE_STATEMENT } from './client.ts';

// Other tests of this process may have used up its names.
const nameOf = createStatementNames();
class ClientWithOwnNames extends NamedStatementClient {
  protected override statementNameOf(text: string) {
    return text.startsWith(RARE_STATEMENT) ? super.statementNameOf(text) : nameOf(text);
  }
}

let client: NamedStatementClient;
beforeAll(async () => {
  // As the product's connections: statements are sent before the answers of earlier ones.
  client = new ClientWithOwnNames({ connectionString: await createTestDatabase(), pipeline: true });
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

test('a connection keeps the twenty rare statements that were used last, and prepares the others again', async () => {
  const add = (pounds: number) => ({ text: `${RARE_STATEMENT}select $1::int + ${pounds} as sum`, sum: pounds + 1 });
  const all = Array.from({ length: 50 }, (_, pounds) => add(pounds));
  const ask = async ({ text, sum }: (typeof all)[number]) =>
    expect((await client.query(text, [1])).rows).toEqual([{ sum }]);
  for (const one of all) await ask(one);
  const countRare = async () => {
    const prepared = await client.query(
      `select statement from pg_prepared_statements where statement ~ '^/. rare'`,
      [],
    );
    return prepared.rows.length;
  };
  expect(await countRare()).toBe(20);
  // Many at once, and those that were closed.
  await Promise.all([...all, ...all].map(ask));
  for (const one of all) await ask(one);
  expect(await countRare()).toBe(20);
});
