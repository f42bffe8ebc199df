import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DELIVERY_LIST } from '../../contract/deliveries.ts';
import type { ListQuery } from '../../contract/lists.ts';
import { ORDER_LIST } from '../../contract/orders.ts';
import { type Caller, ROLES } from '../../domain/accounts.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { listDeliveries } from '../deliveries/deliveries.sql.ts';
import { listOrders } from '../orders/orders.sql.ts';
import { type Database, openServerDatabase, queryRows } from './database.ts';
import { migrate } from './migrate.ts';
import type { QueryExecutor } from './pipeline.ts';

const PERSON_ID = '01930000-0000-7000-8000-000000000001';
const NOW = new Date('2026-11-21T12:00:00Z');

/** Every list, role and sort. */
const CASES = ROLES.flatMap((role) => [
  ...(role === 'Duber' ? [] : ORDER_LIST.sorts.map((field) => ({ list: 'orders' as const, role, field }))),
  ...DELIVERY_LIST.sorts.map((field) => ({ list: 'deliveries' as const, role, field })),
]);

describe('a page of a very long list', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 1);
    await migrate(database.db);
    // The tables are empty, so that only the existence of an index with the right order decides the plan.
    for (const method of ['seqscan', 'sort', 'bitmapscan'])
      await queryRows(database.db, sql.raw(`set enable_${method} = off`));
  });
  afterAll(() => database?.close());

  test.each(CASES)(
    'of $list for a $role, sorted by $field, is read from an index in that order',
    async ({ list, role, field }) => {
      for (const sortDirection of ['asc', 'desc'] as const) {
        const query: ListQuery = {
          pageNumber: 1,
          pageSize: 10,
          sortField: field,
          sortDirection,
          filters: [],
          sumFields: [],
          fields: { id: true },
        };
        const plan = await planOf((tx) => {
          const caller = { role, id: PERSON_ID } as Caller;
          return list === 'orders'
            ? listOrders(caller as Extract<Caller, { role: 'Bud' }>, query, NOW).run(tx)
            : listDeliveries(caller, query, NOW).run(tx);
        });
        expect(plan).toContain(`_of_${role.toLowerCase()}`);
        expect(plan).not.toMatch(/\b(?:Incremental )?Sort\b/);
      }
    },
  );

  /** The plan of the one statement that `run` sends. */
  async function planOf(run: (executor: QueryExecutor) => Promise<unknown>): Promise<string> {
    let statement: CompiledQuery | undefined;
    const executeQuery = async (compiled: CompiledQuery) => {
      statement = compiled;
      return { rows: [] };
    };
    await run({ executeQuery });
    if (!statement) throw new Error('no statement was sent');
    const explained = CompiledQuery.raw(`explain ${statement.sql}`, [...statement.parameters]);
    const { rows: lines } = await database.db.executeQuery<{ 'QUERY PLAN': string }>(explained);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  }
});
