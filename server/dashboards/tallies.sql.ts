import { type RawBuilder, sql } from 'kysely';
import { queryRows, type Tx } from '../db/database.ts';

/**
 * Running counts and sums a person, kept by triggers in the transaction of what they count, so that nobody's dashboard
 * and no list's total reads a whole history. Here they are counted anew: to check them, or to mend them.
 */
const TALLIES = [
  {
    table: 'order_tallies',
    columns: ['person_id', 'status', 'orders', 'total_price', 'load_price'],
    counted: sql`select p.person_id, o.status, count(*) as orders, sum(o.total_price)::bigint as total_price,
        sum(o.load_price)::bigint as load_price
      from orders o cross join lateral (values (o.bud_id), (o.scrub_id)) p (person_id) group by 1, 2`,
  },
  {
    table: 'delivery_tallies',
    columns: ['person_id', 'status', 'deliveries', 'price', 'distance_m'],
    counted: sql`select p.person_id, d.status, count(*) as deliveries, sum(d.price)::bigint as price,
        sum(d.distance_m)::bigint as distance_m
      from deliveries d cross join lateral (values (d.bud_id), (d.scrub_id), (d.duber_id)) p (person_id)
      where p.person_id is not null group by 1, 2`,
  },
  {
    table: 'ledger_tallies',
    columns: ['party', 'account', 'kind', 'amount'],
    counted: sql`select l.party, l.account, l.kind, sum(l.amount)::bigint as amount from ledger_lines l
      where l.party is not null group by 1, 2, 3`,
  },
];

const MAX_ERRORS_PER_TABLE = 50;

/** What is wrong with the tallies, in words; at most fifty of each kind. A row of zeros is as good as none. */
export async function findTallyErrors(tx: Tx): Promise<string[]> {
  const found: string[] = [];
  for (const { table, columns, counted } of TALLIES) {
    const names = sql.join(columns.map((name) => sql.ref(name)));
    const sums = columns.filter((name) => !['person_id', 'party', 'status', 'account', 'kind'].includes(name));
    const kept = sql`select ${names} from ${sql.table(table)}
      where ${sql.join(
        sums.map((name) => sql`${sql.ref(name)} <> 0`),
        sql` or `,
      )}`;
    const there = sql`select ${names} from (${counted}) c
      where ${sql.join(
        sums.map((name) => sql`c.${sql.ref(name)} <> 0`),
        sql` or `,
      )}`;
    const wrong = await queryRows<{ how: string; what: object }>(
      tx,
      sql`select how, to_jsonb(w) - 'how' as what from (
          select 'is missing' as how, * from (${there} except all ${kept}) missing
          union all select 'is too much', * from (${kept} except all ${there}) extra) w
        limit ${MAX_ERRORS_PER_TABLE}`,
    );
    found.push(...wrong.map(({ how, what }) => `${table}: ${JSON.stringify(what)} ${how}`));
  }
  return found;
}

/** Counts everything anew. The tables are locked meanwhile: nothing may be written between the count and its keeping. */
export async function recountTallies(tx: Tx): Promise<void> {
  await queryRows(tx, sql`lock table orders, deliveries, ledger_lines in share row exclusive mode`);
  for (const { table, columns, counted } of TALLIES) {
    await queryRows(tx, sql`delete from ${sql.table(table)}`);
    await queryRows(
      tx,
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) ${counted}`,
    );
  }
}

/** A Bud's or a Scrub's orders, one row with `total`, `active`, `completed`. */
export const orderTotalsSql = (person: RawBuilder<unknown>) => sql`select coalesce(sum(t.orders), 0) as total,
    coalesce(sum(t.orders) filter (where t.status = 'In_Progress'), 0) as active,
    coalesce(sum(t.orders) filter (where t.status = 'Completed'), 0) as completed
  from order_tallies t where t.person_id = ${person}::uuid`;

/** A Duber's deliveries, one row with `total`, `delivered`, and the metres of what was delivered. */
export const deliveryTotalsSql = (person: RawBuilder<unknown>) => sql`select coalesce(sum(t.deliveries), 0) as total,
    coalesce(sum(t.deliveries) filter (where t.status = 'Delivered'), 0) as delivered,
    coalesce(sum(t.distance_m) filter (where t.status = 'Delivered'), 0) as distance
  from delivery_tallies t where t.person_id = ${person}::uuid`;

/** One row with `spent`: cents that were captured from a Bud, less refunds. */
export const spendingSql = (person: RawBuilder<unknown>) => sql`select coalesce(sum(t.amount), 0) as spent
  from ledger_tallies t where t.party = ${person}::uuid and t.account = 'card-clearing'`;

/**
 * One row with cents: the `total` that a person earned, less refunds that they bear, and `today`: what was completed or
 * delivered since a time, of which only that time's lines are read.
 */
export const earningsSql = (account: 'scrub' | 'duber', person: RawBuilder<unknown>, since: RawBuilder<unknown>) => {
  const mine = sql`party = ${person}::uuid and account = ${sql.lit(account)}`;
  // One kind and no list of them, so that the index is entered at the time.
  const kind = sql.lit(account === 'scrub' ? 'completed' : 'delivered');
  return sql`select coalesce((select -sum(t.amount) from ledger_tallies t
        where ${mine} and t.kind in ('completed', 'delivered', 'refunded')), 0) as total,
      coalesce((select -sum(l.amount) from ledger_lines l
        where ${mine} and l.kind = ${kind} and l.at >= ${since}::timestamptz), 0) as today`;
};
