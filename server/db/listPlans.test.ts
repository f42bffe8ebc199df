import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldTree } from '../../contract/answerFields.ts';
import { budDashboard, scrubDashboard } from '../../contract/dashboards.ts';
import { DELIVERY_LIST } from '../../contract/deliveries.ts';
import type { ListQuery, Position } from '../../contract/lists.ts';
import { ORDER_LIST } from '../../contract/orders.ts';
import { BUD_DASHBOARD_FIELDS, SCRUB_DASHBOARD_FIELDS } from '../../contract/screenFields.ts';
import { type BudId, type Caller, ROLES, type ScrubId } from '../../domain/accounts.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { readBudDashboardJson, readScrubDashboardJson } from '../dashboards/dashboards.sql.ts';
import { listDeliveries } from '../deliveries/deliveries.sql.ts';
import { dueWorkSql } from '../operator/figures.sql.ts';
import { listOrders } from '../orders/orders.sql.ts';
import { type Database, openServerDatabase, queryRows } from './database.ts';
import { ensureSchema } from './ensureSchema.ts';
import type { QueryExecutor } from './pipeline.ts';

const PERSON_ID = '01930000-0000-7000-8000-000000000001';
const NOW = new Date('2026-11-21T12:00:00Z');

const POSITION = { createdAt: '2026-11-21T12:00:00Z', id: PERSON_ID };
const POSITIONS: Record<(typeof ORDER_LIST.sorts | typeof DELIVERY_LIST.sorts)[number], Position> = {
  createdAt: POSITION,
  status: { ...POSITION, value: 'Accepted' },
  price: { ...POSITION, value: '2683' },
  scrubEarning: { ...POSITION, value: '1250' },
  distanceInMeters: { ...POSITION, value: '900' },
};

const BUD_FIELDS = fieldTree(budDashboard.answer, BUD_DASHBOARD_FIELDS);
const SCRUB_FIELDS = fieldTree(scrubDashboard.answer, SCRUB_DASHBOARD_FIELDS);

/** Every list, role and sort. */
const CASES = ROLES.flatMap((role) => [
  ...(role === 'Duber' ? [] : ORDER_LIST.sorts.map((field) => ({ list: 'orders' as const, role, field }))),
  ...DELIVERY_LIST.sorts.map((field) => ({ list: 'deliveries' as const, role, field })),
]);

describe('a page of a very long list', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 1);
    await ensureSchema(database.db);
    // The tables are empty, so that only the existence of an index with the right order decides the plan.
    for (const method of ['seqscan', 'sort', 'bitmapscan'])
      await queryRows(database.db, sql.raw(`set enable_${method} = off`));
  });
  afterAll(() => database?.close());

  test.each(CASES)(
    'of $list for a $role, sorted by $field, is read from an index in that order',
    async ({ list, role, field }) => {
      for (const [sortDirection, after] of [
        ['asc', undefined],
        ['desc', undefined],
        ['asc', POSITIONS[field]],
        ['desc', POSITIONS[field]],
      ] as const) {
        const query: ListQuery = {
          ...(after ? { after } : {}),
          pageNumber: 1,
          pageSize: 10,
          sortField: field,
          sortDirection,
          filters: [],
          sumFields: [],
          fields: { id: true },
        };
        const plan = await planOf(database, (tx) => {
          const caller = { role, id: PERSON_ID } as Caller;
          return list === 'orders'
            ? listOrders(caller as Extract<Caller, { role: 'Bud' }>, query, NOW).run(tx)
            : listDeliveries(caller, query, NOW).run(tx);
        });
        expect(plan).toContain(`_of_${role.toLowerCase()}`);
        // Only the few rows of the page are sorted.
        expect(plan).not.toMatch(/Sort Key: (?!page(?:_\d+)?\.)/);
        if (after) expect(plan).toMatch(/Index Cond: .*\bROW\(.*\bcreated_at, .*id\) [<>] ROW\(/);
      }
    },
  );
});

