import { type Kysely, sql } from 'kysely';

const ORDERS = { of: ['bud', 'scrub'], by: { status: 'status collate "C"', total: 'total_price', load: 'load_price' } };
const DELIVERIES = {
  of: ['bud', 'scrub', 'duber'],
  by: { status: 'status collate "C"', price: 'price', distance: 'distance_m' },
};

/** For each person and each thing that their list is sorted by: forwards and, read from its end, backwards. */
function sorted(table: string, { of, by }: { of: readonly string[]; by: Readonly<Record<string, string>> }): string[] {
  return of.flatMap((who) =>
    Object.entries(by).map(
      ([name, column]) =>
        `create index ${table}_of_${who}_by_${name} on ${table} (${who}_id, ${column}, created_at, id)`,
    ),
  );
}

const SORTED = [
  // These held the newest first within each status, which serves a list of one status and none that is sorted by it.
  'drop index orders_of_bud_by_status, orders_of_scrub_by_status',
  'drop index deliveries_of_bud_by_status, deliveries_of_scrub_by_status, deliveries_of_duber_by_status',
  ...sorted('orders', ORDERS),
  ...sorted('deliveries', DELIVERIES),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of SORTED) await sql.raw(statement).execute(db);
}
