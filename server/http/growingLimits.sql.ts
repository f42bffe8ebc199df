import { sql } from 'kysely';
import { queryRows, type Tx } from '../db/database.ts';
import { ask, type Late, send } from '../db/driver.ts';

/** A limit whose waits grow: `free` tries, and then one after each wait. */
export type GrowingLimit = {
  readonly free: number;
  /** The wait after the last free try. It doubles with each further one. */
  readonly firstWaitS: number;
  readonly longestWaitS: number;
  /** The count starts again this long after the last try. At least the longest wait. */
  readonly forgottenAfterS: number;
};

/** What is limited, and for whom: an account, a card or a network. */
export type LimitedKey = { readonly kind: string; readonly key: string; readonly limit: GrowingLimit };

// The counts are rows of `rate_limits`, whose column `network` holds any key. `ends_at` is when a count is forgotten, so
// the time of the last try follows from it. Raw SQL: a try is checked and counted in one statement, so that parallel
// requests cannot exceed a limit.
const limitsTable = (keys: readonly LimitedKey[]) => sql`limits as materialized (
    select * from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => key)}::text[],
      ${keys.map(({ limit }) => limit.free)}::int[], ${keys.map(({ limit }) => limit.firstWaitS)}::float8[],
      ${keys.map(({ limit }) => limit.longestWaitS)}::float8[], ${keys.map(({ limit }) => limit.forgottenAfterS)}::float8[])
      as t (kind, key, free, first_wait_s, longest_wait_s, forgotten_after_s))`;

// Free tries never wait, also when the clock of the server that counted the last one is ahead of ours.
const blockedUntil = sql`case when l.count < t.free then '-infinity' else l.ends_at + make_interval(secs =>
    least(t.longest_wait_s, t.first_wait_s * power(2, least(l.count - t.free, 30))) - t.forgotten_after_s) end`;

/** Makes others who try the same keys wait until the transaction ends, so that each sees what the one before has counted. */
export async function lockTries(tx: Tx, keys: readonly LimitedKey[], now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`with ${limitsTable(keys)}
      insert into rate_limits as l (kind, network, ends_at, count)
        select t.kind, t.key, ${now}::timestamptz + make_interval(secs => t.forgotten_after_s), 0
        from limits t order by t.kind collate "C", t.key collate "C"
      on conflict (kind, network) do update set count = l.count`,
  );
}

/** Counts one try for each key that is not waiting. The answer is how many were counted. */
export async function askToCount(tx: Tx, keys: readonly LimitedKey[], now: Date): Promise<Late<number>> {
  const counted = await ask(
    tx,
    sql`with ${limitsTable(keys)}
      insert into rate_limits as l (kind, network, ends_at, count)
        select t.kind, t.key, ${now}::timestamptz + make_interval(secs => t.forgotten_after_s), 1
        from limits t order by t.kind collate "C", t.key collate "C"
      on conflict (kind, network) do update set ends_at = excluded.ends_at,
          count = case when l.ends_at <= ${now} then 1 else l.count + 1 end
        where (select ${blockedUntil} from limits t where t.kind = l.kind and t.key = l.network) <= ${now}
      returning l.kind`,
  );
  return async () => (await counted()).length;
}

/** The same at once. */
export const countTries = async (tx: Tx, keys: readonly LimitedKey[], now: Date): Promise<number> =>
  (await askToCount(tx, keys, now))();

/** Lowers a count by one, if there is one. */
export async function lowerCount(tx: Tx, { kind, key }: Pick<LimitedKey, 'kind' | 'key'>): Promise<void> {
  await send(
    tx,
    tx
      .updateTable('rate_limits')
      .set((eb) => ({ count: eb('count', '-', 1) }))
      .where('kind', '=', kind)
      .where('network', '=', key)
      .where('count', '>', 0),
  );
}

export type Wait = { readonly kind: string; readonly until: Date };

/** Asks for the keys that are waiting, and until when. */
export function askForWaits(tx: Tx, keys: readonly LimitedKey[], now: Date): Promise<Late<Wait[]>> {
  return ask(
    tx,
    sql<Wait>`with ${limitsTable(keys)}
      select l.kind, ${blockedUntil} as until from rate_limits l join limits t on t.kind = l.kind and t.key = l.network
      where ${blockedUntil} > ${now} order by until desc`,
  );
}

/** The same at once. */
export const readWaits = async (tx: Tx, keys: readonly LimitedKey[], now: Date): Promise<Wait[]> =>
  (await askForWaits(tx, keys, now))();