describe('the work that is due', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 1);
    await ensureSchema(database.db);
    await queryRows(database.db, sql`set enable_seqscan = off`);
  });
  afterAll(() => database?.close());

  test('is found by the indexes of the workers, in every queue', async () => {
    const plan = await queryRows<{ 'QUERY PLAN': string }>(database.db, sql`explain ${dueWorkSql(NOW)}`);
    const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => /Scan (?:using|on)/.test(line));
    expect(scans.length).toBeGreaterThan(8);
    expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  });
});

describe('an order that is searched by its number', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 1, 'endless');
    await ensureSchema(database.db);
    // Somebody with many orders: reading all of theirs would be slow.
    await queryRows(
      database.db,
      sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
        values (${PERSON_ID}, 'Ada', 'ada@rubadub.test', 'ada@rubadub.test', 'Bud', '', now())`,
    );
    await queryRows(
      database.db,
      sql`insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, load_price, total_price,
          bud_address, scrub_address, distance_m, created_at, holder_id)
        select gen_random_uuid(), ${PERSON_ID}, ${PERSON_ID}, 'Completed', 'Small', true, true, 0, 0, '{}',
          '{}', 0, now(), ${PERSON_ID} from generate_series(1, 3000)`,
    );
    await queryRows(database.db, sql`analyze orders`);
  });
  afterAll(() => database?.close());

  test.each(['Bud', 'Scrub'] as const)('of a %s is read from the index of numbers', async (role) => {
    const query: ListQuery = {
      ...{ pageNumber: 1, pageSize: 10, sortField: 'createdAt', sortDirection: 'desc', sumFields: [] },
      filters: [{ field: 'number', operator: 'eq', value: 'R-1042' }],
      fields: { id: true },
    };
    const caller = { role, id: PERSON_ID } as Extract<Caller, { role: 'Bud' }>;
    const plan = await planOf(database, (tx) => listOrders(caller, query, NOW).run(tx));
    expect(plan).toContain('orders_number');
    expect(plan).not.toContain(`orders_of_${role.toLowerCase()}`);
  });
});

describe('the latest orders of a dashboard', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 1, 'endless');
    await ensureSchema(database.db);
    // Without triggers, which would take seconds for so many rows.
    await queryRows(database.db, sql`set session_replication_role = replica`);
    // Most people have few orders: a plan for them would sort the many of another person.
    await queryRows(
      database.db,
      sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
        select gen_random_uuid(), 'Ada', n::text, n::text, 'Bud', '', now() from generate_series(1, 1400) n`,
    );
    await queryRows(
      database.db,
      sql`insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, load_price, total_price,
          bud_address, scrub_address, distance_m, created_at, holder_id)
        select gen_random_uuid(), id, id, 'Completed', 'Small', true, true, 0, 0, jsonb_build_object('words', repeat(id::text, 8)),
          '{}', 0, now(), id from users, generate_series(1, 14)`,
    );
    await queryRows(database.db, sql`analyze orders`);
  });
  afterAll(() => database?.close());

  test.each(['bud', 'scrub'] as const)('of a %s are read from the index in their order', async (role) => {
    const plan = await planOf(database, (tx) =>
      role === 'bud'
        ? readBudDashboardJson(BUD_FIELDS, PERSON_ID as BudId, NOW).run(tx)
        : readScrubDashboardJson(SCRUB_FIELDS, PERSON_ID as ScrubId, NOW, NOW).run(tx),
    );
    expect(plan).toMatch(new RegExp(`Index Scan using orders_of_${role} on orders o `));
    expect(plan).not.toMatch(/Bitmap Heap Scan on orders o /);
  });
});

/** The plan of the one statement that `run` sends. */
async function planOf(database: Database, run: (executor: QueryExecutor) => Promise<unknown>): Promise<string> {
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
