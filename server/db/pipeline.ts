import type { CompiledQuery } from 'kysely';
import type pg from 'pg';

/** What a prepared statement can be asked of: the pool, a transaction, or a line. */
export type QueryExecutor = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ readonly rows: Row[] }> };

export type PipelinedConnection = QueryExecutor & { close(): Promise<void> };

/**
 * One connection on which many statements are under way at once: PostgreSQL finds the next in its hands when it is done
 * with one, so that neither has to wake the other for each. They are answered in their order, so it is for readings alone,
 * and for those that are over at once. `make` makes a client in pg's pipeline mode; one that breaks fails what was under
 * way, and the next statement makes another.
 */
export function openPipeline(make: () => pg.Client): PipelinedConnection {
  let connected: Promise<pg.Client> | undefined;
  let isClosed = false;

  function connect(): Promise<pg.Client> {
    const client = make();
    const connecting = client.connect().then(() => client);
    const forget = () => {
      if (connected === connecting) connected = undefined;
    };
    client.on('error', forget).on('end', forget);
    connecting.catch(forget);
    return connecting;
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery<Row>) {
      if (isClosed) throw new Error('the line is closed');
      connected ??= connect();
      const client = await connected;
      const { rows } = await client.query(sql, [...parameters]);
      return { rows: rows as Row[] };
    },
    async close() {
      isClosed = true;
      const client = await connected?.catch(() => undefined);
      // Not waited for, as the pool does not: a database that is stopped in its tracks says no goodbye.
      void client?.end();
    },
  };
}
