import { type RawBuilder, sql } from 'kysely';
import type { BudId } from '../../domain/accounts.ts';
import { ENTRY_KIND_OF_EARNING } from '../../domain/earnings.ts';
import type { EntryKind } from '../../domain/ledger.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/**
 * Tallies are counts and sums, which triggers and functions update in the same transaction, so that dashboards, list totals and what
 * is booked need not be counted from all rows. This table says how each is computed from the rows, to check or recount it.
 */
const TALLIES = [
  {
    table: 'order_tallies',
    columns: ['person_id', 'status', 'orders', 'total_price', 'load_price'],
    recount: sql`select p.person_id, o.status, count(*) as orders, sum(o.total_price)::bigint as total_price,
        sum(o.load_price)::bigint as load_price
      from orders o cross join lateral (values (o.bud_id), (o.scrub_id)) p (person_id) group by 1, 2`,
  },
  {
    table: 'delivery_tallies',
    columns: ['person_id', 'status', 'deliveries', 'price', 'distance_m'],
    recount: sql`select p.person_id, d.status, count(*) as deliveries, sum(d.price)::bigint as price,
        sum(d.distance_m)::bigint as distance_m
      from deliveries d cross join lateral (values (d.bud_id), (d.scrub_id), (d.duber_id)) p (person_id)
      where p.person_id is not null group by 1, 2`,
  },
  {
    table: 'ledger_tallies',
    columns: ['party', 'account', 'kind', 'amount'],
    recount: sql`select l.party, l.account, l.kind, sum(l.amount)::bigint as amount from ledger_lines l
      where l.party is not null group by 1, 2, 3`,
  },
  {
    table: 'window_places',
    columns: ['kind', 'starts_at', 'zone_id', 'taken'],
    recount: sql`select w.kind, w.starts_at, b.zone_id, count(*) as taken
      from bookings b cross join lateral (values ('pickup', b.pickup_starts), ('return', b.return_starts)) w (kind, starts_at)
      where w.starts_at is not null group by 1, 2, 3`,
  },
  {
    table: 'scrub_days',
    columns: ['scrub_id', 'day', 'orders', 'pounds'],
    recount: sql`select b.scrub_id, b.day, count(*) as orders, sum(b.pounds)::bigint as pounds
      from bookings b where b.scrub_id is not null group by 1, 2`,
  },
];
const KEYS = ['person_id', 'party', 'status', 'account', 'kind', 'starts_at', 'zone_id', 'scrub_id', 'day'];

const MAX_ERRORS_PER_TABLE = 50;

/** Describes each difference between the tallies and a recount, up to fifty per table. A row of zeros counts as none. */
export async function findTallyErrors(tx: Tx): Promise<string[]> {
  const errors: string[] = [];
  for (const { table, columns, recount } of TALLIES) {
    const names = sql.join(columns.map((name) => sql.ref(name)));
    const sums = columns.filter((name) => !KEYS.includes(name));
    const stored = sql`select ${names} from ${sql.table(table)}
      where ${sql.join(
        sums.map((name) => sql`${sql.ref(name)} <> 0`),
        sql` or `,
      )}`;
    const expected = sql`select ${names} from (${recount}) c
      where ${sql.join(
        sums.map((name) => sql`c.${sql.ref(name)} <> 0`),
        sql` or `,
      )}`;
    // Raw SQL: one statement for tables with different columns.
    const differences = await queryRows<{ how: string; what: object }>(
      tx,
      sql`select how, to_jsonb(w) - 'how' as what from (
          select 'is missing' as how, * from (${expected} except all ${stored}) missing
          union all select 'is too much', * from (${stored} except all ${expected}) extra) w
        limit ${MAX_ERRORS_PER_TABLE}`,
    );
    errors.push(...differences.map(({ how, what }) => `${table}: ${JSON.stringify(what)} ${how}`));
  }
  return errors;
}

/**
 * Keeps others from writing what is counted. The functions of bookings lock a booking before its counts, by `for update` too, which the
 * exclusive mode keeps out.
 */
export async function lockCounted(tx: Tx): Promise<void> {
  await queryRows(tx, sql`lock table orders, deliveries, ledger_lines in share row exclusive mode`);
  await queryRows(tx, sql`lock table bookings in exclusive mode`);
}

/** Recounts all tallies. Nothing is written between the count and its storing. */
export async function recountTallies(tx: Tx): Promise<void> {
  await lockCounted(tx);
  for (const { table, columns, recount } of TALLIES) {
    await queryRows(tx, sql`delete from ${sql.table(table)}`);
    await queryRows(
      tx,
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) ${recount}`,
    );
  }
}

/** A Bud's or a Scrub's orders: one row with `total`, `active` and `completed`. */
export const orderTotalsSql = (person: RawBuilder<unknown>) => sql`select coalesce(sum(t.orders), 0) as total,
    coalesce(sum(t.orders) filter (where t.status = 'In_Progress'), 0) as active,
    coalesce(sum(t.orders) filter (where t.status = 'Completed'), 0) as completed
  from order_tallies t where t.person_id = ${person}::uuid`;

/** A Duber's deliveries: one row with `total`, `delivered`, and `distance`, the metres of the delivered ones. */
export const deliveryTotalsSql = (person: RawBuilder<unknown>) => sql`select coalesce(sum(t.deliveries), 0) as total,
    coalesce(sum(t.deliveries) filter (where t.status = 'Delivered'), 0) as delivered,
    coalesce(sum(t.distance_m) filter (where t.status = 'Delivered'), 0) as distance
  from delivery_tallies t where t.person_id = ${person}::uuid`;

/**
 * A Bud's spending: one row with `spent`, the captured cents minus what went back to the card. What the card network keeps of a
 * payment is the town's cost.
 */
export const spendingSql = (person: RawBuilder<unknown>) => sql`select coalesce(sum(t.amount), 0) as spent
  from ledger_tallies t where t.party = ${person}::uuid and t.account = 'card-clearing' and t.kind <> 'card-fee'`;

export async function readSpending(tx: Tx, bud: BudId): Promise<number> {
  const row = await queryRow<{ spent: string }>(tx, spendingSql(sql`${bud}`));
  return Number(row?.spent ?? 0);
}

/** What Dubers are paid, and what of it was taken back. */
const DUBER_KINDS: readonly EntryKind[] = [...Object.values(ENTRY_KIND_OF_EARNING), 'corrected'];

/**
 * A person's earnings: one row with `total`, the earned cents minus the refunds that they bear, and `today`, the cents of
 * what was completed, or carried, since `since`.
 */
export const earningsSql = (account: 'scrub' | 'duber', person: RawBuilder<unknown>, since: RawBuilder<unknown>) => {
  const mine = sql`party = ${person}::uuid and account = ${sql.lit(account)}`;
  // One kind after the other instead of a list, so that the index can start at the time.
  const kinds = sql.join((account === 'scrub' ? ['completed'] : DUBER_KINDS).map((kind) => sql`(${sql.lit(kind)})`));
  return sql`select coalesce((select -sum(t.amount) from ledger_tallies t
        where ${mine} and t.kind not in ('paid-out', 'payout-returned')), 0) as total,
      coalesce((select sum(k.earned) from (values ${kinds}) as kinds (kind) cross join lateral (
        select -sum(l.amount) as earned from ledger_lines l
        where ${mine} and l.kind = kinds.kind and l.at >= ${since}::timestamptz) k), 0) as today`;
};
