/** The functions of PostgreSQL, compiled to WebAssembly, through which PGlite runs a statement. */
const ENTRY_POINTS = [
  'stackSave',
  'stackRestore',
  '_pq_buffer_remaining_data',
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
] as const;

export type PostgresModule = Record<(typeof ENTRY_POINTS)[number], (...parameters: unknown[]) => unknown>;

/** What PostgreSQL exits with after an ordinary error in a statement; then PGlite calls `_PostgresMainLongJmp`. */
const STATEMENT_ERROR = 100;

/**
 * Makes statements fail after PostgreSQL has crashed, for example because it cannot write its log. PGlite ignores that and
 * runs the statement again, without end, in the only thread of this process.
 */
export function throwAfterCrash(module: PostgresModule, onCrash: (error: unknown) => void): void {
  let crash: { readonly error: unknown } | undefined;
  for (const name of ENTRY_POINTS) {
    const call = module[name];
    module[name] = (...parameters) => {
      if (crash) throw crash.error;
      try {
        return call(...parameters);
      } catch (error) {
        const isExpected =
          name === '_PostgresMainLoopOnce' && (error as { status?: unknown } | null)?.status === STATEMENT_ERROR;
        if (!isExpected) {
          crash = { error };
          onCrash(error);
        }
        throw error;
      }
    };
  }
}
