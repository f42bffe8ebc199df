import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DuberId, ScrubId } from '../../domain/accounts.ts';
import { FIGURES_BY } from '../../domain/figures.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { type Database, openServerDatabase, queryRows, type Tx } from '../db/database.ts';
import { ensureSchema } from '../db/ensureSchema.ts';
import { listFigures, readFiguresOfDuber, readFiguresOfScrub } from './figures.sql.ts';

const PERSON_ID = '01930000-0000-7000-8000-000000000001';
const NOW = new Date('2026-11-21T12:00:00Z');
const PERIOD = { since: new Date('2026-08-24T00:00:00Z'), until: NOW, timeZone: 'UTC', now: NOW };
const LARGE = ['orders', 'steps', 'deliveries', 'earnings', 'ledger_lines', 'ledger_entries'];

describe('the figures of a large town', () => {
  let database: Database;
  beforeAll(async () => {
    database = openServerDatabase(await createTestDatabase(), 1);
    await ensureSchema(database.db);
    // The tables are empty, so that only the existence of an index decides the plan.
    await queryRows(database.db, sql.raw('set enable_seqscan = off'));
  });
  afterAll(() => database?.close());

  test.each([
    ...FIGURES_BY.map(
      (by) =>
        [
          `by ${by}`,
          ['orders_by_time', 'deliveries_leg_once_a_round', 'earnings_pkey'],
          (tx: Tx) => listFigures(tx, PERIOD, { by, limit: 51, offset: 0 }),
        ] as const,
    ),
    [
      'of a Scrub',
      ['orders_of_scrub', 'ledger_lines_of_party'],
      (tx: Tx) => readFiguresOfScrub(tx, PERIOD, PERSON_ID as ScrubId),
    ],
    ['of a Duber', ['deliveries_of_duber'], (tx: Tx) => readFiguresOfDuber(tx, PERIOD, PERSON_ID as DuberId)],
  ] as const)('%s are read from indexes alone, from the beginning of their weeks', async (_name, indexes, run) => {
    const plan = await planOf(database.db, run);
    for (const index of indexes) expect(plan).toContain(index);
    for (const table of LARGE) expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
  });
});

/** The plan of the one statement that `run` sends. */
async function planOf(db: Tx, run: (tx: Tx) => Promise<unknown>): Promise<string> {
  let statement: CompiledQuery | undefined;
  const executor = db.getExecutor();
  const executeQuery = async (compiled: CompiledQuery) => {
    statement = compiled;
    return { rows: [] };
  };
  const spy = new Proxy(executor, {
    get: (target, key) => {
      if (key === 'executeQuery') return executeQuery;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await run({ getExecutor: () => spy } as unknown as Tx);
  if (!statement) throw new Error('no statement was sent');
  const explained = CompiledQuery.raw(`explain ${statement.sql}`, [...statement.parameters]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
