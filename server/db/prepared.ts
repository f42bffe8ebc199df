import {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Tx } from './database.ts';
import { ask, type Late, send } from './driver.ts';
import type { QueryExecutor } from './pipeline.ts';
import type { Schema } from './schema.ts';

/** A statement that is compiled once. Every run sends the same text, so PostgreSQL parses and plans it once a connection. */
export type PreparedStatement<Parameters extends readonly unknown[], Row> = {
  all(tx: QueryExecutor, ...parameters: Parameters): Promise<Row[]>;
  one(tx: QueryExecutor, ...parameters: Parameters): Promise<Row | undefined>;
  /** Asks with the next statement of the transaction: see `ask`. */
  askOne(tx: Tx, ...parameters: Parameters): Promise<Late<Row | undefined>>;
  /** The same for an answer that nobody reads. */
  send(tx: Tx, ...parameters: Parameters): Promise<void>;
};

export type Placeholders<Parameters extends readonly unknown[]> = {
  [K in keyof Parameters]: RawBuilder<Parameters[K]>;
};

/** Builds queries for `prepare`; it has no connection. */
export const queryBuilder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: () => {
      throw new Error('queryBuilder only compiles');
    },
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A query of `queryBuilder`, whose rows the compiler checks, or raw SQL, whose rows it does not. */
type Query<Row> = RawBuilder<unknown> | (Compilable & { execute(): Promise<Row[]> });

/**
 * Prepares a statement with placeholders for the parameters of each run: compiling it costs as much as a small query.
 * `count` is the number of parameters where `build.length` does not say it.
 */
export function prepare<Parameters extends readonly unknown[], Row>(
  build: (...placeholders: Placeholders<Parameters>) => Query<Row>,
  count: number = build.length,
): PreparedStatement<Parameters, Row> {
  // Compiled by the first run, so that the server starts faster.
  let compiled: CompiledStatement | undefined;
  const queryWith = (parameters: Parameters): CompiledQuery<Row> => {
    compiled ??= compile(build, count);
    return CompiledQuery.raw(compiled.text, compiled.valuesFor(parameters)) as CompiledQuery<Row>;
  };
  const all = async (tx: QueryExecutor, ...parameters: Parameters) =>
    (await tx.executeQuery(queryWith(parameters))).rows;
  return {
    all,
    one: async (tx, ...parameters) => (await all(tx, ...parameters))[0],
    askOne: async (tx, ...parameters) => {
      const rows = await ask(tx, queryWith(parameters));
      return async () => (await rows())[0];
    },
    send: (tx, ...parameters) => send(tx, queryWith(parameters)),
  };
}

type CompiledStatement = { readonly text: string; readonly valuesFor: (parameters: readonly unknown[]) => unknown[] };

/** A parameter that the text uses several times is sent once. */
function compile<Parameters extends readonly unknown[], Row>(
  build: (...placeholders: Placeholders<Parameters>) => Query<Row>,
  count: number,
): CompiledStatement {
  const marks: unknown[] = Array.from({ length: count }, () => ({}));
  const query = build(...(marks.map((mark) => sql`${mark}`) as unknown as Placeholders<Parameters>));
  const { sql: text, parameters: compiled } = 'isRawBuilder' in query ? query.compile(queryBuilder) : query.compile();
  const sent = [...new Set(compiled)];
  return {
    text: text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${sent.indexOf(compiled[Number(number) - 1]) + 1}`),
    valuesFor: (parameters) => sent.map((value) => (marks.includes(value) ? parameters[marks.indexOf(value)] : value)),
  };
}
