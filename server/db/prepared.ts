import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { QueryExecutor } from './pipeline.ts';
import type { Schema } from './schema.ts';

/** A statement that is compiled once: every run sends the same text, which PostgreSQL has parsed and planned before. */
export type PreparedStatement<Given extends readonly unknown[], Row> = {
  all(tx: QueryExecutor, ...given: Given): Promise<Row[]>;
  one(tx: QueryExecutor, ...given: Given): Promise<Row | undefined>;
};

export type Placeholders<Given extends readonly unknown[]> = { [K in keyof Given]: RawBuilder<Given[K]> };

const compiler = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: () => {
      throw new Error('this one only compiles');
    },
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * Prepares a statement with places for what is given to each run; the compiler costs as much as a small query.
 * `count` says how many places there are where the builder's own list of arguments does not.
 */
export function prepare<Given extends readonly unknown[], Row>(
  build: (...places: Placeholders<Given>) => RawBuilder<unknown>,
  count: number = build.length,
): PreparedStatement<Given, Row> {
  // Compiled when first run: a start need not wait for it.
  let compiled: CompiledStatement | undefined;
  const all = async (tx: QueryExecutor, ...given: Given): Promise<Row[]> => {
    compiled ??= compile(build, count);
    const { text, order } = compiled;
    return (
      await tx.executeQuery<Row>(
        CompiledQuery.raw(
          text,
          order.map((place) => given[place]),
        ),
      )
    ).rows;
  };
  return { all, one: async (tx, ...given) => (await all(tx, ...given))[0] };
}

/** A text, and which of what is given stands at each of its numbers. */
type CompiledStatement = { readonly text: string; readonly order: readonly number[] };

/** Whatever stands at several places is sent once: PostgreSQL reads each value that comes from its text. */
function compile<Given extends readonly unknown[]>(
  build: (...places: Placeholders<Given>) => RawBuilder<unknown>,
  count: number,
): CompiledStatement {
  const marks = Array.from({ length: count }, (_, place) => ({ place }));
  const places = marks.map((mark) => sql`${mark}`) as unknown as Placeholders<Given>;
  const { sql: text, parameters } = build(...places).compile(compiler);
  const standing = parameters.map((parameter) => marks.indexOf(parameter as { place: number }));
  const order = [...new Set(standing)];
  const numberOf = (found: string) => order.indexOf(standing[Number(found) - 1] ?? -1) + 1;
  return { text: text.replaceAll(/\$(\d+)/g, (_, found: string) => `$${numberOf(found)}`), order };
}

const MAX_CACHED = 500;

/** Keeps what `make` makes of a key. Keys beyond a bound are made anew each time: clients choose a part of them. */
export function cacheByKey<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    if (kept.size < MAX_CACHED) kept.set(key, made);
    return made;
  };
}
