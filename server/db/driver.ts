import {
  AbortedTransactionError,
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

type Tx = Kysely<Schema>;

/** A connection for Kysely: a client of a pool, or the session of the embedded database. */
export type PooledClient = Pick<pg.PoolClient, 'query' | 'release'> & {
  /** Sends statements in one go. Without it they are sent one after the other. */
  readonly queryTogether?: (statements: readonly Statement[]) => Promise<pg.QueryResult>[];
};
export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

/** An answer of the database that may not be there yet. Reading it sends the statements that wait. */
export type Late<T> = () => Promise<T>;

type Answered = QueryResult<unknown> & { readonly command?: string };
type Outcome = PromiseSettledResult<Answered>;
type Answer = { outcome?: Outcome | undefined };
const NO_ROWS: Answered = { rows: [] };

/** The statements that wait for the next one, with the place for their answers. */
const late = new WeakMap<CompiledQuery, Answer>();
const NOTHING_MORE = CompiledQuery.raw('');

/** The instances of Kysely that have one connection, besides transactions. */
const connected = new WeakSet<Tx>();

/** Runs `work` on one connection, which is no transaction. */
export const useConnection = <T>(db: Tx, work: (connected: Tx) => Promise<T>): Promise<T> =>
  db.connection().execute(async (one) => {
    connected.add(one);
    const result = await work(one);
    await one.executeQuery(NOTHING_MORE);
    return result;
  });

/**
 * Asks the database with the next statement of the transaction or of the connection, in the same round trip. Elsewhere it asks at once.
 * When a statement fails, the one that is read next fails with its error, or else the commit. Without a transaction the statements behind it
 * run all the same, so ask there only for what may happen in any case.
 */
export async function ask<Row>(tx: Tx, question: Question<Row>): Promise<Late<Row[]>> {
  const query = compile(tx, question);
  if (!tx.isTransaction && !connected.has(tx)) {
    const { rows } = await tx.executeQuery(query);
    return async () => rows;
  }
  const answer: Answer = {};
  late.set(query, answer);
  await tx.executeQuery(query);
  return async () => {
    if (!answer.outcome) await tx.executeQuery(NOTHING_MORE);
    if (answer.outcome?.status !== 'fulfilled') throw answer.outcome?.reason ?? new Error('the transaction has failed');
    return answer.outcome.value.rows as Row[];
  };
}

/**
 * Sends a statement whose answer nobody reads with the next one of the transaction. Elsewhere it runs at once: the next one would run although
 * this one has failed.
 */
export async function send(tx: Tx, question: Question<unknown>): Promise<void> {
  if (tx.isTransaction) await ask(tx, question);
  else await tx.executeQuery(compile(tx, question));
}

type Question<Row> = Compilable<Row> | RawBuilder<Row> | CompiledQuery<Row>;

function compile<Row>(tx: Tx, question: Question<Row>): CompiledQuery<Row> {
  if ('isRawBuilder' in question) return question.compile(tx);
  return 'compile' in question ? question.compile() : question;
}

/** A dialect of Kysely for PostgreSQL whose transactions need fewer round trips: BEGIN and the statements of `ask` wait for the next one. */
export const createDialect = (connect: () => Promise<PooledClient>): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => createDriver(connect),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

const createDriver = (connect: () => Promise<PooledClient>): Driver => ({
  init: async () => {},
  acquireConnection: async () => createConnection(await connect()),
  beginTransaction: (connection, settings) => (connection as Connection).begin(settings),
  commitTransaction: (connection) => (connection as Connection).commit(),
  rollbackTransaction: (connection) => (connection as Connection).rollback(),
  releaseConnection: async (connection) => (connection as Connection).release(),
  destroy: async () => {},
});

type Connection = DatabaseConnection & {
  /** BEGIN is sent with the first statement. */
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
};

type Waiting = Statement & { readonly answer?: Answer; readonly isBegin?: true };

const COMMIT: Statement = { sql: 'commit', parameters: [] };
const ROLLBACK: Statement = { sql: 'rollback', parameters: [] };

function beginOf({ isolationLevel, accessMode }: TransactionSettings): Waiting {
  const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  return { sql: `begin${level}${accessMode ? ` ${accessMode}` : ''}`, parameters: [], isBegin: true };
}

/** A statement that begins with `with` may contain a change. */
const changesNothing = ({ sql }: Statement) => /^\s*select\b/i.test(sql);

const ABORTED_SQL_STATE = '25P02';
const isAborted = (error: unknown) => (error as { code?: unknown } | null)?.code === ABORTED_SQL_STATE;

function createConnection(client: PooledClient): Connection {
  let waiting: Waiting[] = [];
  /** The first error of the transaction. PostgreSQL answers every later statement with another one. */
  let failure: unknown;
  let isBroken = false;

  /** Sends statements without waiting for each other's answers. Throws the first error, or returns the last answer. */
  async function sendTogether(statements: readonly Waiting[]): Promise<Answered> {
    const outcomes = (await queryAll(client, statements)).map((outcome): Outcome => {
      if (outcome.status === 'fulfilled') return outcome;
      failure ??= outcome.reason;
      return isAborted(outcome.reason) ? { ...outcome, reason: failure } : outcome;
    });
    for (const [index, { answer }] of statements.entries()) if (answer) answer.outcome = outcomes[index];
    const failed = outcomes.find(({ status }) => status === 'rejected');
    const last = failed ?? outcomes.at(-1);
    if (last?.status === 'rejected') throw last.reason;
    return last?.value ?? NO_ROWS;
  }

  /** Sends what waits, and `last`. */
  async function flush(...last: Statement[]): Promise<Answered> {
    const [first, ...others]: Waiting[] = [...waiting, ...last];
    waiting = [];
    if (!first) return NO_ROWS;
    if (!first.isBegin || others.every(changesNothing)) return sendTogether([first, ...others]);
    // A change behind a BEGIN that fails would be made without a transaction.
    await sendTogether([first]);
    return sendTogether(others);
  }

  return {
    async executeQuery<Row>(query: CompiledQuery) {
      const answer = late.get(query);
      if (answer) waiting.push({ ...serialize(query), answer });
      const answered = answer ? NO_ROWS : await (query === NOTHING_MORE ? flush() : flush(query));
      return answered as QueryResult<Row>;
    },
    // biome-ignore lint/correctness/useYield: Kysely asks for it, and nobody reads rows one by one
    async *streamQuery() {
      throw new Error('rows are not streamed');
    },
    async begin(settings) {
      await flush();
      failure = undefined;
      waiting = [beginOf(settings)];
    },
    async commit() {
      if (waiting.length === 1 && waiting[0]?.isBegin) waiting = [];
      else if ((await flush(COMMIT)).command === 'ROLLBACK') throw failure ?? new AbortedTransactionError();
    },
    async rollback() {
      const isUnsent = waiting[0]?.isBegin;
      waiting = [];
      if (isUnsent) return;
      try {
        await sendTogether([ROLLBACK]);
      } catch (error) {
        isBroken = true;
        throw error;
      }
    },
    release: () => client.release(isBroken),
  };
}

/** Queries in order. Where they are sent one by one, those after an error are not sent. */
async function queryAll(client: PooledClient, statements: readonly Statement[]): Promise<Outcome[]> {
  if (client.queryTogether)
    return Promise.allSettled(client.queryTogether(statements).map((answer) => answer.then(toAnswered)));
  const outcomes: Outcome[] = [];
  for (const { sql, parameters } of statements) {
    const last = outcomes.at(-1);
    if (last?.status === 'rejected') outcomes.push(last);
    else outcomes.push(...(await Promise.allSettled([client.query(sql, [...parameters]).then(toAnswered)])));
  }
  return outcomes;
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function toAnswered({ command, rowCount, rows }: pg.QueryResult): Answered {
  return {
    command,
    ...(CHANGES.has(command) && rowCount !== null ? { numAffectedRows: BigInt(rowCount) } : {}),
    // Several statements in one text have several results.
    rows: rows ?? [],
  };
}

/**
 * The parameters as pg sends them. pg must not refuse one only when the statement is sent: the others that are sent with it would be
 * committed without it.
 */
const serialize = ({ sql, parameters }: Statement): Statement => ({ sql, parameters: parameters.map(toWire) });
const { prepareValue: toWire } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;
