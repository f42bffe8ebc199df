import type { CompiledQuery } from 'kysely';
import type { DatabaseHosts } from '../config/databaseHosts.ts';
import { type ServerClient, tryEachHost } from './client.ts';
import { createConnectionQueue, type QueueOptions } from './connectionQueue.ts';

/** Where a prepared statement can run: the pool, a transaction or a pipelined connection. */
export type QueryExecutor = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ readonly rows: Row[] }> };

export type PipelinedConnection = QueryExecutor & { close(): Promise<void> };

/**
 * How many statements are on their way at once. More would not keep PostgreSQL busier, and their answers would arrive
 * together: the server handles them in one turn of its event loop, and everything else waits.
 */
const MAX_ON_THE_WAY = 8;

/**
 * One connection that sends statements without waiting for the answers of earlier ones, so that PostgreSQL and the server
 * wake each other less often. The answers come in order, so it is only for quick reads. When a client breaks, its open statements fail, and the next statement connects again.
 */
export function openPipeline(
  createClient: () => ServerClient,
  hosts: DatabaseHosts,
  patience: NonNullable<QueueOptions['patience']>,
): PipelinedConnection {
  const queue = createConnectionQueue({ connections: MAX_ON_THE_WAY, reserved: 0, patience });
  let connected: Promise<ServerClient> | undefined;
  let isClosed = false;

  function connect(): Promise<ServerClient> {
    if (isClosed) throw new Error('the pipelined connection is closed');
    const connecting = tryEachHost(hosts, async () => {
      const client = createClient();
      try {
        await client.connect();
        await client.checkWritable();
        return client.on('error', disconnect).on('end', disconnect);
      } catch (error) {
        void client.end().catch(() => undefined);
        throw error;
      }
    });
    const disconnect = () => {
      if (connected === connecting) connected = undefined;
    };
    connecting.catch(disconnect);
    return connecting;
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery<Row>) {
      connected ??= connect();
      await queue.wait('reads');
      let client: ServerClient | undefined;
      try {
        // It may have broken while this statement waited.
        connected ??= connect();
        client = await connected;
        const { rows } = await client.query(sql, [...parameters]);
        return { rows: rows as Row[] };
      } finally {
        queue.free('reads', client?.isAbandoned === false);
      }
    },
    async close() {
      isClosed = true;
      const client = await connected?.catch(() => undefined);
      // Not awaited, like in pg's pool: a database that hangs never confirms the end.
      void client?.end();
    },
  };
}
