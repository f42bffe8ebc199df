import pg from 'pg';

/** A URL, or the options of a client. The embedded database has no URL. */
type Connection = string | pg.ClientConfig | undefined;

/** Does `work` on a connection of its own to a PostgreSQL, and closes it. */
export async function withConnection<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (connection === undefined) throw new Error('The embedded database takes no other connection');
  const client = new pg.Client(connection);
  // The server may end while nothing is asked of it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs one statement, or several without values, on a connection of its own. */
export const queryAt = <Row extends object>(connection: Connection, text: string, values?: unknown[]): Promise<Row[]> =>
  withConnection(connection, async (client) => (await client.query<Row>(text, values)).rows);
