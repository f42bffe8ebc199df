import { Kysely } from 'kysely';
import { createConnectionQueue } from '../server/db/connectionQueue.ts';
import { SESSION_SETTINGS, type Tx } from '../server/db/database.ts';
import { createDialect } from '../server/db/driver.ts';
import { startEmbeddedEngine } from '../server/db/embeddedEngine.ts';
import type { Schema } from '../server/db/schema.ts';

/** The statements of one holder of the embedded database's only session, and what they cost together. */
export type Hold = {
  readonly statements: readonly string[];
  /** Pages and rows that were read or written. Unlike a time, they are the same on a busy machine. */
  readonly work: number;
};

type MeasuredDatabase = {
  readonly db: Tx;
  /** The holds since the last call. */
  takeHolds(): Promise<Hold[]>;
  close(): Promise<void>;
};

/** An embedded database in memory that counts what each holder of its session does. */
export async function openMeasuredDatabase(): Promise<MeasuredDatabase> {
  const engine = await startEmbeddedEngine(undefined, {
    plan_cache_mode: SESSION_SETTINGS.plan_cache_mode,
    jit: SESSION_SETTINGS.jit,
  });
  const { client } = engine;
  const queue = createConnectionQueue({ connections: 1, reserved: 0 });
  const holds: Hold[] = [];

  async function countWork(): Promise<number> {
    // PostgreSQL adds up the counters when a statement has ended.
    await client.query('select pg_stat_force_next_flush()');
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ work: number }>(
      `select (blks_hit + blks_read + tup_returned)::float8 as work from pg_stat_database where datname = current_database()`,
    );
    return rows[0]?.work ?? 0;
  }

  async function connect() {
    await queue.wait('reads');
    const statements: string[] = [];
    const before = await countWork();
    const nothing = (await countWork()) - before;
    const release = async () => {
      const work = (await countWork()) - before - 2 * nothing;
      if (statements.length > 0) holds.push({ statements, work });
      queue.free('reads', true);
    };
    const query = (text: string, values: unknown[]) => {
      statements.push(text);
      return client.query(text, values);
    };
    return { query: query as typeof client.query, release: () => void release() };
  }

  const db = new Kysely<Schema>({ dialect: createDialect(connect) });
  return {
    db,
    async takeHolds() {
      // The last holder is counted before the next one begins.
      await queue.wait('reads');
      queue.free('reads', true);
      return holds.splice(0);
    },
    close: async () => {
      await db.destroy();
      await queue.wait('reads');
      await engine.close();
    },
  };
}
